import type { Owner, Process } from '../process.ts';

/** Up to so many processes are looked through, even if most of them have nothing pending. */
const LOOKED_THROUGH = 64;

/** Of most worlds: shared until a place is added. */
const NOWHERE: ReadonlySet<number> = new Set();

/**
 * The places of the processes with pending timers or operations, and of some that had some before. So the time to look through
 * them depends on the pending ones, and not on the number of processes. Forks share this object.
 */
export class WaitingPlaces {
  private sorted: readonly number[] | undefined;

  private constructor(
    /** The world that may change this object. Any other must copy it first. */
    readonly owner: Owner,
    private places: ReadonlySet<number>,
  ) {}

  static none(owner: Owner): WaitingPlaces {
    return new WaitingPlaces(owner, NOWHERE);
  }

  copyFor(owner: Owner): WaitingPlaces {
    return new WaitingPlaces(owner, new Set(this.places));
  }

  has(at: number): boolean {
    return this.places.has(at);
  }

  add(at: number): void {
    this.own().add(at);
    this.sorted = undefined;
  }

  /** Whether the list is so long that idle processes should be removed from it, which changes this object. */
  get isLong(): boolean {
    return this.places.size > LOOKED_THROUGH;
  }

  leaveOutIdle(processes: readonly Process[]): void {
    for (const at of this.places) {
      const { timers, operations } = processes[at] as Process;
      if (timers.length > 0 || operations.length > 0) continue;
      this.own().delete(at);
      this.sorted = undefined;
    }
  }

  private own(): Set<number> {
    if (this.places === NOWHERE) this.places = new Set();
    return this.places as Set<number>;
  }

  /** In the order in which the processes joined. */
  get inOrder(): readonly number[] {
    this.sorted ??= [...this.places].sort((one, other) => one - other);
    return this.sorted;
  }
}
