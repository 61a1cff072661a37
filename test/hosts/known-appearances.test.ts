import { behavior, cut, defineSystem, heal, recheck, search, send, type System } from 'culprit';
import type { AnyBehavior, WorkloadItem } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking, type Program } from '../twins/ticking.ts';

/**
 * Events that appeared in the recording when they do in a replay, and did not happen then. In replays the server says hello 3 ms later than
 * in the recording, so that the inputs that follow come 3 ms later, too; what else is due comes in time.
 */

/** The first input comes when a round is over after the last start, which is the second event. */
const INPUT_MS = 20.125;

/** Says hello at 10 ms, and the rest when the first input comes. */
const server = (...rest: readonly string[]): Program => {
  let sessions = 0;
  return {
    start(box) {
      sessions += 1;
      box.after(sessions === 1 ? 10 : 13, () => box.send('client', 'hello'));
      for (const word of rest) box.after(INPUT_MS, () => box.send('client', word, { lane: word }));
    },
  };
};

/** Notes what it gets, and when a timer fires; `stop` cancels the timer. */
const clientWithTimer = (afterMs: number): AnyBehavior =>
  behavior({
    start(ctx) {
      ctx.setTimer('t', afterMs);
      return { got: [] as string[] };
    },
    receive(state, word: string, ctx) {
      if (word === 'stop') ctx.cancelTimer('t');
      state.got.push(word);
    },
    timer: (state, timer) => void state.got.push(timer),
  });

const NEVER_MS = 1e6;

/** Violated as soon as the client has got these, in this order. */
const systemOf = (
  said: readonly string[],
  client: AnyBehavior,
  bad: string,
  workload: readonly WorkloadItem[] = [send('client', 'stop')],
): System =>
  defineSystem({
    processes: { server: ticking(server(...said)), client },
    pace: { roundMs: 20, quietMs: 200 },
    workload,
    invariants: {
      good: (world) => (world.process('client').state as { got: string[] } | undefined)?.got.join(' ') !== bad,
    },
  });

/** The first session is the recording: seeds are tried with a new system each. */
async function foundBy(make: () => System): Promise<{ system: System; trace: Trace }> {
  for (let seed = 1; seed <= 100; seed++) {
    const system = make();
    const { findings } = await search(system, { executions: 1, seed, control: false });
    if (findings[0] !== undefined) return { system, trace: findings[0].trace };
  }
  throw new Error('no seed leads to the violation');
}

const inAllReplays = { reproduced: 3, unknown: 0, waiting: { restarts: 0, early: 0 } };

test('a message that was pending at the end does not happen before the last input', async () => {
  const { system, trace } = await foundBy(() => systemOf(['late'], clientWithTimer(NEVER_MS), 'hello stop'));
  expect(trace.pending.map((line) => 'message' in line && line.message)).toContain('late');
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject(inAllReplays);
});

test('a message that was dropped when its link was cut does not happen before', async () => {
  const workload = [cut(['server'], ['client']), send('client', 'stop')];
  const { system, trace } = await foundBy(() => {
    const dropping = systemOf(['late'], clientWithTimer(NEVER_MS), 'hello stop', workload);
    return defineSystem({ ...dropping.define({}), transport: { onCut: 'drop' } });
  });
  expect(trace.events.flatMap(({ dropped = [] }) => dropped.map(({ message }) => message))).toEqual(['late']);
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject(inAllReplays);
});

test('a timer that was canceled does not fire before, though it is due', async () => {
  const { system, trace } = await foundBy(() => systemOf([], clientWithTimer(20), 'hello stop'));
  expect(trace.pending).toEqual([]);
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject(inAllReplays);
});

test('a message that waited while an input was injected does not depend on the input: the replay need not start over', async () => {
  const { system, trace } = await foundBy(() => systemOf(['late'], clientWithTimer(NEVER_MS), 'hello stop late'));
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject(inAllReplays);
});

test('a message that was sent over a cut link arrives in replays without the cut: the violation needs the cut', async () => {
  const answering: Program = { start: () => undefined, receive: (box) => box.send('client', 'answer') };
  const system = defineSystem({
    processes: { server: ticking(answering), client: clientWithTimer(NEVER_MS) },
    pace: { roundMs: 20, quietMs: 200 },
    transport: { onCut: 'drop' },
    workload: [cut(['server'], ['client']), send('server', 'ask'), send('client', 'check')],
    invariants: {
      good: (world) => (world.process('client').state as { got: string[] } | undefined)?.got.join(' ') !== 'check',
    },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  const trace = findings[0]?.trace as Trace;
  expect(trace.events.flatMap(({ dropped = [] }) => dropped.map(({ message }) => message))).toEqual(['answer']);
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject({
    ...inAllReplays,
    control: { replays: 3, reproduced: 0, unknown: 0 },
  });
});

test('a message that was given up and comes late happens at once, also where new messages are held', async () => {
  let sessions = 0;
  const late: Program = {
    start(box) {
      sessions += 1;
      box.after(sessions === 1 ? 10 : 3_000, () => box.send('client', 'hello'));
    },
  };
  const system = defineSystem({
    processes: { server: ticking(late), client: clientWithTimer(NEVER_MS) },
    pace: { roundMs: 20, quietMs: 5_000 },
    waiting: { unexpected: 'hold' },
    workload: [send('client', 'stop')],
    invariants: {
      good: (world) => (world.process('client').state as { got: string[] } | undefined)?.got.length !== 2,
    },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  const trace = findings[0]?.trace as Trace;
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject({ reproduced: 3 });
});

test('without a cut, what it dropped looks like the answer to a later input: a control need not start over', async () => {
  const answering: Program = { start: () => undefined, receive: (box) => box.send('client', 'answer') };
  const system = defineSystem({
    processes: { server: ticking(answering), client: clientWithTimer(NEVER_MS) },
    pace: { roundMs: 20, quietMs: 200 },
    transport: { onCut: 'drop' },
    workload: [
      cut(['server'], ['client']),
      send('server', 'ask'),
      heal(),
      send('server', 'ask'),
      send('client', 'check'),
    ],
    invariants: {
      good: (world) =>
        (world.process('client').state as { got: string[] } | undefined)?.got.join(' ') !== 'answer check',
    },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  const trace = findings[0]?.trace as Trace;
  expect(await recheck(system, trace, { replays: 3 })).toMatchObject({
    ...inAllReplays,
    control: { replays: 3, reproduced: 0, unknown: 0 },
  });
});
