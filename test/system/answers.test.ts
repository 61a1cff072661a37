import {
  act,
  behavior,
  check,
  checkLinearizable,
  defineSystem,
  generate,
  linearizable,
  minimize,
  progress,
  readHistory,
  search,
  send,
  until,
  type Model,
  type System,
} from 'culprit';
import { resolveSystem, type Definition } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';

/** Counts its messages. */
const counter = behavior<{ count: number }, { type: 'tick' }>({
  start: () => ({ count: 0 }),
  receive(state) {
    state.count += 1;
  },
});

const processes = { a: counter, b: counter };
type Defined = Definition<typeof processes>;
const tick = send('a', { type: 'tick' });

/** Types do not help here: systems are written in JavaScript, too. */
const withDefined = (rest: object): System => defineSystem({ processes, workload: [tick, tick], ...rest } as Defined);

/** Wrong answers of a function, by the expected type. */
const wrong = [
  ['a promise', Promise.resolve(true)],
  ['undefined', undefined],
] as const;

describe.each(wrong)('a function of the system that returns %s is named:', (shown, answer) => {
  const any = () => answer as never;

  test.each([
    ['a mark', { sometimes: { seen: any } }, 'the sometimes seen, asked after event 1,'],
    ['a wait', { workload: [until(any), tick] }, 'until(…) number 1 of the workload, asked after event 2,'],
    ['a trigger', { triggers: [{ after: any, do: tick }] }, 'trigger 1, asked about a deliver of a,'],
    ['an action', { actions: { go: any }, workload: [act('go')] }, 'the action go'],
    [
      'an arbitrary',
      { workload: [generate(1, [1, { generate: () => ({ value: any() }) }])] },
      'generate(…) number 1 of the workload',
    ],
    [
      'a goal',
      { oracles: { live: progress(any) } },
      'the oracle live, asked after event 0, cannot judge: the goal of progress',
    ],
  ])('%s, by a hunt', async (_what, rest, who) => {
    await expect(search(withDefined(rest as object), { executions: 1 })).rejects.toMatchObject({
      message: `seed 0: ${who} returned ${shown}.`,
      cause: { code: 'BAD_ANSWER' },
    });
  });

  test.each([
    ['a wait', { workload: [until(any), tick] }, 'until(…) of the workload, asked after event 2,'],
    ['an action', { actions: { go: any }, workload: [act('go')] }, 'the action go'],
    [
      'a goal',
      { oracles: { live: progress(any) } },
      'the oracle live, asked after event 0, cannot judge: the goal of progress',
    ],
    ['reduce.message', { reduce: { message: any } }, 'reduce.message, asked about a message to a,'],
    ['reduce.touches', { reduce: { touches: any } }, 'reduce.touches, asked about a message to a,'],
  ])('%s, by a check', async (_what, rest, who) => {
    const system = withDefined({ transport: 'unordered', ...rest });
    const reduce =
      'reduce' in rest ? (Object.keys(rest.reduce).map((rule) => POLICIES[rule as 'message']) as never) : [];
    await expect(check(system, { reduce })).rejects.toMatchObject({
      message: `${who} returned ${shown}.`,
      cause: { code: 'BAD_ANSWER' },
    });
  });

  test('a rule about crashes', async () => {
    const system = withDefined({ faults: { crashes: 1 }, reduce: { crash: any } });
    await expect(check(system, { search: 'blackbox', reduce: ['cmi'] })).rejects.toThrow(
      new RegExp(`^reduce\\.crash, asked about . and a crash of ., returned ${shown}\\.$`),
    );
  });

  test('the function behind the parameters', () => {
    const system = defineSystem({ n: 1 }, any);
    expect(() => resolveSystem(system)).toThrow(`the function that defines the system returned ${shown}.`);
  });

  const few = { few: (world: never) => countIn(world) < 2 };
  test.each([
    ['keep', 'start'],
    ['shrink', 'send'],
  ])('minimize.%s', async (hint, about) => {
    const trace = await found(withDefined({ invariants: few }));
    await expect(minimize(withDefined({ invariants: few, minimize: { [hint]: any } }), trace)).rejects.toThrow(
      `minimize.${hint}, asked about a ${about}, returned ${shown}.`,
    );
  });

  test('minimize.fingerprint', () => {
    const { hints } = resolveSystem(withDefined({ minimize: { fingerprint: any } }));
    expect(() => hints.contentOf({ type: 'tick' })).toThrow(
      `minimize.fingerprint, asked about a message, returned ${shown}.`,
    );
  });

  type Counter = Model<number, string, number>;
  const adds: Counter = { initial: 0, step: (count) => ({ state: count + 1, output: count + 1 }) };
  const history = [
    { process: 'c', input: 'add', output: 1, called: 1, returned: 2 },
    { process: 'c', input: 'add', output: 1, called: 3, returned: 4 },
  ];
  test.each(['step', 'partition', 'stateKey', 'describe'])('%s of a model', (name) => {
    const model = { ...adds, [name]: any } as Counter;
    expect(() => checkLinearizable(history, model)).toThrow(`${name} of the model returned ${shown}.`);
  });

  test('a model in an oracle', async () => {
    const noting = behavior<object, { type: 'tick' }>({
      start: () => ({}),
      receive(_state, _message, ctx) {
        ctx.history.return(ctx.history.call('add'), 1);
      },
    });
    const oracles = { counts: linearizable<number, string, number>({ ...adds, step: any }) };
    await expect(search(defineSystem({ processes: { a: noting }, workload: [tick], oracles }))).rejects.toThrow(
      `the oracle counts, asked after event 3, cannot judge: step of the model returned ${shown}.`,
    );
  });

  test('returns of a vocabulary', () => {
    const text = '{"process":"c","type":"invoke","f":"add"}\n{"process":"c","type":"ok","f":"add","value":1}\n';
    const vocabulary = { input: () => 'add', returns: any };
    expect(() => readHistory(text, vocabulary, 'h.jsonl')).toThrow(`returns of the vocabulary returned ${shown}.`);
  });
});

