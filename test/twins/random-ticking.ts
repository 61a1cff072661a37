import { behavior, crash, cut, defineSystem, heal, restart, send, start, type System } from 'culprit';
import {
  targetOf,
  driveInTurns,
  execution,
  Pause,
  Random,
  resolveSystem,
  type AnyBehavior,
  type Strategy,
} from 'culprit/kernel';
import { hex, type Event, type External } from 'culprit/trace';
import { ticking } from './ticking.ts';

interface Talk {
  readonly hops: number;
  readonly word: number;
}

/** Passes a message on until it has no hops left, to a process that the message itself says. */
const passedOn = (names: readonly string[], { hops, word }: Talk): [to: string, message: Talk][] =>
  hops <= 0 ? [] : [[names[word % names.length] as string, { hops: hops - 1, word: (word * 7 + 3) % 11 }]];

/**
 * A random system of black boxes and actors that pass messages on, with a workload of sends, cuts and crashes. The boxes answer
 * after a while that the message decides, so that executions with equal inputs are equal.
 */
export function randomTicking(seed: number): { readonly system: System; readonly workload: readonly External[] } {
  const random = Random.seeded(seed, 0x7469_636b);
  const boxes = Array.from({ length: 1 + random.below(2) }, (_, at) => `box${at + 1}`);
  const actorNames = Array.from({ length: 1 + random.below(3) }, (_, at) => `actor${at + 1}`);
  const names = [...boxes, ...actorNames];
  const box = ticking({
    start: (self) => self.after(35, () => self.send(names[0] as string, { hops: 1, word: 2 })),
    receive(self, message) {
      const talk = message as Talk;
      for (const [to, next] of passedOn(names, talk)) self.after(1 + (talk.word % 5) * 8, () => self.send(to, next));
      if (talk.hops === 0) self.observe('last', talk.word);
    },
  });
  const actor = behavior<{ got: number }, Talk>({
    start: () => ({ got: 0 }),
    receive(state, message, ctx) {
      state.got += 1;
      for (const [to, next] of passedOn(names, message)) ctx.send(to, next);
    },
  });
  const processes: Record<string, AnyBehavior> = {};
  for (const name of boxes) processes[name] = box;
  for (const name of actorNames) processes[name] = actor;
  const workload = Array.from({ length: 3 + random.below(8) }, () => randomExternal(random, names)).flat();
  const system = defineSystem({ processes, pace: { roundMs: 20, quietMs: 100 }, workload, invariants: {} });
  return { system, workload };
}

/** A fault comes with its recovery. */
function randomExternal(random: Random, names: readonly string[]): External[] {
  const one = random.pick(names);
  const other = random.pick(names);
  const talk = send(one, { hops: random.below(5), word: random.below(11) });
  if (random.below(5) === 0) return [crash(one), restart(one)];
  if (random.below(5) === 0 && one !== other) return [cut([one], [other]), talk, heal([one], [other])];
  return [talk];
}

/** How far apart the externals of a workload happen. */
const APART_MS = 20;

/** Performs each external at its time, and all else in the order in which it appeared. One that is left out shifts no other. */
function timed(workload: readonly (External | undefined)[]): Strategy {
  let at = 0;
  return {
    next(session) {
      const [first] = session.enabled;
      if (first !== undefined) return first;
      for (; at < workload.length && session.nowMs >= at * APART_MS;) {
        const external = workload[at++];
        if (external !== undefined && session.refusal(external) === undefined) return external;
      }
      const untilMs = at < workload.length ? at * APART_MS : workload.length * APART_MS + 500;
      return session.nowMs < untilMs ? new Pause({ ms: untilMs - session.nowMs }) : undefined;
    },
  };
}

export interface Executed {
  readonly events: readonly Event[];
  readonly name: string;
}

/** Executes the workload after the starts, one external after the other, without those at these places. */
export async function executedInTime(
  system: System,
  workload: readonly External[],
  without: readonly number[] = [],
): Promise<Executed> {
  const resolved = resolveSystem(system);
  const starts = [...resolved.declaration.processes.keys()].map((name) => start(name));
  const kept = workload.map((external, at) => (without.includes(at) ? undefined : external));
  const session = targetOf(resolved).open(1);
  const oracle = { judge: () => ({ kind: 'holds' }) as const };
  try {
    const strategy = timed([...starts, ...kept]);
    await driveInTurns(execution(session, { strategy, oracle, eventsMax: 2000 }));
    return { events: session.recording.events.since(0), name: hex(session.name()) };
  } finally {
    await session.close();
  }
}
