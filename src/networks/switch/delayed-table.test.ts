import { describe, expect, test } from 'vitest';
import { endTables, shownTable, type DelayedScript } from '../../../test/twins/networks/delayed-orders.ts';
import { output, plainFlowMod } from '../../../test/twins/networks/flow-mods.ts';
import { hwAddr } from '../../../test/twins/networks/small-network.ts';
import { targetOf } from '../../hosts/target.ts';
import type { Behavior } from '../../kernel/behavior.ts';
import { Random } from '../../kernel/data/random.ts';
import type { Session } from '../../kernel/ports.ts';
import { defineSystem } from '../../system/define-system.ts';
import { start } from '../../system/externals.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { hex } from '../../trace/digest.ts';
import type { FlowMod, Message } from '../openflow/messages.ts';
import { openflowSwitch } from './openflow-switch.ts';
import type { SwitchMessage, SwitchOptions, SwitchState } from './switch-state.ts';

type Order = NonNullable<SwitchOptions['delayedTable']>;

/** Sends its messages when it starts, and keeps the types of what it gets. */
const scripted = (messages: readonly Message[]): Behavior<{ got: string[] }, SwitchMessage> => ({
  start(ctx) {
    for (const message of messages) ctx.send('s1', message);
    return { got: [] };
  },
  receive(state, message) {
    if (message.type !== 'hello') state.got.push(message.type);
  },
});

function opened(scripts: readonly (readonly Message[])[], delayedTable: Order | undefined): Session {
  const controllers = Object.fromEntries(scripts.map((script, index) => [`c${index + 1}`, scripted(script)]));
  const s1 = openflowSwitch({
    datapathId: 1,
    controllers: Object.keys(controllers),
    ports: [1, 2].map((portNo) => ({ portNo, hwAddr: hwAddr(portNo), peer: { process: `h${portNo}`, port: 1 } })),
    ...(delayedTable === undefined ? {} : { delayedTable }),
  });
  const stations = { h1: scripted([]), h2: scripted([]) };
  const session = targetOf(resolveSystem(defineSystem({ processes: { ...controllers, ...stations, s1 } }))).open(1);
  for (const name of [...Object.keys(controllers), 'h1', 'h2', 's1']) void session.perform(start(name));
  // The hellos of the switch make no difference, and many orders.
  for (const hello of session.enabled.filter(({ process }) => process !== 's1')) void session.perform(hello);
  return session;
}

const tableState = (session: Session): SwitchState => session.world.process('s1').state as SwitchState;
const gotBy = (session: Session, name: string): readonly string[] =>
  (session.world.process(name).state as { got: string[] }).got;

/** All worlds that can be reached. */
function* everyWorldOf(session: Session): Generator<Session> {
  const seen = new Set<string>();
  const left = [session];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const name = hex(next.worldDigest());
    if (seen.has(name)) continue;
    seen.add(name);
    yield next;
    for (const event of next.enabled) {
      const copy = (next.fork as () => Session)();
      void copy.perform(event);
      left.push(copy);
    }
  }
}

let xid = 0;
const flowMod = (port: number, more: Partial<FlowMod> = {}): FlowMod => ({
  ...plainFlowMod,
  xid: ++xid,
  actions: [output(port)],
  ...more,
});
const barrier: Message = { type: 'barrier_request', xid: 99 };

/** Flow_mods about two matches, whose order often counts, and barriers. */
function randomScript(random: Random, length: number): DelayedScript {
  return Array.from({ length }, (_, at) => {
    if (at > 0 && random.below(3) === 0) return 'barrier';
    const command = random.pick(['add', 'add', 'modify', 'delete', 'delete_strict'] as const);
    return flowMod(1 + random.below(9), { command, match: random.pick([{}, { inPort: 1 }]) });
  });
}

describe.each(['fifo', 'unordered'] as const)('with a table that is %s', (order) => {
  test.each([1, 2, 3, 4, 5, 6])('the end tables are those of all allowed orders, seed %i', (seed) => {
    const random = Random.seeded(seed, 0xde1a);
    const scripts = seed % 2 === 0 ? [randomScript(random, 5)] : [randomScript(random, 3), randomScript(random, 1)];
    const sent = scripts.map((script) => script.map((item) => (item === 'barrier' ? barrier : item)));
    const ends = new Set<string>();
    for (const session of everyWorldOf(opened(sent, order))) {
      const { table, delayed, behindBarriers } = tableState(session);
      for (const [index, script] of scripts.entries()) expectHeeded(session, `c${index + 1}`, script);
      if (session.enabled.length > 0) continue;
      expect([delayed, behindBarriers]).toEqual([[], []]);
      ends.add(shownTable(table));
    }
    expect([...ends].toSorted()).toEqual([...endTables(scripts, order)].toSorted());
  });

  test('several scripts have more than one end table only if the order is free', () => {
    const scripts = [[flowMod(1), flowMod(2)]];
    expect(endTables(scripts, order).size).toBe(order === 'fifo' ? 1 : 2);
  });
});

/** Every flow_mod before a barrier that was answered has taken effect. */
function expectHeeded(session: Session, controller: string, script: DelayedScript): void {
  const answered = gotBy(session, controller).filter((type) => type === 'barrier_reply').length;
  if (answered === 0) return;
  const barriers = script.flatMap((item, at) => (item === 'barrier' ? [at] : []));
  const before = script.slice(0, barriers[answered - 1]).flatMap((item) => (item === 'barrier' ? [] : [item.xid]));
  for (const { flowMod: waiting } of tableState(session).delayed) expect(before).not.toContain(waiting.xid);
}

describe('a packet_out for the table', () => {
  const packetOut: Message = {
    type: 'packet_out',
    xid: 5,
    bufferId: 'none',
    inPort: 1,
    actions: [{ type: 'output', port: 'table', maxLen: 0 }],
    data: '00005e00530200005e0053011234',
  };
  /** How the packet can end: at the station, or at the controller. */
  const fates = (script: readonly Message[], order: Order | undefined): string[] => {
    const found = new Set<string>();
    for (const session of everyWorldOf(opened([script], order))) {
      if (session.enabled.length > 0) continue;
      found.add([...gotBy(session, 'h2'), ...gotBy(session, 'c1')].join(' '));
    }
    return [...found].toSorted();
  };

  test('may overtake a delayed flow_mod, but no barrier', () => {
    expect(fates([flowMod(2), packetOut], undefined)).toEqual(['frame']);
    expect(fates([flowMod(2), packetOut], 'fifo')).toEqual(['frame', 'packet_in']);
    expect(fates([flowMod(2), barrier, packetOut], 'unordered')).toEqual(['frame barrier_reply']);
  });
});

test('a crash loses the flow_mods that wait', () => {
  const session = opened([[flowMod(1), barrier]], 'unordered');
  for (;;) {
    const next = session.enabled.find(({ kind }) => kind === 'deliver');
    if (next === undefined) break;
    void session.perform(next);
  }
  expect(tableState(session).delayed).toHaveLength(1);
  expect(session.enabled).toMatchObject([
    { kind: 'complete', operation: 'write', key: 'flow_mod 1', value: 'add priority 100: output 1' },
  ]);
  void session.perform({ kind: 'crash', process: 's1' });
  expect(session.enabled).toEqual([]);
});
