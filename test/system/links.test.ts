import { behavior, check, defineSystem, search, send, type System } from 'culprit';
import { resolveSystem, type AnyBehavior, type Definition } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';

type GivenLink = NonNullable<Definition<Readonly<Record<string, AnyBehavior>>>['links']>[number];

const node = behavior({
  start: () => ({ got: 0 }),
  receive(state, message: { hops: number }, ctx) {
    state.got += 1;
    if (message.hops > 0) for (const peer of ctx.peers) ctx.send(peer, { hops: message.hops - 1 });
  },
});

const systemWith = (links?: readonly GivenLink[], isWrong?: (cut: readonly string[]) => boolean): System =>
  defineSystem({
    processes: { a: node, b: node, c: node },
    faults: { partitions: 1 },
    ...(links === undefined ? {} : { links }),
    workload: [send('a', { hops: 1 })],
    invariants: {
      cuts: (world) => {
        const cut = world.cutLinks.map(([from, to, lane]) => `${from}-${to}${lane === undefined ? '' : ` on ${lane}`}`);
        return isWrong?.(cut) !== true || `cut: ${cut.join(', ')}`;
      },
    },
  });

const isOther = (cut: readonly string[]): boolean => cut.some((link) => link !== 'a-b' && link !== 'b-a');

describe('declared links', () => {
  test('are the only ones that a hunt cuts', async () => {
    const report = await search(systemWith([['b', 'a']], isOther), { executions: 200 });
    expect(report.findings).toEqual([]);
    expect(report.coverage.faults['cut']?.happened).toBeGreaterThan(10);
    // Without them, other links are cut as well.
    expect((await search(systemWith(undefined, isOther), { executions: 200 })).findings).toHaveLength(1);
  });

  test('are the only ones that a check cuts, by every search', async () => {
    for (const by of ['dpor', 'depth', 'worlds', 'novelty'] as const) {
      const holds = await check(systemWith([['a', 'b']], isOther), { search: by });
      expect([by, holds.verdict]).toEqual([by, 'holds']);
      const violated = await check(
        systemWith([['a', 'b']], (cut) => cut.includes('a-b')),
        { search: by },
      );
      expect([by, violated.verdict]).toEqual([by, 'violated']);
    }
  });

  test('of all pairs mean the same as none', async () => {
    const all = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ] as const;
    const [declared, byDefault] = [await check(systemWith(all)), await check(systemWith())];
    expect(declared.executions).toBe(byDefault.executions);
    expect(declared.executions).toBeGreaterThan((await check(systemWith(all.slice(0, 1)))).executions);
  });

  test('may be lanes: only these are cut', async () => {
    const links = [
      { between: ['a', 'b'], partitions: false },
      { between: ['b', 'a'], lane: 'bulk' },
    ] as const;
    const isWrong = (cut: readonly string[]): boolean => cut.some((link) => !link.endsWith('on bulk'));
    const report = await search(systemWith(links, isWrong), { executions: 200 });
    expect(report.findings).toEqual([]);
    expect(report.coverage.faults['cut']?.happened).toBeGreaterThan(10);
    for (const by of ['dpor', 'depth', 'worlds', 'novelty'] as const) {
      const isBulk = (cut: readonly string[]): boolean => cut.includes('a-b on bulk');
      expect([by, (await check(systemWith(links, isWrong), { search: by })).verdict]).toEqual([by, 'holds']);
      expect([by, (await check(systemWith(links, isBulk), { search: by })).verdict]).toEqual([by, 'violated']);
    }
  });

  test.each<[string, readonly GivenLink[], string]>([
    [
      'declared twice with other rules',
      [['a', 'b'], { between: ['b', 'a'], onCut: 'drop' }],
      'the link between b and a is declared twice, with different rules.',
    ],
    [
      'a lane without a name',
      [{ between: ['a', 'b'], lane: '' }],
      'the link between a and b has a lane without a name.',
    ],
    [
      'losses without a budget',
      [{ between: ['a', 'b'], lane: 'bulk', losses: true }],
      'lane bulk between a and b allows losses, but the budget `faults.losses` is 0.',
    ],
    ['an unknown rule', [{ between: ['a', 'b'], oncut: 'drop' } as never], 'onCut'],
    ['an unknown order', [{ between: ['a', 'b'], order: 'lifo' } as never], 'fifo'],
    ['an unknown process', [{ between: ['a', 'bb'] }], 'a link names "bb", which is no declared process'],
    [
      'the environment, which cannot be cut off',
      [{ between: ['environment', 'a'] }],
      'the link between environment and a can be neither cut nor reported on, and has no lanes.',
    ],
  ])('%s is refused', (_what, links, message) => {
    expect(() => resolveSystem(systemWith(links))).toThrow(message);
  });

  test('may be declared twice alike', () => {
    const links = [
      { between: ['a', 'b'], onCut: 'drop' },
      { between: ['b', 'a'], onCut: 'drop' },
    ] as const;
    expect(resolveSystem(systemWith(links)).declaration.links).toHaveLength(1);
  });

  test.each([
    [['a', 'd'], 'a link names "d", which is no declared process'],
    [['a', 'a'], 'a link is ["a","a"].'],
    [['a', 'b', 'c'], 'a link is ["a","b","c"].'],
  ])('%s is refused', (link, message) => {
    expect(() => resolveSystem(systemWith([link as never]))).toThrow(message);
  });
});

test('a link of the environment says what may happen to inputs', async () => {
  const isDelivered = async (rules: object): Promise<boolean> => {
    const system = defineSystem({
      processes: { a: node },
      faults: { losses: 3, duplicates: 3 },
      links: [{ between: ['environment', 'a'], partitions: false, ...rules }],
      workload: [send('a', { hops: 0 })],
      invariants: {
        once: (world) => world.pending.length > 0 || world.length < 3 || world.process('a').state?.got === 1,
      },
    });
    const { findings } = await search(system, { executions: 300 });
    return findings.length === 0;
  };
  expect(await isDelivered({ losses: false, duplicates: false })).toBe(true);
  expect(await isDelivered({ losses: false })).toBe(false);
  expect(await isDelivered({ duplicates: false })).toBe(false);
});
