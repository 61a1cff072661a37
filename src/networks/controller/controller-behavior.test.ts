import { expect, test } from 'vitest';
import { targetOf } from '../../hosts/target.ts';
import type { Session } from '../../kernel/ports.ts';
import { send, start } from '../../system/externals.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { defineNetwork } from '../network/define-network.ts';
import type { SwitchState } from '../switch/switch-state.ts';
import { linear } from '../topology/line.ts';
import { controllerBehavior, switchAt } from './controller-behavior.ts';
import { output } from './packet-outs.ts';

/** Notes every call of a handler. */
const noting = controllerBehavior<{ calls: string[] }>({
  start: () => ({ calls: [] }),
  connected({ calls }, at, ctx) {
    calls.push(`connected ${at.name}`);
    ctx.setTimer('later', 5000);
    at.addFlow({ match: { inPort: 8 }, actions: [] });
    at.addFlow({ match: { inPort: 9 }, actions: [], hardTimeout: 1, flags: ['send_flow_rem'] });
    at.addFlow({ match: { inPort: 9 }, actions: [], flags: ['emerg'] });
    at.send({ type: 'barrier_request', xid: 7 });
    at.send({ type: 'stats_request', xid: 8, flags: [], stats: 'table' });
  },
  features: ({ calls }, { ports }) => void calls.push(`features: ${ports.length} ports`),
  packetIn({ calls }, packet, from) {
    calls.push(`packetIn ${packet.frame.dlDst} at ${packet.inPort}, buffer ${packet.bufferId}`);
    from.addFlow({ match: { dlDst: packet.frame.dlDst }, actions: [output('in_port')], packet });
  },
  portStatus: ({ calls }, { desc }) => void calls.push(`portStatus ${desc.portNo} ${desc.state.join()}`),
  flowRemoved: ({ calls }, { reason }) => void calls.push(`flowRemoved ${reason}`),
  error: ({ calls }, { code }) => void calls.push(`error ${code}`),
  barrierReply: ({ calls }, { xid }) => void calls.push(`barrierReply ${xid}`),
  statsReply: ({ calls }, { stats }) => void calls.push(`statsReply ${stats}`),
  closed: ({ calls }, at) => void calls.push(`closed ${at.name}`),
  receive: ({ calls }, { type }) => void calls.push(`receive ${type}`),
  timer(state, timer, ctx) {
    state.calls.push(`timer ${timer}`);
    switchAt(ctx, 's1').deleteFlows();
  },
});

async function until(session: Session, ends: (events: Session['enabled']) => boolean): Promise<void> {
  while (!ends(session.enabled)) await session.perform(session.enabled[0] as never);
}

async function opened(buffers: number): Promise<{ session: Session; calls: () => string[] }> {
  const system = defineNetwork({ topology: linear(1), controllers: { c1: noting }, switches: { buffers } });
  const session = targetOf(resolveSystem(system)).open(1);
  for (const name of ['c1', 's1']) await session.perform(start(name));
  return { session, calls: () => (session.world.process('c1').state as { calls: string[] }).calls };
}

test('each message has its handler, and hellos and echo requests are answered', async () => {
  const { session, calls } = await opened(256);
  await until(session, (events) => events.length === 0);
  await session.perform(send('c1', { type: 'echo_request', xid: 3, data: 'ab' }));
  await session.perform(send('c1', { type: 'closed' }));
  await session.perform(send('c1', { type: 'link', port: 1, isUp: true }));
  await session.perform(
    send('c1', { type: 'packet_in', xid: 1, bufferId: 1, totalLen: 1, inPort: 1, reason: 'no_match', data: '00' }),
  );
  await session.perform(send('s1', { type: 'link', port: 1, isUp: false }));
  await until(session, (events) => events.length === 0);
  expect(calls()[0]).toBe('connected s1');
  expect(calls().slice(1).toSorted()).toEqual([
    'barrierReply 7',
    'closed environment',
    'error all_tables_full',
    'features: 1 ports',
    'flowRemoved hard_timeout',
    'portStatus 1 link_down',
    'receive link',
    'receive packet_in',
    'statsReply table',
    'timer later',
  ]);
  const outputs = session.recording.notes.since(0).flatMap((note) => (note.kind === 'output' ? [note.message] : []));
  expect(outputs).toEqual([{ type: 'echo_reply', xid: 3, data: 'ab' }]);
  expect((session.world.process('s1').state as unknown as SwitchState).table.entries).toEqual([]);
});

test.each([0, 256])('a packet takes the way of its new entry, with %i buffers', async (buffers) => {
  const { session, calls } = await opened(buffers);
  const packet = `00005e005301${'00005e005302'}88b5${'00'.repeat(20)}`;
  await session.perform(send('s1', { type: 'frame', port: 1, packet }));
  await until(session, (events) => events.length === 0);
  expect(calls()).toContain(`packetIn 00:00:5e:00:53:01 at 1, buffer ${buffers === 0 ? 'none' : 1}`);
  const { stations } = session.world.process('s1').state as unknown as { stations: Record<string, { frames: number }> };
  expect(stations['h1']?.frames).toBe(1);
});
