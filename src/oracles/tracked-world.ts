import type { ClientOperation } from '../kernel/client-history.ts';
import { boundUp } from '../kernel/bound-world.ts';
import type { World } from '../kernel/world.ts';

/** Reads that concern how a world came about, and not what can happen in it. */
export interface ReadSet {
  /** The number of events so far. */
  length: boolean;
  /** The pending events, with their times and identities. */
  pending: boolean;
  /** The time on a clock. */
  clock: boolean;
  /** The last event. */
  last: boolean;
}

/** The initial value: no reads. */
export const emptyReadSet = (): ReadSet => ({ length: false, pending: false, clock: false, last: false });

/** Whether two sets of reads are equal. */
export const sameReadSet = (one: ReadSet, other: ReadSet): boolean =>
  one.length === other.length && one.pending === other.pending && one.clock === other.clock && one.last === other.last;

/** A view of the world that records which parts are read. */
export class TrackedWorld implements World {
  readonly process: World['process'];
  readonly up: World['up'];

  constructor(
    private readonly world: World,
    private readonly looks: ReadSet,
  ) {
    this.process = (name) => world.process(name);
    this.up = boundUp(world);
  }

  get length(): number {
    this.looks.length = true;
    return this.world.length;
  }

  get pending(): World['pending'] {
    this.looks.pending = true;
    return this.world.pending;
  }

  get heldBack(): World['heldBack'] {
    return this.world.heldBack;
  }

  get delayed(): World['delayed'] {
    return this.world.delayed;
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
