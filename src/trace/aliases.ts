/**
 * The objects that a traversal meets. Plain data is a tree nearly always, so traversals walk it as one and only list what they
 * meet; one that met an object twice walks again, by identity. A Map of identities from the start would cost some 25 ns an object.
 *
 * There is one list for all, as traversals are never under way side by side. They may nest, because a getter is code: each
 * begins where the list ends, and gives back what it took.
 */
const met: (object | undefined)[] = [];
let count = 0;

/** Up to so many objects, comparing each with each is faster than a Set. */
const FEW = 40;

/** So many objects are met before a traversal looks for repeats for the first time: shared parts multiply on the way. */
const MANY = 4_096;
let lookAt = MANY;

/** A traversal begins; gives what `endTraversal` and `metTwice` want to be told. */
export function beginTraversal(root: object): number {
  met[count] = root;
  return count++;
}

/** The traversal has come to an object; false where it must not go on, because it may walk in circles. */
export function meet(object: object): boolean {
  met[count++] = object;
  return count < lookAt || mayGoOn();
}

/** Whether the traversal that began there has met an object twice. */
export function metTwice(from: number): boolean {
  if (count - from > FEW) return new Set(met.slice(from, count)).size < count - from;
  for (let at = from + 1; at < count; at++) {
    const object = met[at];
    for (let before = from; before < at; before++) if (met[before] === object) return true;
  }
  return false;
}

export function endTraversal(from: number): void {
  count = from;
  if (lookAt === MANY) return;
  // A large traversal is over: what it met must not be held.
  lookAt = MANY;
  met.length = from;
}

function mayGoOn(): boolean {
  lookAt *= 2;
  return new Set(met.slice(0, count)).size === count;
}
