import type { Strategy } from '../kernel/ports.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import { TooLate, type WaitingOptions } from '../schedule/replay/waiting.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import { writeDown, type Origin } from './record.ts';

/** How often a replay starts over because an external came too late; after that, the replay continues with the late external. */
const RESTARTS = 2;

/** How much longer than in the recording an event is awaited. */
const EPSILON_MS = 100;

/** How replays of a system wait; undefined where nothing happens by itself. */
export const waitingIn = ({ pace }: ResolvedSystem, recording: readonly Event[]): WaitingOptions | undefined =>
  pace && {
    epsilonMs: EPSILON_MS,
    unexpected: 'pass',
    quietMs: pace.quietMs,
    recording,
    absent: new Set(),
    restarts: RESTARTS,
  };

/** Calls a replay again when an external came too late in it, with the events that did not appear so far. */
export async function restarting<T>(
  waiting: WaitingOptions | undefined,
  replay: (waiting: WaitingOptions | undefined) => Promise<T>,
): Promise<T> {
  for (let now = waiting; ;) {
    try {
      return await replay(now);
    } catch (error) {
      if (!(error instanceof TooLate) || now === undefined) throw error;
      now = { ...now, absent: error.absent, restarts: now.restarts - 1 };
    }
  }
}

/** Replays events with waiting, and records what happens. */
export const recordWaiting = (origin: Origin, events: readonly Event[]): Promise<Trace> =>
  restarting(waitingIn(origin.system, events), (waiting) => {
    const matcher = new Matcher(origin.system.hints.contentOf);
    const targets = unknownTargets(events);
    const options = { matcher, likeness: 'content', absent: 'unblock', choices: undefined, targets } as const;
    const strategy = (): Strategy =>
      new LenientReplay(events, waiting === undefined ? options : { ...options, waiting });
    return writeDown(origin, strategy, Number.POSITIVE_INFINITY);
  });
