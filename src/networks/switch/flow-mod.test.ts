import { describe, expect, test } from 'vitest';
import { output, plainFlowMod } from '../../../test/twins/networks/flow-mods.ts';
import { examine } from '../../trace/plain-data.ts';
import type { FlowMod, Match } from '../openflow/messages.ts';
import { applyFlowMod } from './flow-mod.ts';
import { byPriority, emptyTable, flowRemoved, type FlowEntry, type FlowTable } from './flow-table.ts';
import { entryFor, lookUp, nextExpiryMs, removeExpired } from './table-lookup.ts';
import type { PacketFields } from './packet-fields.ts';

const flowMod = (command: FlowMod['command'], match: Match, more: Partial<FlowMod> = {}): FlowMod => ({
  ...plainFlowMod,
  command,
  match,
  actions: [output(1)],
  ...more,
});

/** A table after these messages, of which none may fail. */
function tableAfter(...messages: readonly FlowMod[]): FlowTable {
  const table = emptyTable(100);
  for (const message of messages) expect(applyFlowMod(table, message, 0)).toHaveProperty('removed');
  return table;
}

const shown = ({ entries }: FlowTable) =>
  byPriority(entries).map(({ match, priority, actions }) => ({ match, priority, actions }));

const packet: PacketFields = {
  inPort: 1,
  dlSrc: '00:00:5e:00:53:01',
  dlDst: '00:00:5e:00:53:02',
  dlVlan: 'none',
  dlVlanPcp: 0,
  dlType: 0x0806,
  nwTos: 0,
  nwProto: 1,
  nwSrc: 0x0a000001,
  nwDst: 0x0a000002,
  tpSrc: 0,
  tpDst: 0,
};

const exact: Match = {
  inPort: 1,
  dlSrc: '00:00:5e:00:53:01',
  dlDst: '00:00:5e:00:53:02',
  dlVlan: 'none',
  dlVlanPcp: 0,
  dlType: 0x0806,
  nwTos: 0,
  nwProto: 1,
  nwSrc: '10.0.0.1',
  nwDst: '10.0.0.2',
  tpSrc: 0,
  tpDst: 0,
};

describe('a packet gets', () => {
  test('the entry of the highest priority, and the older one of equal priority', () => {
    const table = tableAfter(
      flowMod('add', { inPort: 1 }, { priority: 5 }),
      flowMod('add', { dlType: 0x0806 }, { priority: 7, cookie: 1 }),
      flowMod('add', { dlVlan: 'none' }, { priority: 7, cookie: 2 }),
      flowMod('add', { inPort: 2 }, { priority: 9 }),
    );
    expect(table.entries.map(({ priority }) => priority)).toEqual([5, 7, 7, 9]);
    expect(byPriority(table.entries).map(({ priority }) => priority)).toEqual([9, 7, 7, 5]);
    expect(entryFor(table, packet)?.cookie).toBe(1);
    expect(entryFor(table, { ...packet, inPort: 3, dlVlan: 5, dlType: 0 })).toBeUndefined();
  });

  test('an entry without wildcards before all others, with any priority in its message', () => {
    const table = tableAfter(
      flowMod('add', { inPort: 1 }, { priority: 65534 }),
      flowMod('add', exact, { priority: 3 }),
      flowMod('add', exact, { priority: 4, cookie: 9 }),
    );
    expect(table.entries.map(({ priority }) => priority)).toEqual([65534, 65535]);
    expect(entryFor(table, packet)?.cookie).toBe(9);
    applyFlowMod(table, flowMod('delete_strict', exact, { priority: 0 }), 0);
    expect(table.entries).toHaveLength(1);
  });

  test('counted', () => {
    const table = tableAfter(flowMod('add', { inPort: 1 }));
    lookUp(table, packet, 60, 10);
    lookUp(table, packet, 100, 20);
    lookUp(table, { ...packet, inPort: 2 }, 60, 30);
    expect(table).toMatchObject({ lookupCount: 3, matchedCount: 2 });
    expect(table.entries[0]).toMatchObject({ packetCount: 2, byteCount: 160, usedAtMs: 20, modifiedAtMs: 0 });
    examine(table, 'a table', false);
  });
});

