import { isDeepStrictEqual } from 'node:util';
import { Pause, type ResolvedSystem, type Timing, type Session, type Strategy } from 'culprit/kernel';
import { isInternal, type Event, type External, type Internal } from 'culprit/trace';
import { bareLoop } from '../bare-loop.ts';
import { raftLike } from '../raft-like.ts';
import type { Measured } from '../row.ts';
import { run } from '../run.ts';
import { best, inTurns } from '../timing.ts';
import { WithClients } from '../with-clients.ts';

const EVENTS = 100_000;
const ROUNDS = 9;
const SEED = 3;

/** The cost of the kernel beyond the handlers it calls, on five Raft-like nodes. */
export const overhead = (): Promise<Measured[]> => overheadWith('timers fire any time', 'any');

/** The same with timers that fire in the order of their deadlines. */
export const overheadInVirtualTime = (): Promise<Measured[]> => overheadWith('timers in virtual time', { skewMs: 0 });

async function overheadWith(name: string, timers: Timing): Promise<Measured[]> {
  const system = raftLike(timers);
  const chosen = await noted(system);
  const bare = bareLoop(chosen.events);
  if (!isDeepStrictEqual(bare(), chosen.states)) throw new Error('the bare loop does not do what the kernel did');
  const times = await inTurns(ROUNDS, {
    choosing: () => run(system, new WithClients(system, SEED), EVENTS),
    given: () => run(system, new Given(chosen.places), EVENTS),
    replaying: () => run(system, new Replaying(chosen.steps), EVENTS),
    bare: bare,
  });
  const events = (metric: string, ms: number[]): Measured => ({
    case: name,
    metric,
    value: EVENTS / (best(ms) / 1000),
    unit: 'events/s',
  });
  const asRatio = (metric: string, ms: number[]): Measured => ({
    case: name,
    metric,
    value: best(ms) / best(times.bare),
    unit: 'x bare',
  });
  return [
    events('kernel, random choice', times.choosing),
    events('kernel, given schedule', times.given),
    events('kernel, replay by identity', times.replaying),
    events('bare handlers', times.bare),
    { case: name, metric: 'bare handlers', value: (best(times.bare) * 1e6) / EVENTS, unit: 'ns/event' },
    { case: name, metric: 'kernel, given schedule', value: (best(times.given) * 1e6) / EVENTS, unit: 'ns/event' },
    asRatio('kernel, random choice', times.choosing),
    asRatio('kernel, given schedule', times.given),
    asRatio('kernel, replay by identity', times.replaying),
  ];
}

interface Noted {
  readonly events: readonly Event[];
  /** The chosen events. */
  readonly steps: readonly (Internal | External)[];
  /** The same, with the index among the enabled events instead of an internal event. */
  readonly places: readonly (External | number)[];
  readonly states: readonly unknown[];
}

/** One execution, with everything needed to repeat it. */
async function noted(system: ResolvedSystem): Promise<Noted> {
  const steps: (Internal | External)[] = [];
  const places: (External | number)[] = [];
  const inner = new WithClients(system, SEED);
  const noting: Strategy = {
    next(session) {
      const event = inner.next(session);
      if (event === undefined || event instanceof Pause) return undefined;
      steps.push(event);
      places.push(isInternal(event) ? session.enabled.indexOf(event) : event);
      return event;
    },
  };
  const session = await run(system, noting, EVENTS);
  const states = session.world.up().map(({ state }) => structuredClone(state));
  return { events: session.recording.events.since(0), steps, places, states };
}

/** Makes no choice: the index of the next event among the enabled ones is known. */
class Given implements Strategy {
  private at = 0;
  constructor(private readonly places: readonly (External | number)[]) {}

  next(session: Session): Internal | External | undefined {
    const place = this.places[this.at++];
    return typeof place === 'number' ? session.enabled[place] : place;
  }
}

/** Finds each event of an earlier execution by its identity. */
class Replaying implements Strategy {
  private at = 0;
  constructor(private readonly steps: readonly (Internal | External)[]) {}

  next(session: Session): Internal | External | undefined {
    const step = this.steps[this.at++];
    return step !== undefined && isInternal(step) ? session.find(step) : step;
  }
}
