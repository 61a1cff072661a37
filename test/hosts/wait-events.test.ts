import { behavior, defineSystem, minimize, recheck, search, send, until, untilDeliveries, untilQuiet } from 'culprit';
import type { System } from 'culprit';
import type { Wait, World } from 'culprit/kernel';
import { storyLines } from 'culprit/report';
import { readTrace, writeTrace, type EventLine, type External, type Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

/** Is promoted some time after it was asked to, which no message tells, and stores nothing before that. */
const replica = (promotionMs: number) =>
  ticking({
    receive(box, message) {
      if (message === 'promote') box.after(promotionMs, () => box.observe('promoted', true));
      if (message === 'write' && box.seen['promoted'] === true) box.send('client', 'stored');
    },
    view: ({ seen }) => ({ promoted: seen['promoted'] === true }),
  });

const client = behavior<{ stored: number }, string>({
  start: () => ({ stored: 0 }),
  receive: (state) => void (state.stored += 1),
});

const isPromoted = (world: World): boolean =>
  (world.process('replica').state as { promoted: boolean } | undefined)?.promoted === true;

const promoted = until(isPromoted, { name: 'the replica is promoted', withinMs: 5_000 });
const never = until(() => false, { withinMs: 2_000 });

const tell = (message: string): External => send('replica', message);

const systemOf = (workload: readonly (External | Wait)[], promotionMs = 700): System =>
  defineSystem({
    processes: { replica: replica(promotionMs), client },
    pace: { roundMs: 10, quietMs: 50 },
    workload,
    invariants: { nothingIsStored: (world) => world.process('client').state?.stored !== 1 },
  });

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 1, control: false });
  return (findings[0] as { trace: Trace }).trace;
}

const waitsIn = ({ events }: Pick<Trace, 'events'>): (EventLine & { kind: 'wait' })[] =>
  events.filter((event): event is EventLine & { kind: 'wait' } => event.kind === 'wait');

const storyOf = ({ events }: Trace): string[] =>
  storyLines(events).flatMap((line) => /environment +waits .*? s\)/.exec(line)?.[0] ?? []);

test('a wait that is over is an event with its condition, its bound, and the time that it took', async () => {
  const trace = await found(systemOf([tell('promote'), promoted, tell('write')]));
  const [wait] = waitsIn(trace);
  expect(wait).toMatchObject({
    process: 'environment',
    condition: 'the replica is promoted',
    withinMs: 5_000,
    met: true,
  });
  expect(wait?.tookMs).toBeGreaterThan(600);
  expect(wait?.tookMs).toBeLessThan(800);
  expect(storyOf(trace)).toEqual(['environment  waits until the replica is promoted (0.69 s)']);
  expect(readTrace(writeTrace(trace), 'a.trace')).toEqual(trace);
});

test('a wait whose time is over says so, and waits without a name say what they await', async () => {
  const waits = [never, untilQuiet(), tell('promote'), untilDeliveries(1), promoted, tell('write')];
  expect(storyOf(await found(systemOf(waits)))).toEqual([
    'environment  waits in vain until condition 1 of the workload is true (2 s)',
    'environment  waits until the system is quiet (0 s)',
    'environment  waits until 1 more message is delivered (0 s)',
    'environment  waits until the replica is promoted (0.69 s)',
  ]);
});

test('a wait takes no round and disturbs nothing: the rest happens when it would without the event', async () => {
  const trace = await found(systemOf([tell('promote'), untilQuiet(), untilQuiet(), promoted, tell('write')]));
  const [first, second, third] = waitsIn(trace);
  expect(second?.tookMs).toBe(0);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(1);
  const written = trace.events.find((event) => event.kind === 'send' && event.message === 'write');
  expect((written?.atMs ?? 0) - (third?.atMs ?? 0)).toBeLessThan(1);
});

test('minimizing drops the waits that nothing depends on, with their time, and counts none of them as an input', async () => {
  const system = systemOf([never, tell('nothing'), tell('promote'), promoted, untilQuiet(), tell('write')]);
  const trace = await found(system);
  const { trace: minimized, stages } = await minimize(system, trace);
  expect(storyOf(minimized)).toEqual(['environment  waits until the replica is promoted (0.69 s)']);
  // Two processes start, and the replica is promoted and written to.
  expect(stages.at(-1)?.externals).toBe(4);
  expect(minimized.header.minimized?.externals).toBe(5);
  expect(trace.events.at(-1)?.atMs).toBeGreaterThan(2_700);
  expect(minimized.events.at(-1)?.atMs).toBeLessThan(1_000);
});

const workload = [tell('promote'), promoted, tell('write')];

test('a replay waits until the condition is true, however long that took in the recording', async () => {
  const trace = await found(systemOf(workload));
  const slower = await recheck(systemOf(workload, 3_000), trace, { replays: 2 });
  expect(slower).toMatchObject({ reproduced: 2 });
});

test('a replay waits for the bound at most, and goes on', async () => {
  const trace = await found(systemOf(workload));
  expect(await recheck(systemOf(workload, 6_000), trace, { replays: 2 })).toMatchObject({ reproduced: 0, replays: 2 });
});

test('a replay of a system that has another condition waits as long as in the recording', async () => {
  const trace = await found(systemOf(workload));
  const other = [tell('promote'), until(isPromoted, { name: 'renamed' }), tell('write')];
  expect(await recheck(systemOf(other), trace, { replays: 2 })).toMatchObject({ reproduced: 2 });
  expect(await recheck(systemOf(other, 3_000), trace, { replays: 2 })).toMatchObject({ reproduced: 0 });
});

test('where nothing happens by itself, a wait is no event', async () => {
  const system = defineSystem({
    processes: { client },
    workload: [send('client', 'a'), untilQuiet(), until((world) => world.length > 2), send('client', 'b')],
    invariants: { few: (world) => world.process('client').state?.stored !== 2 },
  });
  const { findings } = await search(system, { executions: 1 });
  expect(findings[0]?.trace.events.map(({ kind }) => kind)).toEqual(['start', 'send', 'deliver', 'send', 'deliver']);
});