describe('add', () => {
  test('replaces the entry with the same match and priority, and its counters and times', () => {
    const table = tableAfter(flowMod('add', { inPort: 1 }, { flags: ['send_flow_rem'] }));
    lookUp(table, packet, 60, 10);
    const again = flowMod('add', { inPort: 1, nwProto: 6 }, { actions: [output(2)] });
    expect(applyFlowMod(table, again, 50)).toEqual({ removed: [] });
    expect(table.entries).toMatchObject([{ actions: [output(2)], packetCount: 0, createdAtMs: 50, usedAtMs: 50 }]);
  });

  test('with check_overlap is refused if packets could match an entry of the same priority, too', () => {
    const table = tableAfter(flowMod('add', { inPort: 1 }));
    const checked = (match: Match, priority = 100) =>
      applyFlowMod(table, flowMod('add', match, { priority, flags: ['check_overlap'] }), 0);
    expect(checked({ dlType: 0x0806 })).toEqual({ error: 'flow_mod_failed', code: 'overlap' });
    expect(checked({ inPort: 2 })).toEqual({ removed: [] });
    expect(checked({ dlType: 0x0806 }, 99)).toEqual({ removed: [] });
    expect(checked({ inPort: 1 })).toEqual({ removed: [] });
    expect(table.entries).toHaveLength(3);
  });

  test('is refused if the table is full, unless it replaces an entry', () => {
    const table = emptyTable(1);
    applyFlowMod(table, flowMod('add', { inPort: 1 }), 0);
    const full = { error: 'flow_mod_failed', code: 'all_tables_full' };
    expect(applyFlowMod(table, flowMod('add', { inPort: 2 }), 0)).toEqual(full);
    expect(applyFlowMod(table, flowMod('modify', { inPort: 2 }), 0)).toEqual(full);
    expect(applyFlowMod(table, flowMod('add', { inPort: 1 }, { cookie: 8 }), 0)).toEqual({ removed: [] });
    expect(table.entries).toMatchObject([{ match: { inPort: 1 }, cookie: 8 }]);
  });

  test.each<[string, Partial<FlowMod>, object]>([
    ['for emergencies', { flags: ['emerg'] }, { error: 'flow_mod_failed', code: 'all_tables_full' }],
    [
      'of a vendor',
      { actions: [{ type: 'vendor', vendor: 0x2320, data: '' }] },
      { error: 'bad_action', code: 'bad_vendor' },
    ],
    ['with an output to the table', { actions: [output('table')] }, { error: 'bad_action', code: 'bad_out_port' }],
    ['with a normal output', { actions: [output('normal')] }, { error: 'bad_action', code: 'bad_out_port' }],
  ])('is refused %s', (_which, more, error) => {
    const table = emptyTable(5);
    expect(applyFlowMod(table, flowMod('add', {}, more), 0)).toEqual(error);
    expect(table.entries).toEqual([]);
  });
});

describe('modify', () => {
  const before = [
    flowMod('add', { inPort: 1, dlType: 0x0800, nwSrc: '10.1.0.0/16' }, { priority: 3, idleTimeout: 9 }),
    flowMod('add', { inPort: 1 }, { priority: 2 }),
  ];

  test('changes the actions of all entries that it covers, and keeps the rest', () => {
    const table = tableAfter(...before);
    lookUp(table, { ...packet, dlType: 0 }, 60, 10);
    applyFlowMod(table, flowMod('modify', { inPort: 1 }, { actions: [output(7)], cookie: 5, priority: 9 }), 20);
    expect(table.entries).toMatchObject([
      { priority: 3, actions: [output(7)], cookie: 5, idleTimeout: 9, createdAtMs: 0, modifiedAtMs: 20 },
      { priority: 2, actions: [output(7)], packetCount: 1, usedAtMs: 10 },
    ]);
  });

  test('covers entries of longer prefixes only', () => {
    const table = tableAfter(...before);
    const longer = { inPort: 1, dlType: 0x0800, nwSrc: '10.1.0.0/24' };
    applyFlowMod(table, flowMod('modify', longer, { actions: [] }), 0);
    expect(shown(table)).toMatchObject([
      { priority: 100, match: longer, actions: [] },
      { priority: 3, actions: [output(1)] },
      { priority: 2, actions: [output(1)] },
    ]);
  });

  test('if strict, changes the entry with the same match and priority, or adds one', () => {
    const table = tableAfter(...before);
    applyFlowMod(table, flowMod('modify_strict', { inPort: 1 }, { priority: 2, actions: [] }), 0);
    applyFlowMod(table, flowMod('modify_strict', { inPort: 1 }, { priority: 4, actions: [] }), 0);
    expect(table.entries.map(({ priority, actions }) => [priority, actions.length])).toEqual([
      [3, 1],
      [2, 0],
      [4, 0],
    ]);
  });
});

