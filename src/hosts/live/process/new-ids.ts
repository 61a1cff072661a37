/** So long after it was given, an id may still belong to a process that is being started, which has no environment yet. */
const NEW_MS = 1_000;

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

  /** Examines the processes of the machine whose ids are new. `examine` says whether it is known now whose the process is. */
  examine(last: number, nowMs: number, all: () => readonly number[], examine: (pid: number) => boolean): void {
    this.note(last, nowMs);
    if (this.given.length === 0) return;
    for (const pid of all()) {
      const unknown = this.given.filter(({ above, upTo, known }) => above < pid && pid <= upTo && !known.has(pid));
      if (unknown.length > 0 && examine(pid)) for (const { known } of unknown) known.add(pid);
    }
    this.given = this.given.filter(({ seenMs }) => nowMs - seenMs <= NEW_MS);
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
