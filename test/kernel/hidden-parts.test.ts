import { describe, expect, test } from 'vitest';
import { behavior, check, defineSystem, search, send, type Context, type System } from 'culprit';

/** A part that a handler can see and a copy would lose is refused and named, wherever it is. */

class Registry extends Map {}
class Queue extends Array {}

const hidden: [string, () => unknown, string][] = [
  ['a key that is a symbol', () => ({ [Symbol('tag')]: 1 }), 'has a key that is a symbol, Symbol(tag)'],
  ['a symbol on an array', () => Object.assign([1], { [Symbol('tag')]: 1 }), 'has a key that is a symbol, Symbol(tag)'],
  [
    'a field that is not enumerable',
    () => Object.defineProperty({}, 'secret', { value: 1, writable: true }),
    '.secret is a field that is not enumerable',
  ],
  [
    'a getter',
    () => ({
      get total() {
        return 1;
      },
    }),
    '.total is an accessor, not a value',
  ],
  ['a field of an array', () => 'abc'.match(/b/), 'besides its contents, as an array'],
  [
    'a field of a Map',
    () => Object.assign(new Map(), { extra: 1 }),
    'has the field extra besides its contents, as a Map',
  ],
  [
    'a field of a Set',
    () => Object.assign(new Set(), { extra: 1 }),
    'has the field extra besides its contents, as a Set',
  ],
  ['a class of Maps', () => new Registry(), 'is an instance of Registry'],
  ['a class of arrays', () => new Queue(), 'is an instance of Queue'],
];

const frozen: [string, () => unknown, string][] = [
  ['a frozen object', () => Object.freeze({ a: 1 }), 'is frozen, sealed or closed to new fields'],
  [
    'a field that is read-only',
    () => Object.defineProperty({}, 'fixed', { value: 1, enumerable: true }),
    '.fixed is a field that is read-only',
  ],
];

interface State {
  parts: unknown[];
}

const system = (receive: (state: State, ctx: Context<unknown>) => void): System => {
  const odd = behavior<State, unknown>({
    start: () => ({ parts: [] }),
    receive: (state, _message, ctx) => receive(state, ctx),
  });
  const other = behavior<State, unknown>({ start: () => ({ parts: [] }), receive() {} });
  return defineSystem({ processes: { odd, other }, workload: [send('odd', 1), send('other', 1)] });
};

const searches = ['dpor', 'race-reversal', 'depth', 'deepening', 'worlds', 'breadth', 'novelty'] as const;

async function expectRefusal(refused: System, problem: string): Promise<void> {
  await expect(search(refused, { executions: 1 })).rejects.toThrow(problem);
  for (const by of searches) await expect(check(refused, { search: by })).rejects.toThrow(problem);
}

describe('in a state', () => {
  test.each([...hidden, ...frozen])('%s is refused, with process, event and path', async (_what, make, problem) => {
    const refused = system((state) => void state.parts.push({ deep: make() }));
    await expectRefusal(refused, problem);
    await expect(check(refused)).rejects.toThrow(/^odd: the state after event \d+\.parts\.0\.deep/);
  });

  test('a hunt refuses such a part in the first execution that has it', async () => {
    const seldom = system((state, ctx) => {
      state.parts.push(ctx.random.below(30) === 0 ? Object.freeze({ a: 1 }) : { a: 1 });
    });
    const problem = /^seed 12: odd: the state after event \d+\.parts\.0 is frozen/;
    await expect(search(seldom, { seed: 1 })).rejects.toThrow(problem);
  });
});

describe('in a message', () => {
  test.each(hidden)('%s is refused, with process, event and path', async (_what, make, problem) => {
    const refused = system((_state, ctx) => ctx.send('other', { deep: [make()] }));
    await expectRefusal(refused, problem);
    await expect(check(refused)).rejects.toThrow(/^odd: the message to other in event \d+\.deep\.0/);
  });

  test('a hunt refuses it in the first execution that has it, also in a repeated ask', async () => {
    const seldom = system((_state, ctx) => {
      const deep = ctx.random.below(30) === 0 ? { [Symbol('tag')]: 1 } : 1;
      ctx.send('other', { deep });
    });
    const problem = /^seed 12: odd: the message to other in event \d+\.deep has a key that is a symbol/;
    for (let time = 0; time < 2; time++) await expect(search(seldom, { seed: 1 })).rejects.toThrow(problem);
  });

  test.each([
    ['at once', (state: object) => state],
    ['in time', async (state: object) => Promise.resolve(state)],
  ])('a frozen state that start returns %s is fine: the process gets a copy', async (_when, given) => {
    const constant = Object.freeze({ parts: Object.freeze([]) }) as unknown as State;
    const fixed = behavior<State, unknown>({
      start: () => given(constant) as State,
      receive: (state) => void state.parts.push(Object.isFrozen(state)),
    });
    const frozenStart = defineSystem({
      processes: { fixed },
      workload: [send('fixed', 1), send('fixed', 2)],
      invariants: {
        isThawed: (world) => world.process('fixed').state?.parts.every((was) => was === false) ?? true,
        isShort: (world) => (world.process('fixed').state?.parts.length ?? 0) <= 2,
      },
    });
    expect((await search(frozenStart, { executions: 3 })).findings).toEqual([]);
    for (const by of searches) expect((await check(frozenStart, { search: by })).verdict).toBe('holds');
  });

  test('a frozen message is fine: the receiver gets a copy', async () => {
    const report = await check(system((_state, ctx) => ctx.send('other', Object.freeze({ a: Object.freeze([1]) }))));
    expect(report.verdict).toBe('holds');
  });
});

describe('elsewhere', () => {
  const tagged = { [Symbol('tag')]: 1 };
  const starts = (start: (ctx: never) => object): System =>
    defineSystem({ processes: { odd: behavior<object, unknown>({ start, receive() {} }) } });
  const places: [string, System][] = [
    ['odd: the state that start returns in event 1.at has a key', starts(() => ({ at: tagged }))],
    [
      'odd: the disk value k in event 1 has a key',
      starts((ctx: { disk: { write(key: string, value: unknown): void } }) => (ctx.disk.write('k', tagged), {})),
    ],
    [
      'odd: the input in event 1 has a key',
      starts((ctx: { history: { call(input: unknown): number } }) => (ctx.history.call(tagged), {})),
    ],
    [
      'environment: the event.message has a key',
      defineSystem({
        processes: { odd: behavior<object, unknown>({ start: () => ({}), receive() {} }) },
        workload: [send('odd', tagged)],
      }),
    ],
  ];

  test.each(places)('%s', async (problem, refused) => {
    await expectRefusal(refused, problem);
    await expect(check(refused)).rejects.toThrow(problem);
  });
});