const POLICIES = { message: 'lmi', touches: 'event-independence' } as const;

const countIn = (world: { process(name: string): { state?: { count: number } } }): number =>
  world.process('a').state?.count ?? 0;

describe('wrong in other ways:', () => {
  test.each([
    ['a list of something else', ['tick'], 'a list in which number 1 is "tick"'],
    [
      'an external without its fields',
      [{ kind: 'send', message: 1 }],
      'a list in which number 1 is an object with the fields kind, message',
    ],
    ['one external', tick, 'an object with the fields kind, to, message'],
    ['what is yielded', (function* () {})(), 'an object without fields'],
  ])('an action that returns %s', async (_what, answer, shown) => {
    const system = withDefined({ actions: { go: () => answer as never }, workload: [act('go')] });
    await expect(search(system)).rejects.toThrow(`seed 0: the action go returned ${shown}.`);
  });

  test('a rule with an unknown field', async () => {
    const system = withDefined({ transport: 'unordered', reduce: { touches: () => ({ update: ['x'] }) as never } });
    await expect(check(system, { reduce: ['event-independence'] })).rejects.toThrow(
      'reduce.touches, asked about a message to a, returned an object with the fields update.',
    );
  });

  test.each([
    ['recovery', 'crashes: 1', { crashes: 1 }],
    ['rejoin', 'a restart', { crashes: 1, restarts: 1 }],
  ] as const)('a promise of reduce.%s, with %s', async (rule, _faults, faults) => {
    const system = withDefined({ faults, reduce: { [rule]: () => Promise.resolve(1) } });
    const reduce = rule === 'recovery' ? ['crs' as const] : ['rss' as const];
    await expect(check(system, { reduce })).rejects.toThrow(
      new RegExp(`^reduce\\.${rule}, asked about . and ., returned a promise\\.$`),
    );
  });

  test('a promise of minimize.atom', async () => {
    const invariants = { few: (world: never) => countIn(world) < 2 };
    const trace = await found(withDefined({ invariants }));
    const system = withDefined({ invariants, minimize: { atom: () => Promise.resolve('x') as never } });
    await expect(minimize(system, trace)).rejects.toThrow(/^minimize\.atom, asked about a \w+, returned a promise\.$/);
  });

  test('a promise of a phrase', async () => {
    const system = withDefined({ phrases: { state: () => Promise.resolve('x') as never } });
    await expect(search(system)).rejects.toThrow('returned a promise, which is not a text.');
  });

  test('a promise of an input', () => {
    const vocabulary = { input: () => Promise.resolve('add') };
    expect(() => readHistory('{"process":"c","type":"invoke","f":"add"}', vocabulary, 'h.jsonl')).toThrow(
      'input of the vocabulary returned a promise.',
    );
  });

  test.each([
    ['nothing', undefined, 'undefined'],
    ['a text', 'tick', '"tick"'],
    [
      'a wait for deliveries that has no number',
      { kind: 'until', awaits: 'deliveries', count: Number.NaN },
      'an object',
    ],
    ['an external of no kind', { kind: 'tick' }, 'an object with the fields kind'],
  ])('a workload with %s in it', async (_what, item, shown) => {
    await expect(search(withDefined({ workload: [tick, item] }))).rejects.toThrow(
      `number 2 of the workload is ${shown}`,
    );
  });

  test.each([{ do: tick }, { after: () => true }, { after: () => true, before: () => true, do: tick }])(
    'a trigger like %j',
    async (trigger) => {
      await expect(search(withDefined({ triggers: [trigger] }))).rejects.toThrow(
        'trigger 1 lacks an event or an action',
      );
    },
  );

  test('a system that is no object', () => {
    expect(() => defineSystem(Promise.resolve({ processes }) as never)).toThrow(
      'a system definition is an object with processes, not a promise.',
    );
  });
});
