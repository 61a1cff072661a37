import type { AnyBehavior, Behavior } from '../../kernel/behavior.ts';
import { FIRST, numberOf, type RecordedController } from './recorded-messages.ts';

interface MockState {
  /** By switch: the numbers of the connections that it has opened. */
  readonly connections: Record<string, number[]>;
}

/**
 * Says what a controller said in a recording, and nothing else (OFRewind). With the hello of a switch, all messages of that connection are on
 * their way: the schedule decides when each arrives. What the mock gets has no effect.
 */
export function mockController(recorded: RecordedController): AnyBehavior {
  const behavior: Behavior<MockState, unknown> = {
    start: () => ({ connections: {} }),
    receive({ connections }, message, ctx) {
      const opened = (connections[ctx.from] ??= []);
      const said = recorded[ctx.restarts]?.get(ctx.from);
      const open = (number: number): void => {
        if (opened.includes(number)) return;
        opened.push(number);
        for (const one of said?.get(number) ?? []) ctx.send(ctx.from, one);
      };
      if (said?.has(FIRST) === true) open(FIRST);
      const number = numberOf(message);
      if (!Number.isNaN(number)) open(number);
    },
  };
  return behavior;
}

/** How long a round of the mock clock lasts, in milliseconds of virtual time. */
const ROUND_MS = 100;

/** Lets time pass, which switches need to notice that entries have expired, and invariants to see what lasts. */
export const mockClock: Behavior<Record<string, never>, unknown> = {
  start(ctx) {
    ctx.repeatTimer('round', ROUND_MS);
    return {};
  },
  receive() {},
};
