/** So long after it was given, an id may still belong to a process that is being started, which has no environment yet. */
const NEW_MS = 1_000;

/** So many ids are looked at one by one; for more, a list of all processes costs less. */
const FEW = 50;

/** What the machine says about ids. */
interface Machine {
  /** The ids of all processes. */
  all(): readonly number[];
  /** Whether something has the id, a process or a thread. */
  has(id: number): boolean;
}

/** Ids that the kernel gave between two looks. */
interface Given {
  readonly above: number;
  readonly upTo: number;
  readonly seenMs: number;
  /** Those of which it is known whose they are. */
  readonly known: Set<number>;
}

/**
 * Knows which ids the kernel has given lately, to processes and threads. It gives them in order, and begins again with small ones after the
 * largest.
 */
export class NewIds {
  private given: Given[] = [];

  /** `last`: the id that was given last. */
  constructor(private last: number) {}

  /** Whether it is known of all ids whose they are, as of the last look. */
  get areKnown(): boolean {
    return this.given.length === 0;
  }

  /** Examines what has new ids: processes, and a few threads. `examine` says whether it is known now whose the id is. */
  examine(last: number, nowMs: number, machine: Machine, examine: (id: number) => boolean): void {
    this.note(last, nowMs);
    if (this.given.length === 0) return;
    for (const id of this.candidates(machine)) {
      const unknown = this.given.filter(({ above, upTo, known }) => above < id && id <= upTo && !known.has(id));
      if (unknown.length > 0 && examine(id)) for (const { known } of unknown) known.add(id);
    }
    this.given = this.given.filter((given) => unknownIn(given) > 0 && nowMs - given.seenMs <= NEW_MS);
  }

  private candidates(machine: Machine): readonly number[] {
    const count = this.given.reduce((sum, given) => sum + unknownIn(given), 0);
    return count > FEW ? machine.all() : this.given.flatMap(idsIn).filter((id) => machine.has(id));
  }

  /** The kernel has given this id last; 0 if that cannot be known: then any id may be new. */
  private note(last: number, seenMs: number): void {
    const add = (above: number, upTo: number): unknown => this.given.push({ above, upTo, seenMs, known: new Set() });
    if (last === 0) add(0, Infinity);
    else if (last > this.last) add(this.last, last);
    else if (last < this.last) {
      add(this.last, Infinity);
      add(0, last);
    }
    this.last = last;
  }
}

/** The number of ids of which it is not known whose they are. */
const unknownIn = ({ above, upTo, known }: Given): number => upTo - above - known.size;

const idsIn = ({ above, upTo }: Given): number[] => Array.from({ length: upTo - above }, (_, nth) => above + 1 + nth);
