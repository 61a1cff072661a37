/** Up to so many objects, comparing each with each is faster than a Set. */
const FEW = 24;

/** So many objects are met before a traversal looks for repeats for the first time: shared parts multiply on the way. */
const MANY = 4_096;

/**
 * The objects that a traversal meets. Plain data is a tree nearly always, so traversals walk it as one and only list what they
 * meet; one that met an object twice walks again, by identity. Listing costs a few nanoseconds an object, a Map fifty.
 *
 * Traversals may nest, because a getter is code: each begins where the list ends, and gives back what it took.
 */
export class Met {
  private readonly objects: (object | undefined)[] = [];
  private count = 0;
  private lookAt = MANY;

  /** A traversal begins; gives what `end` and `hasRepeats` want to be told. */
  begin(root: object): number {
    const from = this.count;
    this.objects[this.count++] = root;
    return from;
  }

  /** The traversal has come to an object; false where it must not go on, because it walks in circles. */
  add(object: object): boolean {
    this.objects[this.count++] = object;
    return this.count < this.lookAt || this.mayGoOn();
  }

  /** Whether the traversal that began there has met an object twice. */
  hasRepeats(from: number): boolean {
    const { objects, count } = this;
    if (count - from > FEW) return new Set(objects.slice(from, count)).size < count - from;
    for (let at = from + 1; at < count; at++) {
      const object = objects[at];
      for (let before = from; before < at; before++) if (objects[before] === object) return true;
    }
    return false;
  }

  end(from: number): void {
    this.count = from;
    if (this.lookAt === MANY) return;
    // A large traversal is over: what it met must not be held.
    this.lookAt = MANY;
    this.objects.length = from;
  }

  private mayGoOn(): boolean {
    this.lookAt *= 2;
    return new Set(this.objects.slice(0, this.count)).size === this.count;
  }
}
