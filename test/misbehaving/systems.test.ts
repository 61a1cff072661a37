import { act, behavior, defineSystem, send, start, until } from 'culprit';
import {
  AT_ONCE,
  bare,
  called,
  drawing,
  idle,
  INVARIANT,
  judging,
  judgingThrows,
  ONLY_HANDLERS,
  proxy,
  revoked,
  testAll,
  trap,
  unreadable,
  type Misbehaviors,
} from './odd.ts';

const spawning = behavior<object, unknown>({
  start(ctx) {
    ctx.spawn('k');
    return {};
  },
  receive() {},
});

const holdingItself = (): { self: object } => {
  const data = { self: {} };
  data.self = data;
  return data;
};

/** Sends its first message to itself: a message that holds itself is copied at each hop. */
const passingOn = behavior<{ n: number }, { to: { self: object } }>({
  start: () => ({ n: 0 }),
  receive(state, { to }, ctx) {
    if (state.n++ === 0) ctx.send(ctx.self, { to });
    else if (to.self === to) throw new Error('it still holds itself');
  },
});

const table: Misbehaviors = {
  'an invariant throws an object without a prototype': [
    judgingThrows(bare),
    'seed 0: the invariant odd threw after event 0: an object that cannot be written as text',
    INVARIANT,
  ],
  'an invariant throws a Proxy': [
    judgingThrows(proxy),
    'seed 0: the invariant odd threw after event 0: an object that cannot be written as text',
    INVARIANT,
  ],
  'an invariant throws an error that cannot be read': [
    judgingThrows(unreadable),
    'seed 0: the invariant odd threw after event 0: Error: (its message cannot be read)',
    INVARIANT,
  ],
  'an invariant returns a revoked Proxy': [
    judging(revoked),
    "seed 0: reading what the invariant odd returned threw after event 0: TypeError: Cannot perform 'IsArray' on a proxy that has been revoked",
    INVARIANT,
  ],
  'an invariant returns a witness that cannot be read': [
    judging(() => ({
      get message() {
        return trap();
      },
    })),
    'seed 0: reading what the invariant odd returned threw after event 0: Error: trap',
    INVARIANT,
  ],
  'an invariant returns 10 MB': [
    judging(() => 'x'.repeat(1e7)),
    'odd: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… xxxxxxxx… (10,000,000 characters in all)',
  ],
  'an invariant loops forever': [
    judging(() => {
      for (;;);
    }),
    'seed 0: the invariant odd did not return within 100 ms.',
    AT_ONCE,
  ],
  'an invariant loops forever after an event': [
    judging(({ length }) => {
      while (length > 0);
      return true;
    }),
    'seed 0: the invariant odd, asked after event 1, did not return within 100 ms.',
    AT_ONCE,
  ],
  'a generator throws an object without a prototype': [
    drawing(() => {
      throw bare();
    }),
    'seed 0: generate(…) number 1 of the workload threw: an object that cannot be written as text',
    ONLY_HANDLERS,
  ],
  'a generator loops forever': [
    drawing(() => {
      for (;;);
    }),
    'seed 0: generate(…) number 1 of the workload did not return within 100 ms.',
    AT_ONCE,
  ],
  'a generator draws nonsense': [
    drawing(() => ({ value: 5 })),
    'seed 0: generate(…) number 1 of the workload returned 5.',
    'Give arbitraries of externals: `fc.constant(send(…))`, say.',
  ],
  'a wait throws a Proxy': [
    defineSystem({
      processes: { a: idle },
      workload: [
        until(() => {
          throw proxy();
        }),
      ],
    }),
    'seed 0: until(…) number 1 of the workload threw: an object that cannot be written as text',
    ONLY_HANDLERS,
  ],
  'an action throws an object without a prototype': [
    defineSystem({
      processes: { a: idle },
      workload: [act('x')],
      actions: {
        x() {
          throw bare();
        },
      },
    }),
    'seed 0: the action x threw: an object that cannot be written as text',
    ONLY_HANDLERS,
  ],
  'a kind throws an object without a prototype': [
    defineSystem({
      processes: { a: idle },
      kinds: {
        k() {
          throw bare();
        },
      },
      workload: [start('b', 'k')],
    }),
    'seed 0: the kind k threw: an object that cannot be written as text',
    ONLY_HANDLERS,
  ],
  'a definition throws an object without a prototype': [
    defineSystem({ n: 1 }, () => {
      throw bare();
    }),
    'defining the system threw: an object that cannot be written as text',
    ONLY_HANDLERS,
  ],
  'a message of the environment holds itself': [
    defineSystem({ processes: { a: passingOn }, workload: [send('a', { to: holdingItself() })] }),
    'noUncaughtException: a threw Error: it still holds itself',
  ],
  'processes are called like parts of every object': [
    called('constructor', 'toString', '__proto__'),
    'quiet: toString got something',
  ],
  'a process has a name of 10,000 characters': [
    called('p'.repeat(10_000)),
    'quiet: ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp… pppppppppppp… (10,014 characters in all)',
  ],
  'processes spawn one another forever': [
    defineSystem({ processes: { a: spawning }, kinds: { k: () => spawning } }),
    'seed 0: a/k-1/k-1/k-1/k-1/k-1/k-1/k-1/k-1/k-1/k-… spawns more than 100 generations of processes.',
    'Spawn only on request, not whenever a process starts.',
  ],
  'a system has 100,001 processes': [
    defineSystem({ processes: Object.fromEntries(Array.from({ length: 1e5 + 1 }, (_, n) => [`p${n}`, idle])) }),
    'seed 0: p100000 would be process 100,001 of the execution, which may have 100,000.',
    'Declare or spawn fewer: three to five processes show most bugs.',
  ],
};

testAll(table);
