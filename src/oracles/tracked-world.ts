import type { ClientOperation } from '../kernel/client-history.ts';
import type { World } from '../kernel/world.ts';

/** What was looked at that says how a world came about, and not what can happen in it. */
export interface ReadSet {
  /** How many events there have been. */
  length: boolean;
  /** What is pending, with its times and identities. */
  pending: boolean;
  /** What a clock shows. */
  clock: boolean;
  /** The event that happened last. */
  last: boolean;
}

/** As long as nobody has looked. */
export const emptyReadSet = (): ReadSet => ({ length: false, pending: false, clock: false, last: false });

/** Whether the same was looked at. */
export const sameReadSet = (one: ReadSet, other: ReadSet): boolean =>
  one.length === other.length && one.pending === other.pending && one.clock === other.clock && one.last === other.last;

/** The world as it is, which takes note of what is looked at. */
export class TrackedWorld implements World {
  readonly process: World['process'];
  readonly up: World['up'];

  constructor(
    private readonly world: World,
    private readonly looks: ReadSet,
  ) {
    this.process = world.process.bind(world);
    this.up = world.up.bind(world);
  }

  get length(): number {
    this.looks.length = true;
    return this.world.length;
  }

  get pending(): World['pending'] {
    this.looks.pending = true;
    return this.world.pending;
  }

  get cutLinks(): World['cutLinks'] {
    return this.world.cutLinks;
  }

  get last(): World['last'] {
    this.looks.last = true;
    return this.world.last;
  }

  get failure(): World['failure'] {
    return this.world.failure;
  }

  operations(events?: number): readonly ClientOperation[] {
    if (events !== undefined) this.looks.length = true;
    return this.world.operations(events);
  }
}
