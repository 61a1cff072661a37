import {
  act,
  behavior,
  crash,
  defineSystem,
  hunt,
  minimize,
  recheck,
  restart,
  search,
  send,
  type System,
} from 'culprit';
import { NotReady, type AnyBehavior } from 'culprit/kernel';
import type { External, Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking, tickingHost, type Program } from '../twins/ticking.ts';

/** Executions without faults and without inputs come first: what is violated there is not put down to a fault. */

const client = behavior<{ got: string[] }, { type: string }>({
  start: () => ({ got: [] }),
  receive(state, { type }) {
    state.got.push(type);
  },
});

const systemOf = (server: AnyBehavior, isBad: (got: readonly string[]) => boolean): System =>
  defineSystem({
    processes: { server, client },
    pace: { roundMs: 20, quietMs: 100 },
    faults: { crashes: 1, restarts: 1 },
    workload: [
      send('server', { type: 'a' }),
      crash('server'),
      restart('server'),
      send('server', { type: 'b' }),
      send('server', { type: 'c' }),
    ],
    invariants: { good: (world) => !isBad(world.process('client').state?.got ?? []) },
  });

/** Echoes, and says hello by itself. */
const program: Program = {
  start: (box) => box.after(50, () => box.send('client', { type: 'hello' })),
  receive: (box, message) => box.after(5, () => box.send('client', message)),
};

const inputsIn = ({ events }: Trace): string[] =>
  events.flatMap(({ kind }) => (['send', 'crash', 'restart'].includes(kind) ? [kind] : []));

test('a violation that needs no input is found in a control execution, and its minimal sequence has no input', async () => {
  const system = systemOf(ticking(program), (got) => got.includes('hello'));
  const { findings, executions, control } = await search(system);
  expect(findings).toMatchObject([{ without: 'no input' }]);
  expect({ executions, control }).toEqual({ executions: 0, control: { executions: 1, violated: 1, unknown: 0 } });
  const later = await search(system, { control: false });
  const { trace, controls } = await minimize(system, later.findings[0]?.trace as Trace);
  expect(inputsIn(trace)).toEqual([]);
  expect(controls?.[0]).toMatchObject({ without: 'input', unknown: 0 });
  expect(controls?.[0]?.reproduced).toBe(controls?.[0]?.replays);
});

test('a violation that needs no fault is found in a control execution, and minimizing drops the faults first', async () => {
  const system = systemOf(ticking(program), (got) => got.includes('c'));
  const { findings } = await search(system);
  expect(findings).toMatchObject([{ without: 'no fault' }]);
  const later = await search(system, { control: false });
  const found = later.findings[0]?.trace as Trace;
  expect(inputsIn(found)).toContain('crash');
  const { trace, controls, stages } = await minimize(system, found);
  expect(inputsIn(trace)).toEqual(['send']);
  expect(controls).toMatchObject([
    { without: 'input', reproduced: 0 },
    { without: 'fault', unknown: 0 },
  ]);
  const [verified, controlled] = stages;
  expect([verified?.pass, controlled?.pass]).toEqual(['verify', 'control']);
  expect((controlled?.externals ?? 0) < (verified?.externals ?? 0)).toBe(true);
});

test('a violation that needs a fault is found by a seed, and the controls say so', async () => {
  const twice = systemOf(ticking(program), (got) => got.filter((type) => type === 'hello').length > 1);
  const { findings, control } = await search(twice);
  expect(findings[0]?.without).toBeUndefined();
  expect(control).toEqual({ executions: 3, violated: 0, unknown: 0 });
  const { controls, reproduction } = await minimize(twice, findings[0]?.trace as Trace);
  expect(controls).toMatchObject([
    { without: 'input', reproduced: 0 },
    { without: 'fault', reproduced: 0 },
  ]);
  expect(reproduction).toMatchObject({ rate: 1, replays: 20 });
  expect(reproduction.interval?.map((bound) => Math.round(bound * 100))).toEqual([83, 100]);
});

