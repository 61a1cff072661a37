import { expect, test } from 'vitest';
import { behavior, defineSystem } from 'culprit';
import { play } from '../transcript.ts';

const hearer = behavior<{ heard: string[] }, { type: string }>({
  start: () => ({ heard: [] }),
  receive(state, message) {
    state.heard.push(message.type);
  },
});

const forwarder = behavior<object, { type: string }>({
  start: () => ({}),
  receive(_state, message, ctx) {
    ctx.send('b', message);
  },
});

test('a process that crashes or stops notifies the running ones, if the transport does, after its earlier messages', async () => {
  const system = defineSystem({
    processes: { a: forwarder, b: hearer, c: hearer, d: hearer },
    transport: { onCrash: { to: 'drop', from: 'keep', notice: { type: 'gone' } } },
  });
  const commands = `start a
    start b
    start c
    send a {"type":"x"}
    deliver environment a
    stop c
    crash a
    restart c
    deliver a b
    deliver a b
    deliver c b
    enabled`;
  expect(await play(system, commands)).toMatchInlineSnapshot(`
    "
     1  a            starts
     2  b            starts                              heard: []
     3  c            starts                              heard: []
     4  environment  sends x to a
     5  a            gets x from environment
     6  c            stops
     7  a            crashes; gone to a is lost (crash)
     8  c            restarts                            heard: []
     9  b            gets x from a                       heard.0: x (new)
    10  b            gets gone from a                    heard.1: gone (new)
    11  b            gets gone from c                    heard.2: gone (new)
       enabled: nothing
    "
  `);
});
