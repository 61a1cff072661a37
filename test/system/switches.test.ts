import { act, behavior, check, crash, defineSystem, minimize, replay, restart, search, send } from 'culprit';
import { storyLines } from 'culprit/report';
import {
  failControl,
  loseFlowMod,
  openflowSwitch,
  recoverControl,
  resetChannel,
  type SwitchMessage,
} from 'culprit/networks';
import { describe, expect, test } from 'vitest';
import { output, plainFlowMod } from '../twins/networks/flow-mods.ts';

/** Systems with switches go through hunts, replays, minimization and checks like others. */

const packet = '00005e00530200005e0053011234';
const ports = [1, 2].map((portNo) => ({ portNo, hwAddr: `00:00:5e:00:53:0${portNo}` }));

describe('a delayed flow table', () => {
  /** Makes an entry for a packet, and sends the packet through the table. */
  const controller = (waits: boolean) =>
    behavior({
      start: () => ({ packets: 0 }),
      receive(state, message: SwitchMessage, ctx) {
        if (message.type !== 'packet_in') return;
        state.packets++;
        ctx.send(ctx.from, plainFlowMod);
        if (waits) ctx.send(ctx.from, { type: 'barrier_request', xid: 2 });
        const { data } = message;
        ctx.send(ctx.from, {
          type: 'packet_out',
          xid: 3,
          bufferId: 'none',
          inPort: 1,
          actions: [output('table')],
          data,
        });
      },
    });
  const system = (waits: boolean, delayedTable: 'fifo' | 'unordered') =>
    defineSystem({
      processes: {
        c1: controller(waits),
        s1: openflowSwitch({ datapathId: 1, controllers: ['c1'], ports, buffers: 0, delayedTable }),
      },
      workload: [send('s1', { type: 'frame', port: 1, packet })],
      invariants: {
        once: (world) => (world.process('c1').state?.packets ?? 0) <= 1 || 'a packet missed its entry',
      },
    });

  test('is hunted, minimized and replayed', async () => {
    const { findings } = await search(system(false, 'unordered'), { executions: 50 });
    const [finding] = findings;
    if (finding === undefined) throw new Error('nothing was found');
    const { trace } = await minimize(system(false, 'unordered'), finding.trace);
    expect(storyLines(trace.events).some((line) => line.includes('has written flow_mod 1'))).toBe(false);
    // Two starts, hello, the frame sent and delivered, packet_in, flow_mod, packet_out, packet_in.
    expect(trace.events).toHaveLength(9);
    expect((await replay(system(false, 'unordered'), trace)).verdict).toEqual(trace.verdict);
  });

  test.each(['fifo', 'unordered'] as const)('that is %s is checked by all searches', async (order) => {
    for (const by of ['dpor', 'depth', 'worlds'] as const) {
      expect((await check(system(false, order), { search: by })).verdict).toBe('violated');
      expect((await check(system(true, order), { search: by })).verdict).toBe('holds');
    }
  });
});

describe('failures of a switch', () => {
  /** Wrong: a switch that it knows gets no entry when it comes back. */
  const controller = behavior({
    start: () => ({ known: [] as string[] }),
    receive(state, message: SwitchMessage, ctx) {
      if (message.type !== 'hello') return;
      ctx.send(ctx.from, message);
      if (state.known.includes(ctx.from)) return;
      state.known.push(ctx.from);
      ctx.send(ctx.from, plainFlowMod);
    },
  });
  const system = defineSystem({
    processes: { c1: controller, s1: openflowSwitch({ datapathId: 1, controllers: ['c1'], ports, connectTries: 2 }) },
    workload: [
      resetChannel('s1', 'c1'),
      failControl('s1'),
      recoverControl('s1'),
      crash('s1'),
      restart('s1'),
      act('lose', { to: 's1' }),
      failControl('s1'),
      recoverControl('s1'),
    ],
    actions: { lose: loseFlowMod },
    faults: { losses: 1 },
    invariants: {
      hasEntry: (world) => {
        const state = world.process('s1').state;
        const isConnected = state?.channels['c1']?.status === 'connected' && world.pending.length === 0;
        return !isConnected || state.table.entries.length === 1 || 's1 is connected and has no entry';
      },
    },
  });

  test('are left out by minimize, except the one that matters', async () => {
    const { findings } = await search(system, { executions: 200 });
    const [finding] = findings;
    if (finding === undefined) throw new Error('nothing was found');
    const { trace } = await minimize(system, finding.trace);
    const externals = trace.events.filter(({ kind }) => ['send', 'crash', 'restart', 'act'].includes(kind));
    expect(externals.map((event) => ('message' in event ? event.message : event.kind))).toEqual(['crash', 'restart']);
    expect((await replay(system, trace)).verdict).toEqual(trace.verdict);
  });
});
