import { act, behavior, crash, defineSystem, minimize, restart, search, send, type System } from 'culprit';
import type { External, Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

/** How the externals of a system are minimized in which events appear by themselves. */

const typeOf = (message: unknown): string => (message as { type: string }).type;

/** Says boom some time after a bang. It knows its lives. */
const server = ticking({
  start: (box) => box.observe('lives', box.lives),
  receive(box, message) {
    if (typeOf(message) === 'bang') box.after(10, () => box.send('client', { type: 'boom' }));
  },
});

const client = behavior({
  start: () => ({ got: [] as string[] }),
  receive(state, { type }: { type: string }) {
    state.got.push(type);
  },
});

const systemOf = (workload: readonly External[], isBad: (got: readonly string[], lives: number) => boolean): System =>
  defineSystem({
    processes: { server, other: server, client },
    pace: { roundMs: 20, quietMs: 100 },
    workload,
    invariants: {
      good(world) {
        const { state, up } = world.process('server');
        const { lives = 1 } = (state ?? {}) as { lives?: number };
        return !isBad(world.process('client').state?.got ?? [], up ? lives : 2);
      },
    },
  });

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 1 });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

/** The externals that are left, without starts. */
const externalsIn = ({ events }: Trace): string[] =>
  events.flatMap((line) => {
    if (line.kind === 'send') return [`${line.to} ${typeOf(line.message)}`];
    return line.kind === 'crash' || line.kind === 'restart' ? [`${line.kind} ${line.process}`] : [];
  });

test('whole types go first, then all externals of a process, then what delta debugging finds', async () => {
  const noise = Array.from({ length: 4 }, () => send('server', { type: 'noise' }));
  const others = ['a', 'b', 'c', 'bang'].map((type) => send('other', { type }));
  const workload = [...noise, ...others, send('server', { type: 'x' }), send('server', { type: 'bang' })];
  const system = systemOf(workload, (got) => got.filter((type) => type === 'boom').length > 1);
  const { trace, stages, certificate } = await minimize(system, await found(system));
  expect(externalsIn(trace)).toEqual(['other bang', 'server bang']);
  expect(certificate).toBe('1-minimal up to the stated error');
  const starts = 3;
  expect(stages.slice(0, 6).map(({ pass, externals }) => [pass, externals - starts])).toEqual([
    ['verify', 10],
    ['control', 10],
    ['externals-by-type', 6],
    ['externals-by-process', 6],
    ['externals-in-rounds', 2],
    ['single-externals', 2],
  ]);
});

test('a process whose externals are not needed goes as a whole', async () => {
  const others = ['a', 'b', 'c', 'd'].map((type) => send('other', { type }));
  const system = systemOf([...others, crash('other'), restart('other'), send('server', { type: 'bang' })], (got) =>
    got.includes('boom'),
  );
  const { trace, stages } = await minimize(system, await found(system));
  expect(externalsIn(trace)).toEqual(['server bang']);
  expect(stages.find(({ pass }) => pass === 'externals-by-process')).toMatchObject({ externals: 3 });
});

test('actions go with the other inputs of the processes that they are about', async () => {
  const poke = (to: string, type: string): External => act('poke', { to, type });
  const system = defineSystem({
    ...systemOf([], (got) => got.includes('boom')).define({}),
    actions: { poke: (_world, { to, type }: { to: string; type: string }) => [send(to, { type })] },
    workload: [poke('other', 'a'), poke('other', 'b'), send('other', { type: 'c' }), poke('server', 'bang')],
  });
  const { stages } = await minimize(system, await found(system));
  const starts = 3;
  expect(stages.find(({ pass }) => pass === 'externals-by-process')).toMatchObject({ externals: 1 + starts - 1 });
});

test('a recovery is dropped alone if the failure suffices, and a failure only with its recovery', async () => {
  const bang = send('server', { type: 'bang' });
  const crashed = [crash('server'), restart('server')];
  const isOver = systemOf(
    [bang, ...crashed, send('client', { type: 'go' })],
    (got, lives) => lives > 1 && got.join() === 'boom,go',
  );
  const over = await minimize(isOver, await found(isOver));
  expect(externalsIn(over.trace)).toEqual(['server bang', 'crash server', 'client go']);
  const isBack = systemOf([...crashed, bang], (got, lives) => lives > 1 && got.includes('boom'));
  const back = await minimize(isBack, await found(isBack));
  expect(externalsIn(back.trace)).toEqual(['crash server', 'restart server', 'server bang']);
});

test('pairs that the system declares are dropped together, and the second alone', async () => {
  const typed = (external: External): string => (external.kind === 'send' ? typeOf(external.message) : external.kind);
  const nameIf = (type: string) => (external: External) => (typed(external) === type ? 'server' : undefined);
  const pairs = { fails: nameIf('fail'), recovers: nameIf('recover') };
  const types = ['fail', 'recover', 'bang', 'fail', 'recover'];
  const workload = types.map((type) => send('server', { type }));
  const base = systemOf(workload, (got) => got.includes('boom')).define({});
  const { trace, inputs } = await minimize(defineSystem({ ...base, minimize: pairs }), await found(defineSystem(base)));
  expect(externalsIn(trace)).toEqual(['server bang']);
  // The execution ends with the violation, before the second pair.
  expect(inputs?.recorded).toEqual({ inputs: 3, atoms: 2 });
});
