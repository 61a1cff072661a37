import { expect, test } from 'vitest';
import { targetOf, resolveSystem } from 'culprit/kernel';
import { behavior, defineSystem, send, start } from 'culprit';
import { play } from '../transcript.ts';

type Message = { type: 'go' } | { type: 'question' } | { type: 'answer'; n: number } | { type: 'note' };

const asker = (blocking: boolean, timeoutMs?: number) =>
  behavior<{ got: string[] }, Message>({
    blocking,
    start: () => ({ got: [] }),
    async receive(state, message, ctx) {
      if (message.type !== 'go') {
        state.got.push(message.type);
        return;
      }
      try {
        const answer = await ctx.ask('b', { type: 'question' }, timeoutMs);
        state.got.push(`${answer.type} while handling ${ctx.from}`);
      } catch (error) {
        state.got.push(String(error));
      }
    },
  });

const answerer = behavior<{ asked: number }, Message>({
  start: () => ({ asked: 0 }),
  receive(state, _message, ctx) {
    state.asked += 1;
    ctx.send('a', { type: 'note' });
    ctx.reply({ type: 'answer', n: state.asked });
  },
});

const pair = (blocking: boolean, timeoutMs?: number) =>
  defineSystem({ processes: { a: asker(blocking, timeoutMs), b: answerer }, transport: { toAbsent: 'return' } });

const question = `start a
  start b
  send a {"type":"go"}
  deliver environment a
  deliver a b
  enabled`;

test('a reentrant process handles other messages while it waits for an answer', async () => {
  expect(await play(pair(false), `${question}\ndeliver b a\ndeliver b a`)).toMatchInlineSnapshot(`
    "
    1  a            starts                         got: []
    2  b            starts                         asked: 0
    3  environment  sends go to a
    4  a            gets go from environment
    5  b            gets question from a           asked: 0 → 1
       enabled: b→a note
    6  a            gets note from b               got.0: note (new)
    7  a            is answered answer (n 1) by b  got.1: answer while handling environment (new)
    "
  `);
});

test('a blocked process handles the answer first: earlier messages wait in the mailbox', async () => {
  expect(await play(pair(true), `${question}\ndeliver b a\ndeliver b a`)).toMatchInlineSnapshot(`
    "
    1  a            starts                         got: []
    2  b            starts                         asked: 0
    3  environment  sends go to a
    4  a            gets go from environment
    5  b            gets question from a           asked: 0 → 1
       enabled: b→a answer
    6  a            is answered answer (n 1) by b  got.0: answer while handling environment (new)
    7  a            gets note from b               got.1: note (new)
    "
  `);
});

test('an ask may time out; a later answer changes nothing', async () => {
  expect(await play(pair(false, 50), `${question}\nexpire a\ndeliver b a\ndeliver b a`)).toMatchInlineSnapshot(`
    "
    1  a            starts                         got: []
    2  b            starts                         asked: 0
    3  environment  sends go to a
    4  a            gets go from environment
    5  b            gets question from a           asked: 0 → 1
       enabled: a timeout b, b→a note
    6  a            gives up asking b              got.0: Error: b did not answer in time (new)
    7  a            gets note from b               got.1: note (new)
    8  a            is answered answer (n 1) by b
    "
  `);
});

test('an ask of an absent process fails if messages are returned', async () => {
  expect(
    await play(
      pair(false),
      `start a
       start b
       crash b
       send a {"type":"go"}
       deliver environment a
       return a`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts                                got: []
    2  b            starts                                asked: 0
    3  b            crashes
    4  environment  sends go to a
    5  a            gets go from environment
    6  a            gets question back: b is not running  got.0: Error: b is not there to be asked (new)
    "
  `);
});

test('an ask that fails before it is awaited fails at the await', async () => {
  const hasty = behavior<{ got: string[] }, Message>({
    start: () => ({ got: [] }),
    async receive(state, message, ctx) {
      if (message.type !== 'go') return;
      const first = ctx.ask('b', { type: 'question' });
      const second = ctx.ask('b', { type: 'question' }, 50);
      state.got.push((await first).type);
      await second.then(undefined, (error: unknown) => state.got.push(String(error)));
    },
  });
  expect(
    await play(
      defineSystem({ processes: { a: hasty, b: answerer } }),
      `start a
       start b
       send a {"type":"go"}
       deliver environment a
       expire a
       deliver a b
       deliver b a
       deliver b a`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts                         got: []
    2  b            starts                         asked: 0
    3  environment  sends go to a
    4  a            gets go from environment
    5  a            gives up asking b
    6  b            gets question from a           asked: 0 → 1
    7  a            gets note from b
    8  a            is answered answer (n 1) by b  got.0: answer (new), got.1: Error: b did not answer in time (new)
    "
  `);
});

test('messages and replies to the environment are output', async () => {
  const server = behavior<object, { type: string }>({
    start: () => ({}),
    receive(_state, _message, ctx) {
      ctx.reply({ type: 'done' });
    },
  });
  const session = targetOf(resolveSystem(defineSystem({ processes: { server } }))).open(1);
  await session.perform(start('server'));
  await session.perform(send('server', { type: 'get' }));
  const [delivery] = session.enabled;
  if (delivery !== undefined) await session.perform(delivery);
  expect(session.recording.notes.since(0)).toEqual([
    { kind: 'output', event: 2, process: 'server', message: { type: 'done' } },
  ]);
});
