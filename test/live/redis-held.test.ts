import { behavior, send } from 'culprit';
import { command, resp, tcp, type FrameMessage } from 'culprit/live';
import { expect, inject, test } from 'vitest';
import { DrivenSession } from './driven-session.ts';

const server = 'redis-server --bind $address --port $port --dir $dir --save "" --logfile $dir/log';

/** Sends a command, and keeps what comes back. */
const client = behavior({
  start: () => ({ replies: [] as unknown[] }),
  receive(state, message: { to: string; command: string[] } | FrameMessage | string[], ctx) {
    if ('to' in message) ctx.send(message.to, message.command);
    else state.replies.push((message as FrameMessage).content);
  },
});

test.each([
  ['with a file', '--repl-diskless-sync no'],
  ['without one', '--repl-diskless-sync yes --repl-diskless-sync-delay 0'],
])('replication of Redis is held frame by frame, %s', async (_, how) => {
  const found = inject('programs').redisServer;
  if ('problem' in found) throw new Error(found.problem);
  const driven = await DrivenSession.start({
    primary: command(`${server} ${how}`, { port: 6379, connect: tcp(resp()) }),
    replica: command(`${server} --replicaof $address.primary $port.primary`, { port: 6379, connect: tcp(resp()) }),
    client,
  });
  const got = (): unknown[] => (driven.session.world.process('client').state as { replies: unknown[] }).replies;
  const delivered = (): string[] =>
    driven.session.recording.events
      .since(0)
      .flatMap((event) => (event.kind === 'deliver' && event.process === 'replica' ? [typeOf(event.message)] : []));
  await driven.deliverUntil('the first copy', () => delivered().includes('RDB'));
  expect(driven.inFlightTo('replica').includes('SET')).toBe(false);
  await driven.perform(send('client', { to: 'primary', command: ['SET', 'x', 'ä\u0000\r\n'] }));
  await driven.deliverUntil('the write at the replica', () => delivered().includes('SET'));
  await driven.perform(send('client', { to: 'replica', command: ['GET', 'x'] }));
  await driven.deliverUntil('two replies', () => got().length === 2);
  expect(got()).toEqual(['OK', 'ä\u0000\r\n']);
  expect([...driven.observed('primary'), ...driven.observed('replica')]).toEqual([
    ['opens connection', { to: 'primary', lane: 'replica 1' }],
  ]);
});

const typeOf = (message: unknown): string => (message as { type?: string }).type ?? 'other';
