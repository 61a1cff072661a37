import { behavior, crash, cut, cutOneWay, defineSystem, heal, healOneWay, restart, stop } from 'culprit';
import type { DeclaredLink, LinkReport, Session } from 'culprit/kernel';
import { resolveSystem, targetOf } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { play } from '../transcript.ts';

const node = behavior<{ heard: string[] }, LinkReport>({
  start: () => ({ heard: [] }),
  receive(state, { peer, lane, isUp }) {
    state.heard.push(`${peer}${lane === undefined ? '' : `:${lane}`} ${isUp ? 'up' : 'down'}`);
  },
});

const between = ['a', 'b'] as const;

async function opened(links: readonly DeclaredLink[], transport = {}): Promise<Session> {
  const system = defineSystem({
    processes: { a: node, b: node, c: node },
    links,
    transport,
    faults: { losses: 9, duplicates: 9 },
  });
  const session = targetOf(resolveSystem(system)).open(1);
  for (const process of ['a', 'b', 'c']) await session.perform({ kind: 'start', process });
  return session;
}

/** Performs externals, each followed by all deliveries, and says what each process heard. */
async function heard(session: Session, ...externals: readonly External[]): Promise<Record<string, string[]>> {
  for (const external of externals) {
    await session.perform(external);
    for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
  }
  const of = (name: string) => (session.world.process(name).state as { heard: string[] } | undefined)?.heard ?? [];
  return { a: of('a'), b: of('b'), c: of('c') };
}

describe('both ends of a link get a report', () => {
  test('when it is cut and when it heals, but not for what changes nothing', async () => {
    const session = await opened([{ between, reports: true }, ['b', 'c'] as never]);
    expect(await heard(session, cut('a', 'b'), cut('a', 'b'), cut('b', 'c'), heal('a', 'b'), heal())).toEqual({
      a: ['b down', 'b up'],
      b: ['a down', 'a up'],
      c: [],
    });
  });

  test('when one direction is cut, and when both work again', async () => {
    const session = await opened([{ between, reports: true }]);
    await heard(session, cutOneWay('a', 'b'), cutOneWay('b', 'a'), healOneWay('a', 'b'));
    expect(await heard(session)).toEqual({ a: ['b down'], b: ['a down'], c: [] });
    expect(await heard(session, healOneWay('b', 'a'))).toMatchObject({ a: ['b down', 'b up'] });
  });

  test('of its lane, which is down while the lane is cut or its link', async () => {
    const session = await opened([
      { between, lane: 'x', reports: true },
      { between, lane: 'y' },
    ]);
    await heard(session, cut('a', 'b', { lane: 'y' }), cut('a', 'b', { lane: 'x' }), cut('a', 'b'));
    expect(await heard(session)).toMatchObject({ a: ['b:x down'] });
    expect(await heard(session, heal('a', 'b', { lane: 'x' }))).toMatchObject({ a: ['b:x down'] });
    expect(await heard(session, heal('a', 'b'))).toMatchObject({
      a: ['b:x down', 'b:x up'],
      b: ['a:x down', 'a:x up'],
    });
  });

  test('when the process at the other end is down, and when it is there again', async () => {
    const session = await opened([
      { between, reports: true },
      { between: ['b', 'c'], reports: true },
    ]);
    expect(await heard(session, crash('b'))).toEqual({ a: ['b down'], b: [], c: ['b down'] });
    // Nothing changes for b, which is down; a link that is cut meanwhile stays down.
    expect(await heard(session, cut('a', 'b'), restart('b'))).toEqual({
      a: ['b down'],
      b: ['a down'],
      c: ['b down', 'b up'],
    });
    expect(await heard(session, stop('c'), heal('a', 'b'))).toEqual({
      a: ['b down', 'b up'],
      b: ['a down', 'c down', 'a up'],
      c: [],
    });
  });

  test('unless only the first end is declared to get them', async () => {
    const session = await opened([{ between, reports: 'first' }]);
    expect(await heard(session, cut('a', 'b'))).toEqual({ a: ['b down'], b: [], c: [] });
  });
});

test('reports on one link are in order, also where the transport is not; those on different links are in any order', async () => {
  const session = await opened(
    [
      { between, reports: true },
      { between: ['a', 'c'], reports: true },
    ],
    { order: 'unordered' },
  );
  for (const external of [cut('a', 'b'), heal('a', 'b'), cut('a', 'c')]) await session.perform(external);
  const toA = session.enabled
    .filter(({ process }) => process === 'a')
    .map((event) => 'message' in event && event.message);
  expect(toA).toEqual([
    { type: 'link', peer: 'b', isUp: false },
    { type: 'link', peer: 'c', isUp: false },
  ]);
});

test('the environment neither loses nor duplicates a report', async () => {
  const session = await opened([{ between, reports: true }]);
  await session.perform(cut('a', 'b'));
  expect(session.enabled).toHaveLength(2);
  expect(session.faults()).toEqual([]);
});

test.each(['drop', 'keep', 'return'] as const)(
  'a report is not kept for the next life of its receiver (%s)',
  async (toAbsent) => {
    const session = await opened([{ between, reports: true }], { toAbsent, onCrash: { to: 'keep', from: 'keep' } });
    await session.perform(cut('a', 'b'));
    await session.perform(crash('a'));
    expect(session.world.pending.map(({ process }) => process)).toEqual(['b']);
    expect(await heard(session, heal('a', 'b'), restart('a'))).toMatchObject({ a: [], b: ['a down', 'a up'] });
  },
);

test('a process that fails in its restart was never there for its neighbors', async () => {
  let isBroken = false;
  const fragile = behavior<{ heard: string[] }, LinkReport>({
    start() {
      if (isBroken) throw new Error('broken');
      return { heard: [] };
    },
    receive() {},
  });
  const system = defineSystem({ processes: { a: node, b: fragile }, links: [{ between, reports: true }] });
  const session = targetOf(resolveSystem(system)).open(1);
  for (const process of ['a', 'b']) await session.perform({ kind: 'start', process });
  await session.perform(crash('b'));
  isBroken = true;
  await session.perform(restart('b'));
  isBroken = false;
  await session.perform(restart('b'));
  const reports = session.world.pending.map((event) => 'message' in event && (event.message as LinkReport).isUp);
  expect(reports).toEqual([false, true]);
});

test('a story has reports like other messages', async () => {
  const system = defineSystem({ processes: { a: node, b: node }, links: [{ between, lane: 'x', reports: true }] });
  expect(await play(system, 'start a\nstart b\ncut a b\ndeliver environment b')).toMatchInlineSnapshot(`
    "
    1  a            starts                                                    heard: []
    2  b            starts                                                    heard: []
    3  environment  cuts a → b, b → a
    4  b            gets link (isUp false, lane x, peer a) from environment on lane a x  heard.0: a:x down (new)
    "
  `);
});
