import { AsyncLocalStorage } from 'node:async_hooks';
import {
  bare,
  circular,
  deep,
  FEWER,
  handling,
  PLAIN,
  proxy,
  revoked,
  SPELLING,
  starting,
  throwing,
  testAll,
  trap,
  unreadable,
  type Misbehaviors,
} from './odd.ts';

const table: Misbehaviors = {
  'a handler throws nothing': [throwing(() => undefined), 'noUncaughtException: a threw undefined'],
  'a handler throws null': [throwing(() => null), 'noUncaughtException: a threw null'],
  'a handler throws a text': [throwing(() => 'no'), 'noUncaughtException: a threw no'],
  'a handler throws a symbol': [throwing(() => Symbol('no')), 'noUncaughtException: a threw Symbol(no)'],
  'a handler throws an object without a prototype': [
    throwing(bare),
    'noUncaughtException: a threw an object that cannot be written as text',
  ],
  'a handler throws a Proxy': [
    throwing(proxy),
    'noUncaughtException: a threw an object that cannot be written as text',
  ],
  'a handler throws a revoked Proxy': [
    throwing(revoked),
    'noUncaughtException: a threw an object that cannot be written as text',
  ],
  'a handler throws an error that cannot be read': [
    throwing(unreadable),
    'noUncaughtException: a threw Error: (its message cannot be read)',
  ],
  'a handler throws an error whose stack cannot be read': [
    throwing(() => Object.defineProperty(new Error('x'), 'stack', { get: trap })),
    'noUncaughtException: a threw Error: x',
  ],
  'a handler throws an error whose name is a symbol': [
    throwing(() => Object.assign(new Error('x'), { name: Symbol('n') })),
    'noUncaughtException: a threw Symbol(n): x',
  ],
  'a handler throws an error whose message is an object': [
    throwing(() => Object.assign(new Error('x'), { message: { toString: trap } })),
    'noUncaughtException: a threw Error: (its message cannot be read)',
  ],
  'a handler throws an error that is its own cause': [throwing(circular), 'noUncaughtException: a threw Error: x'],
  'a handler throws an error of 10 MB': [
    throwing(() => new Error('x'.repeat(1e7))),
    'noUncaughtException: a threw Error: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… xxxxxxxx… (10,000,000 characters in all)',
  ],
  'an async handler throws an object without a prototype': [
    handling(async () => {
      throw bare();
    }),
    'noUncaughtException: a threw an object that cannot be written as text',
  ],
  'a handler leaves code behind that throws a Proxy': [
    handling(() => {
      const later = async (): Promise<void> => {
        throw proxy();
      };
      void later();
    }),
    'noUncaughtException: a threw an object that cannot be written as text',
  ],
  'a handler returns a revoked Proxy': [
    handling(revoked),
    "noUncaughtException: a threw TypeError: Cannot perform 'has' on a proxy that has been revoked",
  ],
  'a handler awaits something that never comes': [
    handling(() => new Promise(() => undefined)),
    'seed 0: a has been waiting since event 3, and no event that culprit controls is left.',
    'Await only context operations (ctx.sleep, ctx.disk, ctx.ask): real timers and I/O are outside of the execution.',
  ],
  'a handler recurses forever': [
    handling(function again(): unknown {
      return again();
    }),
    'noUncaughtException: a threw RangeError: Maximum call stack size exceeded',
  ],
  'a handler loops forever in microtasks': [
    handling(async () => {
      for (;;) await Promise.resolve();
    }),
    'handlerReturns: a did not return from event 3 (deliver)',
  ],
  'a handler loops forever in callbacks, where async hooks are on': [
    handling(() => {
      const storage = new AsyncLocalStorage();
      const again = (): void => queueMicrotask(again);
      storage.run(1, again);
    }),
    'handlerReturns: a did not return from event 3 (deliver)',
  ],
  'a handler loops forever in ticks': [
    handling(() => {
      const again = (): void => process.nextTick(again);
      again();
    }),
    'handlerReturns: a did not return from event 3 (deliver)',
  ],
  'a handler keeps a list of 4,000,000,000 places': [
    handling((_ctx, state) => Object.assign(state, { inner: Object.assign([], { length: 4e9 }) })),
    'seed 0: a: the state after event 3.inner is a list of 4,000,000,000 places, of which it may have 50,000,000.',
    FEWER,
  ],
  'a handler sends a list of 4,000,000,000 places': [
    handling((ctx) => ctx.send('a', { list: Object.assign([], { length: 4e9 }) })),
    'seed 0: a: the message to a in event 3.list is a list of 4,000,000,000 places, of which it may have 50,000,000.',
    FEWER,
  ],
  'a handler keeps 2 GB in a typed array': [
    handling((_ctx, state) => Object.assign(state, { bytes: new Uint8Array(2e9) })),
    'seed 0: a: the state after event 3.bytes is an instance of Uint8Array, which is not plain data.',
    PLAIN,
  ],
  'a handler keeps a text of 500 MB': [
    handling((_ctx, state) => Object.assign(state, { text: 'x'.repeat(5e8) })),
    'seed 0: a: the state after event 3.text is a text of 500,000,000 characters, of which it may have 100,000,000.',
    FEWER,
  ],
  'a handler sends a text of 500 MB': [
    handling((ctx) => ctx.send('a', 'x'.repeat(5e8))),
    'seed 0: a: the message to a in event 3 is a text of 500,000,000 characters, of which it may have 100,000,000.',
    FEWER,
  ],
  'a handler removes Promise for a moment': [
    handling(() => {
      const { Promise: kept } = globalThis;
      Reflect.deleteProperty(globalThis, 'Promise');
      globalThis.Promise = kept;
      throw new Error('x');
    }),
    'noUncaughtException: a threw Error: x',
  ],
  'a handler sends to itself forever': [handling((ctx) => ctx.send('a', 'x')), 'nothing found in 2 executions'],
  'a handler sends a message of 10 MB': [
    handling((ctx) => ctx.send('environment', 'x'.repeat(1e7))),
    'nothing found in 2 executions',
  ],
  'a handler sends 20,000 messages': [
    handling((ctx, state) => {
      if (!('done' in state)) for (let n = 0; n < 20_000; n++) ctx.send('a', n);
      Object.assign(state, { done: true });
    }),
    'nothing found in 2 executions',
  ],
  'a handler sends a getter': [
    handling((ctx) =>
      ctx.send('a', {
        inner: {
          get x() {
            return trap();
          },
        },
      }),
    ),
    'seed 0: a: the message to a in event 3.inner.x is an accessor, not a value, which is not plain data.',
    PLAIN,
  ],
  'a handler sends a revoked Proxy': [
    handling((ctx) => ctx.send('a', { inner: revoked() })),
    "seed 0: a: the message to a in event 3.inner cannot be looked at (it throws Cannot perform 'getPrototypeOf' on a proxy that has been revoked), which is not plain data.",
    PLAIN,
  ],
  'a handler sends data that is too deep': [
    handling((ctx) => ctx.send('a', deep())),
    'seed 0: a: the message to a in event 3.data.data.data.data.data.data.….data.data.data.data.data.data is more than 100 deep, which is not plain data.',
    PLAIN,
  ],
  'a handler sends to a symbol': [
    handling((ctx) => ctx.send(Symbol('a') as never, 1)),
    'seed 0: a: there is no process called Symbol(a): the system has a.',
    SPELLING,
  ],
  'a handler sends to an object': [
    handling((ctx) => ctx.send(proxy() as never, 1)),
    'seed 0: a: there is no process called an object that cannot be written as text: the system has a.',
    SPELLING,
  ],
  'a handler sends to an unknown process': [
    handling((ctx) => ctx.send('nobody', 1)),
    'seed 0: a: there is no process called "nobody": the system has a.',
    SPELLING,
  ],
  'a handler sets a timer that is called by a symbol': [
    handling((ctx) => ctx.setTimer(Symbol('t') as never, 1)),
    'seed 0: a: the name of a timer in event 3 is Symbol(t), which is not a text.',
    'Give a string.',
  ],
  'a handler sets a timer in a bigint': [
    handling((ctx) => ctx.setTimer('t', 10n as never)),
    'seed 0: a: setTimer takes milliseconds, not 10.',
    'Give a finite number, 0 or more (above 0 to repeat).',
  ],
  'a handler writes to a key that is no text': [
    handling((ctx) => ctx.disk.write({} as never, 1)),
    'seed 0: a: the name of a key in event 3 is [object Object], which is not a text.',
    'Give a string.',
  ],
  'a handler spawns a kind that is no text': [
    handling((ctx) => ctx.spawn(Symbol('k') as never)),
    'seed 0: a: the name of a kind in event 3 is Symbol(k), which is not a text.',
    'Give a string.',
  ],
  'a handler spawns a kind that is not there': [
    handling((ctx) => ctx.spawn('k')),
    'seed 0: a: there is no kind of process called "k": the system has none.',
    'Check the spelling, or declare it in `kinds`.',
  ],
  'a handler logs something that is no text': [
    handling((ctx) => {
      ctx.log(Symbol('text') as never);
      ctx.log(bare() as never);
      throw new Error('x');
    }),
    'noUncaughtException: a threw Error: x',
  ],
  'a state is no object': [
    starting(() => Symbol('x')),
    'seed 0: a: start returned Symbol(x), which is not a state.',
    'Return an object, such as { count: 0 }.',
  ],
  'a state is a revoked Proxy': [
    starting(revoked),
    "noUncaughtException: a threw TypeError: Cannot perform 'has' on a proxy that has been revoked",
  ],
  'a state holds a revoked Proxy': [
    starting(() => ({ inner: revoked() })),
    "seed 0: a: the state that start returns in event 1.inner cannot be looked at (it throws Cannot perform 'getPrototypeOf' on a proxy that has been revoked), which is not plain data.",
    PLAIN,
  ],
  'a state holds a Proxy that throws': [
    starting(() => ({ inner: proxy() })),
    'seed 0: a: the state that start returns in event 1.inner cannot be looked at (it throws trap), which is not plain data.',
    PLAIN,
  ],
  'a state has a getter that throws': [
    starting(() => ({
      get n() {
        return trap();
      },
    })),
    'seed 0: a: the state that start returns in event 1.n is an accessor, not a value, which is not plain data.',
    PLAIN,
  ],
  'a state is too deep': [
    starting(deep),
    'seed 0: a: the state that start returns in event 1.data.data.data.data.data.data.….data.data.data.data.data.data is more than 100 deep, which is not plain data.',
    PLAIN,
  ],
  'a state has an object whose class throws': [
    starting(() => ({
      x: Object.create({
        get constructor() {
          return trap();
        },
      }) as unknown,
    })),
    'seed 0: a: the state that start returns in event 1.x cannot be looked at (it throws trap), which is not plain data.',
    PLAIN,
  ],
  'a state has 20,000 entries': [
    starting(() => ({ list: Array.from({ length: 20_000 }, (_, n) => n) })),
    'nothing found in 2 executions',
  ],
};

testAll(table);
