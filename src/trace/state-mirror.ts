import { changesBetween, NOTHING, type Change } from './change.ts';
import { hex } from './digest.ts';
import { toPortable } from './json-encoding.ts';
import { portableOf, type Part } from './mirrored-part.ts';
import { MirrorLook } from './mirror-look.ts';
import { stateDigest } from './state-digest.ts';

/** What an event left: the digest of the state, and where it differs from the state before. */
export interface StateAfter {
  readonly digest: string;
  readonly changes: Change[];
}

/**
 * The last observed state of a process. Handlers change their state in place, so each look compares all of it; a part that did not
 * change costs one comparison. The mirror is a tree: a state with an object in several places, or other rare data, is
 * compared in its portable form.
 */
export class StateMirror {
  /** Undefined if the last state was no tree: then it is `portable`. */
  private root: Part | undefined;
  private portable: unknown = NOTHING;
  /** By object: the part that had it at the last look. */
  private known = new Map<object, Part>();
  private looks = 0;
  /** What the last look cost: see `MirrorLook`. 0 if there is no state. */
  cost = 0;

  /** Looks at the state after an event; `what` names it in errors. */
  look(state: object, what: string): StateAfter {
    const { root } = this;
    const look = new MirrorLook(this.known, ++this.looks);
    const changes = root && look.compared(root, state);
    this.cost = look.cost;
    return root === undefined || changes === undefined
      ? this.slowly(state, what)
      : { digest: hex(root.digest()), changes };
  }

  /** The process has no state any more. */
  gone(): Change[] {
    const changes = changesBetween(this.before(), NOTHING);
    this.keep(undefined, NOTHING);
    this.cost = 0;
    return changes;
  }

  private slowly(state: object, what: string): StateAfter {
    const before = this.before();
    const after = toPortable(state, what);
    this.known = new Map();
    const look = new MirrorLook(this.known, ++this.looks);
    const root = look.built(state);
    this.cost += SLOW * valuesIn(after);
    this.keep(root, root === undefined ? after : undefined);
    return { digest: hex(root?.digest() ?? stateDigest(after)), changes: changesBetween(before, after) };
  }

  private before(): unknown {
    return this.root === undefined ? this.portable : portableOf(this.root);
  }

  private keep(root: Part | undefined, portable: unknown): void {
    this.root = root;
    this.portable = portable;
    if (root === undefined) this.known = new Map();
  }
}

/** The cost of a value that is made portable and compared, as `MirrorLook` counts. */
const SLOW = 200;

function valuesIn(portable: unknown): number {
  if (typeof portable !== 'object' || portable === null) return 1;
  let count = 1;
  for (const inner of Object.values(portable)) count += valuesIn(inner);
  return count;
}