describe('delete', () => {
  const before = [
    flowMod('add', { inPort: 1 }, { priority: 1, actions: [output(2)] }),
    flowMod('add', { dlType: 0x0806 }, { priority: 2, actions: [{ type: 'enqueue', port: 2, queueId: 0 }] }),
    flowMod('add', {}, { priority: 3, actions: [output('flood')] }),
  ];
  const left = (message: FlowMod): number[] => {
    const table = tableAfter(...before, message);
    return byPriority(table.entries).map(({ priority }) => priority);
  };

  test('removes the entries that it covers, also if fields are set that the standard ignores', () => {
    expect(left(flowMod('delete', { nwSrc: '0.0.0.0', nwTos: 0, nwProto: 0, tpSrc: 0 }))).toEqual([]);
    expect(left(flowMod('delete', { inPort: 1 }))).toEqual([3, 2]);
    expect(left(flowMod('delete', { inPort: 1, dlType: 0x0806 }))).toEqual([3, 2, 1]);
  });

  test('removes only entries that send to a port, if it names one', () => {
    expect(left(flowMod('delete', {}, { outPort: 2 }))).toEqual([3]);
    expect(left(flowMod('delete', {}, { outPort: 'flood' }))).toEqual([2, 1]);
    expect(left(flowMod('delete_strict', { inPort: 1 }, { priority: 1, outPort: 3 }))).toEqual([3, 2, 1]);
  });

  test('if strict, removes the entry with the same match and priority', () => {
    expect(left(flowMod('delete_strict', {}, { priority: 3 }))).toEqual([2, 1]);
    expect(left(flowMod('delete_strict', {}, { priority: 2 }))).toEqual([3, 2, 1]);
  });

  test('returns what was removed', () => {
    const table = tableAfter(flowMod('add', { inPort: 1 }, { flags: ['send_flow_rem'], cookie: 4 }));
    lookUp(table, packet, 60, 10);
    const result = applyFlowMod(table, flowMod('delete', {}), 2500);
    const [removed] = 'removed' in result ? result.removed : [];
    expect(removed && flowRemoved(removed, 8, 2500)).toEqual({
      type: 'flow_removed',
      xid: 8,
      match: { inPort: 1 },
      cookie: 4,
      priority: 100,
      reason: 'delete',
      durationSec: 2,
      durationNsec: 500_000_000,
      idleTimeout: 0,
      packetCount: 1,
      byteCount: 60,
    });
  });
});

describe('an entry expires', () => {
  const reasons = (table: FlowTable, nowMs: number) => removeExpired(table, nowMs).map(({ reason }) => reason);

  test('a time after it was used, or after it was added or modified', () => {
    const table = tableAfter(flowMod('add', { inPort: 1 }, { idleTimeout: 2, hardTimeout: 5 }));
    lookUp(table, packet, 60, 1500);
    expect(nextExpiryMs(table)).toBe(3500);
    expect(reasons(table, 3499)).toEqual([]);
    lookUp(table, packet, 60, 3499);
    applyFlowMod(table, flowMod('modify', {}), 3500);
    expect(nextExpiryMs(table)).toBe(5499);
    lookUp(table, packet, 60, 5000);
    lookUp(table, packet, 60, 6900);
    expect(reasons(table, 8499)).toEqual([]);
    expect(reasons(table, 8500)).toEqual(['hard_timeout']);
    expect(nextExpiryMs(table)).toBe(Infinity);
  });

  test('with the reason that comes first, and is reported only if asked', () => {
    const table = tableAfter(
      flowMod('add', { inPort: 1 }, { idleTimeout: 2, flags: ['send_flow_rem'] }),
      flowMod('add', { inPort: 2 }, { idleTimeout: 2 }),
      flowMod('add', { inPort: 3 }),
    );
    const removed = removeExpired(table, 2000);
    expect(removed.map(({ reason }) => reason)).toEqual(['idle_timeout', 'idle_timeout']);
    expect(removed.map((one) => flowRemoved(one, 0, 2000)?.match)).toEqual([{ inPort: 1 }, undefined]);
    expect(table.entries.map(({ match }: FlowEntry) => match)).toEqual([{ inPort: 3 }]);
  });
});
