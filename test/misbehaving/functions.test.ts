import { act, behavior, defineSystem, linearizable, send, start, until, type Oracle, type System } from 'culprit';
import type { External } from 'culprit/trace';
import {
  AT_ONCE,
  INVARIANT,
  ONLY_HANDLERS,
  PLAIN,
  bare,
  circular,
  deep,
  drawing,
  idle,
  judging,
  proxy,
  revoked,
  starting,
  testAll,
  trap,
  type Misbehaviors,
} from './odd.ts';

const raise = (thrown: unknown): never => {
  throw thrown;
};

const HOLDS = { kind: 'holds' } as const;

/** A system with this oracle. */
const asking = (oracle: object): System => defineSystem({ processes: { a: idle }, oracles: { odd: oracle as Oracle } });

/** A system with these phrases, and a violation. */
const phrased = (phrases: object): System =>
  defineSystem({
    processes: { a: idle },
    workload: [send('a', 'x')],
    invariants: { quiet: ({ last }) => last?.kind !== 'deliver' },
    phrases,
  });

/** A system with a client's operation, judged by this model. */
const modeled = (model: object): System =>
  defineSystem({
    processes: {
      a: behavior<object, unknown>({
        start: () => ({}),
        receive(_state, _message, ctx) {
          ctx.history.return(ctx.history.call('read'), 1);
        },
      }),
    },
    workload: [send('a', 'x'), send('a', 'x')],
    oracles: {
      register: linearizable({ initial: 0, step: () => ({ state: 0 }), ...model }),
    },
  });

/** A system whose environment does this. */
const working = (item: External | ReturnType<typeof until>, actions = {}, kinds = {}): System =>
  defineSystem({ processes: { a: idle }, workload: [item], actions, kinds });

const timing = (timer: () => void): System =>
  defineSystem({
    processes: {
      a: behavior<object, unknown>({
        start(ctx) {
          ctx.setTimer('t', 1);
          return {};
        },
        receive() {},
        timer,
      }),
    },
  });

const VERDICT =
  "Return { kind: 'holds' }, { kind: 'unknown', why } or { kind: 'violated', oracle, message, processes, fingerprint }.";
const PHRASE = 'Fix it: return a text, or undefined to keep the default wording.';
const ORACLE = 'Return what judges this one execution: an oracle, with the function `judge`.';

