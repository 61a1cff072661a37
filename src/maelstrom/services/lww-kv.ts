import type { Behavior } from '../../kernel/behavior.ts';
import type { Body } from '../protocol/body.ts';
import { apply, isRequest } from './key-value.ts';

/** A value with the time of its write: a Lamport clock, and the number of the replica, for equal times. */
interface Timed {
  readonly value: unknown;
  readonly clock: number;
  readonly replica: number;
}

interface Replica {
  clock: number;
  readonly values: Record<string, Timed>;
}

const REPLICAS = 2;

/**
 * A store in which the last write wins. Each request goes to one of two replicas, and then one replica gets what another has: the
 * random numbers of the process choose both. Updates get lost.
 */
export const lastWriteWinsStore: Behavior<{ replicas: Replica[] }, Body> = {
  start: () => ({ replicas: Array.from({ length: REPLICAS }, () => ({ clock: 0, values: {} })) }),
  receive({ replicas }, request, ctx) {
    if (!isRequest(request)) return;
    const at = ctx.random.below(REPLICAS);
    const replica = replicas[at] as Replica;
    const store = Object.fromEntries(Object.entries(replica.values).map(([key, { value }]) => [key, value]));
    const { reply, write } = apply(store, request);
    if (write !== undefined) {
      replica.clock += 1;
      replica.values[write.key] = { value: write.value, clock: replica.clock, replica: at };
    }
    merge(replicas[ctx.random.below(REPLICAS)] as Replica, replicas[ctx.random.below(REPLICAS)] as Replica);
    ctx.reply(reply);
  },
};

/** The first replica takes over what is newer in the second. */
function merge(into: Replica, from: Replica): void {
  into.clock = Math.max(into.clock, from.clock);
  for (const [key, timed] of Object.entries(from.values)) {
    const own = into.values[key];
    if (own === undefined || isNewer(timed, own)) into.values[key] = { ...timed };
  }
}

const isNewer = (one: Timed, other: Timed): boolean =>
  one.clock === other.clock ? one.replica > other.replica : one.clock > other.clock;
