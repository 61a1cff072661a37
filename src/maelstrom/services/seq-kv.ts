import type { Behavior } from '../../kernel/behavior.ts';
import type { Body } from '../protocol/body.ts';
import { apply, isRead, isRequest, type Store } from './key-value.ts';

interface SequentialState {
  /** The last states of the store, the newest at the end. */
  readonly states: Store[];
  /** The number of the first of them. */
  first: number;
  /** The newest state that each client has seen, by number. */
  readonly seen: Record<string, number>;
}

const STATES_KEPT = 32;

/**
 * A store that is sequentially consistent, and not linearizable: a read may use any past state that is not older than what this
 * client has seen; the random numbers of the process choose it. Other requests use the newest.
 */
export const sequentialStore: Behavior<SequentialState, Body> = {
  start: () => ({ states: [{}], first: 0, seen: {} }),
  receive(state, request, ctx) {
    if (!isRequest(request)) return;
    const newest = state.first + state.states.length - 1;
    const oldest = Math.max(state.first, state.seen[ctx.from] ?? 0);
    const used = isRead(request) ? oldest + ctx.random.below(newest - oldest + 1) : newest;
    const store = state.states[used - state.first] as Store;
    const { reply, write } = apply(store, request);
    state.seen[ctx.from] = used;
    if (write !== undefined) {
      state.states.push({ ...store, [write.key]: write.value });
      state.seen[ctx.from] = newest + 1;
      if (state.states.length > STATES_KEPT) {
        state.states.shift();
        state.first += 1;
      }
    }
    ctx.reply(reply);
  },
};