/** Faults that are sends or actions of the system's own, beside one that a kind tells. */
const withOwnFaults = (isBad: (got: readonly string[]) => boolean): System => {
  const isSend = (external: External, type: string): boolean =>
    external.kind === 'send' && (external.message as { type: string }).type === type;
  return defineSystem({
    processes: { server: ticking(program), client },
    pace: { roundMs: 20, quietMs: 100 },
    faults: { crashes: 1 },
    actions: {
      reboot: () => [crash('server'), restart('server')],
      maintain: () => [act('reboot')],
      ask: () => [send('server', { type: 'asked' })],
    },
    minimize: {
      fails: (external) => (isSend(external, 'break') ? 'server' : undefined),
      recovers: (external) => (isSend(external, 'repair') ? 'server' : undefined),
    },
    workload: [
      send('server', { type: 'a' }),
      send('server', { type: 'break' }),
      send('server', { type: 'repair' }),
      act('maintain'),
      act('ask'),
    ],
    invariants: { good: (world) => !isBad(world.process('client').state?.got ?? []) },
  });
};

test.each([
  ['a send that the system calls a failure', ['break']],
  ['a send that the system calls a recovery', ['repair']],
  ['a fault that an action of an action brings about', ['hello', 'hello']],
])('controls have no faults: %s', async (_name, bad) => {
  const system = withOwnFaults((got) => got.filter((type) => bad.includes(type)).length >= bad.length);
  const { findings, control } = await search(system);
  expect([findings[0]?.without, control]).toEqual([undefined, { executions: 3, violated: 0, unknown: 0 }]);
  const found = findings[0]?.trace as Trace;
  expect((await minimize(system, found)).controls).toMatchObject([
    { without: 'input', reproduced: 0 },
    { without: 'fault', reproduced: 0 },
  ]);
  expect(await recheck(system, found, { replays: 3 })).toMatchObject({ reproduced: 3, control: { reproduced: 0 } });
});

test('controls keep an action that brings no fault about', async () => {
  const { findings } = await search(withOwnFaults((got) => got.includes('asked')));
  expect(findings).toMatchObject([{ without: 'no fault' }]);
});

/** Does not get ready, at once or after a while. */
const unready = (isSlow: boolean): AnyBehavior => ({
  ...ticking(program),
  host: tickingHost,
  start(ctx) {
    const error = new NotReady(ctx.self, 'its port does not accept.', 'Wait longer.');
    if (!isSlow) throw error;
    return Promise.resolve().then(() => {
      throw error;
    });
  },
});

test.each([true, false])(
  'a system that does not get ready is unknown, and the hunt ends soon (slow: %s)',
  async (isSlow) => {
    const system = systemOf(unready(isSlow), (got) => got.length > 0);
    const report = await search(system, { executions: 1_000 });
    expect(report).toMatchObject({ findings: [], control: { executions: 3, unknown: 3 }, executions: 2, unknown: 2 });
    expect(report.whyUnknown).toBe('server did not get ready: its port does not accept.');
    await expect(hunt(system, { executions: 10, directory: 'none' })).rejects.toMatchObject({
      code: 'NOT_READY',
      next: 'Wait longer.',
    });
  },
);

test('replays of a system that does not get ready are unknown, and nothing is minimized', async () => {
  const isBad = (got: readonly string[]): boolean => got.includes('c');
  const { findings } = await search(systemOf(ticking(program), isBad));
  const trace = findings[0]?.trace as Trace;
  const broken = systemOf(unready(true), isBad);
  expect(await recheck(broken, trace, { replays: 4 })).toMatchObject({ reproduced: 0, unknown: 4, interval: [0, 1] });
  await expect(minimize(broken, trace)).rejects.toMatchObject({ code: 'NEVER_AGAIN' });
});
