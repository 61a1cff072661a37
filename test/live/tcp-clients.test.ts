import { behavior, defineSystem, linearizable, models, search, send, until, type System } from 'culprit';
import type { World } from 'culprit/kernel';
import { command, http1, jsonLines, tcp, type FrameMessage } from 'culprit/live';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DrivenSession } from './driven-session.ts';

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

type Request = { readonly type: 'write'; readonly value: number } | { readonly type: 'read' };

type Keyed = Request & { readonly key: string };

/** Sends the requests of the environment to a store written in Python, and notes them for the oracle. */
const client = behavior({
  start: () => ({ call: 0, replies: 0 }),
  receive(state, message: Request | FrameMessage | Keyed, ctx) {
    if (ctx.from === 'environment') {
      const request = message as Request;
      state.call = ctx.history.call(request.type === 'read' ? { f: 'read' } : { f: 'write', value: request.value });
      ctx.send('store', { key: 'x', ...request });
    } else {
      ctx.history.return(state.call, (message as { content: { value?: unknown } }).content.value);
      state.replies += 1;
    }
  },
});

const hasReplies = (count: number) => (world: World) =>
  (world.process('client').state as { replies: number } | undefined)?.replies === count;

const storing = (...options: string[]): System =>
  defineSystem({
    processes: {
      store: command(['python3', program('store.py'), '$port', '$address', ...options], {
        port: 7003,
        connect: tcp(jsonLines()),
      }),
      client,
    },
    pace: { roundMs: 10_000, quietMs: 50 },
    workload: [
      send('client', { type: 'write', value: 1 }),
      until(hasReplies(1)),
      send('client', { type: 'write', value: 2 }),
      until(hasReplies(2)),
      send('client', { type: 'read' }),
      until(hasReplies(3)),
    ],
    oracles: { register: linearizable(models.register()) },
  });

test('the history of a client of a store in Python is judged', async () => {
  const { findings: none, unknown } = await search(storing(), { executions: 2 });
  expect([none, unknown]).toEqual([[], 0]);
  const { findings } = await search(storing('stale'), { executions: 1 });
  expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'register' });
  const read = findings[0]?.trace.events.find((event) => event.kind === 'deliver' && event.process === 'store');
  expect(read).toMatchObject({ from: 'client', message: { key: 'x', type: 'write', value: 1 } });
});

test('a client of a web server gets its responses in order, on one connection', async () => {
  const got: FrameMessage[] = [];
  const browser = behavior({
    start: () => ({}),
    receive(_state, message: unknown, ctx) {
      if (ctx.from === 'web') got.push(message as FrameMessage);
      else for (const request of message as unknown[]) ctx.send('web', request);
    },
  });
  const driven = await DrivenSession.start({
    web: command([process.execPath, program('web.mjs'), '$port', '$address'], { port: 7004, connect: tcp(http1()) }),
    browser,
  });
  const requests = [{ type: 'PUT /a', content: { body: 'ä' } }, 'HEAD /a', 'GET /a', 'GET /chunks', 'GET /b'];
  await driven.perform(send('browser', requests));
  await driven.deliverUntil('the last response', () => bodies(got).includes('nothing'));
  const inOrder = ['204 No Content', '200 OK', '200 OK', '200 OK', 'chunk', 'chunk', 'last chunk', '200 OK'];
  expect(got.map(({ type }) => type)).toEqual(inOrder);
  expect(bodies(got)).toEqual(['ä', 'nothing']);
  expect(driven.observed('web')).toEqual([]);
});

const bodies = (messages: readonly FrameMessage[]): string[] =>
  messages.flatMap(({ content }) => (content as { body?: string } | null)?.body ?? []);