const table: Misbehaviors = {
  'an oracle throws a Proxy when it begins': [
    asking({
      judge: () => HOLDS,
      begin() {
        throw proxy();
      },
    }),
    'seed 0: the oracle odd threw after event 0: an object that cannot be written as text',
    INVARIANT,
  ],
  'an oracle begins with nothing': [
    asking({ judge: () => HOLDS, begin: () => null }),
    'seed 0: begin of the oracle odd returned null.',
    ORACLE,
  ],
  'an oracle begins with an oracle that cannot judge': [
    asking({ judge: () => HOLDS, begin: () => ({}) }),
    'seed 0: begin of the oracle odd returned an object without fields.',
    ORACLE,
  ],
  'an oracle throws an object without a prototype at the end': [
    asking({
      judge: () => HOLDS,
      end() {
        throw bare();
      },
    }),
    'seed 0: the oracle odd threw after event 1: an object that cannot be written as text',
    INVARIANT,
  ],
  'an oracle says nothing at the end': [
    asking({ judge: () => HOLDS, end: () => undefined }),
    'seed 0: end of the oracle odd, asked after event 1, returned undefined.',
    VERDICT,
  ],
  'an oracle says nonsense': [
    asking({ judge: () => 'fine' }),
    'seed 0: judge of the oracle odd, asked after event 0, returned "fine".',
    VERDICT,
  ],
  'an oracle says nothing': [
    asking({ judge: () => undefined }),
    'seed 0: judge of the oracle odd, asked after event 0, returned undefined.',
    VERDICT,
  ],
  'an oracle promises a verdict': [
    asking({ judge: async () => HOLDS }),
    'seed 0: judge of the oracle odd, asked after event 0, returned a promise.',
    "It is called synchronously: use neither `async` nor `await`. Return { kind: 'holds' }, { kind: 'unknown', why } or { kind: 'violated', oracle, message, processes, fingerprint }.",
  ],
  'an oracle gives a verdict that cannot be read': [
    asking({ judge: revoked }),
    "seed 0: reading what the oracle odd returned threw after event 0: TypeError: Cannot perform 'IsArray' on a proxy that has been revoked",
    INVARIANT,
  ],
  'an oracle is violated without a message': [
    asking({ judge: () => ({ kind: 'violated' }) }),
    'seed 0: judge of the oracle odd, asked after event 0, returned a verdict of the kind violated whose oracle is undefined.',
    VERDICT,
  ],
  'an oracle loops forever when it begins': [
    asking({
      judge: () => HOLDS,
      begin() {
        for (;;);
      },
    }),
    'seed 0: the oracle odd did not return within 100 ms.',
    AT_ONCE,
  ],
  'an oracle loops forever at the end': [
    asking({
      judge: () => HOLDS,
      end() {
        for (;;);
      },
    }),
    'seed 0: the oracle odd, asked after event 1, did not return within 100 ms.',
    AT_ONCE,
  ],
  'an oracle begins with a revoked Proxy': [
    asking({ judge: () => HOLDS, begin: revoked }),
    "seed 0: reading what the oracle odd returned threw after event 0: TypeError: Cannot perform 'IsArray' on a proxy that has been revoked",
    INVARIANT,
  ],
  'an invariant returns a Proxy': [
    judging(proxy),
    'seed 0: reading what the invariant odd returned threw after event 0: Error: trap',
    INVARIANT,
  ],
  'a generator draws a revoked Proxy': [
    drawing(() => ({ value: revoked() })),
    'seed 0: generate(…) number 1 of the workload returned an object that cannot be read.',
    'Give arbitraries of externals: `fc.constant(send(…))`, say.',
  ],
  'a generator returns a revoked Proxy': [
    drawing(revoked),
    "seed 0: generate(…) number 1 of the workload threw: TypeError: Cannot perform 'get' on a proxy that has been revoked",
    ONLY_HANDLERS,
  ],
  'a wait returns a Proxy': [
    working(until(proxy as () => boolean)),
    'seed 0: until(…) number 1 of the workload, asked after event 1, returned an object that cannot be read.',
    'Return true or false.',
  ],
  'an action returns a revoked Proxy': [
    working(act('x'), { x: revoked as () => [] }),
    'seed 0: the action x returned an object that cannot be read.',
    'Return a list. Return externals: use send(…), crash(…), cut(…) and the like.',
  ],
  'an action returns a list of Proxies': [
    working(act('x'), { x: () => [proxy()] as never }),
    'seed 0: the action x returned a list in which number 1 is an object that cannot be read.',
    'Return externals: use send(…), crash(…), cut(…) and the like.',
  ],
  'a kind returns a revoked Proxy': [
    working(start('b', 'k'), {}, { k: revoked as never }),
    'seed 0: the process of kind k is an object that cannot be read.',
    'Give what behavior({ … }) returns.',
  ],
  'a phrase says a revoked Proxy': [
    phrased({ state: revoked }),
    'seed 0: phrases.state, asked about event 1 (a, start), returned an object that cannot be read, which is not a text.',
    PHRASE,
  ],
  'a phrase throws an error that is its own cause': [
    phrased({
      message() {
        throw circular();
      },
    }),
    'seed 0: phrases.message, asked about event 3 (a, deliver), threw: Error: x',
    PHRASE,
  ],
  'a phrase says a symbol': [
    phrased({ message: () => Symbol('x') }),
    'seed 0: phrases.message, asked about event 3 (a, deliver), returned Symbol(x), which is not a text.',
    PHRASE,
  ],
  'a phrase says 10 MB': [phrased({ message: () => 'x'.repeat(1e7) }), 'quiet: does not hold'],
  'a phrase promises a text': [
    phrased({ state: async () => 'x' }),
    'seed 0: phrases.state, asked about event 1 (a, start), returned a promise, which is not a text.',
    PHRASE,
  ],
  'a model throws': [
    modeled({ step: trap }),
    'seed 0: the oracle register threw after event 5: Error: trap',
    INVARIANT,
  ],
  'a model steps nowhere': [
    modeled({ step: () => undefined }),
    'seed 0: the oracle register, asked after event 5, cannot judge: step of the model returned undefined.',
    'Return { state, output }, or a list of such: empty where it has to wait.',
  ],
  'a model steps to a revoked Proxy': [
    modeled({ step: revoked }),
    "seed 0: the oracle register threw after event 5: TypeError: Cannot perform 'IsArray' on a proxy that has been revoked",
    INVARIANT,
  ],
  'a model has a state that is too deep': [
    modeled({ step: () => ({ state: deep(), output: 1 }) }),
    'seed 0: the oracle register threw after event 5: the state of the model.data.data.data.data.data.data.….data.data.data.data.data.data is more than 100 deep, which is not plain data.',
    PLAIN,
  ],
  'a model parts by an object': [
    modeled({ partition: () => ({}) }),
    'seed 0: the oracle register, asked after event 5, cannot judge: partition of the model returned an object without fields.',
    'Return a text.',
  ],
  'a model has a key that throws': [
    modeled({ stateKey: trap }),
    'seed 0: the oracle register threw after event 5: Error: trap',
    INVARIANT,
  ],
  'a model loops forever': [
    modeled({
      step() {
        for (;;);
      },
    }),
    'seed 0: the oracle register, asked after event 5, did not return within 100 ms.',
    AT_ONCE,
  ],
  'a model describes nothing': [
    modeled({ step: () => ({ state: 0, output: 2 }), describe: () => undefined }),
    'seed 0: the oracle register, asked after event 5, cannot judge: describe of the model returned undefined.',
    'Return a text.',
  ],
  'a timer handler throws null': [timing(() => raise(null)), 'noUncaughtException: a threw null'],
  'a timer handler loops forever': [
    timing(() => {
      for (;;);
    }),
    'handlerReturns: a did not return from event 2 (fire)',
  ],
  'start returns a function': [
    starting(() => () => undefined),
    'seed 0: a: start returned () => undefined, which is not a state.',
    'Return an object, such as { count: 0 }.',
  ],
  'start returns a Promise that is rejected with nothing': [
    starting(async () => raise(undefined)),
    'noUncaughtException: a threw undefined',
  ],
  'start returns a frozen state': [starting(() => Object.freeze({ n: 0 })), 'nothing found in 2 executions'],
};

testAll(table);
