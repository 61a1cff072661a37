import { behavior, defineSystem, recheck, search, send, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
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
  const none = { absent: 0, unexpected: 0, ambiguous: 0, passed: 0, restarts: 0, early: false };
  // The delivery of the input is one of the events.
  expect(sampled.byReplay).toEqual([
    { outcome: 'reproduced', ...none, matched: 4 },
    { outcome: 'reproduced', ...none, matched: 3, absent: 1 },
    { outcome: 'reproduced', ...none, matched: 4, unexpected: 2 },
    { outcome: 'not reproduced', ...none, matched: 2, absent: 2 },
    { outcome: 'reproduced', ...none, matched: 4 },
  ]);
  expect(sampled.reproduced).toBe(sampled.byReplay.filter(({ outcome }) => outcome === 'reproduced').length);
});
