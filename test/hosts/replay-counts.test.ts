import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { behavior, defineSystem, minimize, recheck, search, send, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

/** How each replay compares with the recording, in numbers. */

const client = behavior({
  start: () => ({ got: [] as string[] }),
  receive(state, type: string) {
    state.got.push(type);
  },
});

/** After a go, the server says what its script has for the session, at these times. */
function scripted(...sessions: readonly Readonly<Record<string, number>>[]): System {
  let session = -1;
  const server = ticking({
    start: () => void (session += 1),
    receive(box) {
      for (const [type, ms] of Object.entries(sessions[session] ?? {})) box.after(ms, () => box.send('client', type));
    },
  });
  return defineSystem({
    processes: { server, client },
    pace: { roundMs: 20, quietMs: 700 },
    workload: [send('server', 'go')],
    invariants: { noBoom: (world) => !(world.process('client').state?.got ?? []).includes('boom') },
  });
}

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 1, control: false });
  return findings[0]?.trace as Trace;
}

test('a replay says how many events matched, were absent, and are new', async () => {
  const recorded = { one: 10, two: 20, boom: 60 };
  const system = scripted(
    recorded,
    recorded,
    { two: 20, boom: 60 },
    { one: 10, hello: 15, two: 20, bye: 30, boom: 60 },
    { one: 10 },
    // So late that it is given up, and comes all the same.
    { one: 10, two: 20, boom: 600 },
  );
  const sampled = await recheck(system, await found(system), { replays: 5 });
  if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
  const none = { absent: 0, unexpected: 0, ambiguous: 0, passed: 0, restarts: 0, early: false, asRecorded: true };
  // The delivery of the input is one of the events.
  expect(sampled.byReplay).toEqual([
    { outcome: 'reproduced', ...none, matched: 4 },
    { outcome: 'reproduced', ...none, matched: 3, absent: 1, asRecorded: false },
    { outcome: 'reproduced', ...none, matched: 4, unexpected: 2, asRecorded: false },
    { outcome: 'not reproduced', ...none, matched: 2, absent: 2, asRecorded: false },
    { outcome: 'reproduced', ...none, matched: 4 },
  ]);
  expect(sampled.reproduced).toBe(sampled.byReplay.filter(({ outcome }) => outcome === 'reproduced').length);
});

describe('a violation that depends on the inside of a process', () => {
  /** Answers every input alike, and is corrupt in some sessions. Afterward it says so, which no replay counts. */
  const server = ticking({
    receive(box) {
      box.after(5, () => box.send('client', 'answer'));
      box.after(10, () => box.observe('isCorrupt', box.dice.below(2) === 0));
      box.after(40, () => box.send('client', 'afterward'));
    },
  });
  const system = defineSystem({
    processes: { server, client },
    pace: { roundMs: 20, quietMs: 30 },
    workload: [send('server', 'go')],
    invariants: {
      intact(world) {
        const { isCorrupt } = { isCorrupt: false, ...world.process('server').state };
        return !isCorrupt;
      },
    },
  });

  test('happens only sometimes, although every message comes as recorded', async () => {
    const { findings } = await search(system, { executions: 20, control: false });
    const trace = findings[0]?.trace as Trace;
    const sampled = await recheck(system, trace, { replays: 20 });
    if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
    expect(new Set(sampled.byReplay.map(({ outcome }) => outcome)).size).toBe(2);
    expect(sampled.byReplay.every(({ asRecorded }) => asRecorded)).toBe(true);
    const { reproduction } = await minimize(system, trace);
    const { rate, replays, asRecordedInVain } = reproduction;
    expect(rate).toBeLessThan(1);
    expect(asRecordedInVain).toBe(replays - Math.round(rate * replays));
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('memory is given back: 200 replays take no more than 20', async () => {
  const recorded = { one: 10, two: 20, boom: 60 };
  const system = scripted(recorded, ...Array.from({ length: 260 }, () => recorded));
  const trace = await found(system);
  const usedAfter = async (replays: number): Promise<number> => {
    await recheck(system, trace, { replays });
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  await usedAfter(20);
  const before = await usedAfter(20);
  expect((await usedAfter(200)) / before).toBeLessThan(1.1);
});
