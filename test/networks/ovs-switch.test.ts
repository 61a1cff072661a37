import { describe, expect, test } from 'vitest';
import { buildFrame, type Action, type FlowMod, type Frame, type Match } from 'culprit/networks';
import { arrivingPacket as packet, numberedFlowMod as flowMod, output } from '../twins/networks/flow-mods.ts';
import { compareInputs, compareWithOvs } from '../twins/networks/ovs/compare-with-ovs.ts';
import { ovsOfFile } from './peers.ts';

const ovs = ovsOfFile();

const seeds = Array.from({ length: 50 }, (_, index) => index + 1);

test.each(seeds)('Open vSwitch agrees about 200 flow_mods and 200 packets of seed %i', async (seed) => {
  const { ours, process, theirs } = await compareWithOvs(ovs(), seed, 200);
  expect(ours).toEqual(theirs);
  expect(process).toEqual(theirs);
  expect(Object.values(ours.sent).flat().length).toBeGreaterThan(50);
});

const ethernet = { dlDst: '00:00:5e:00:53:02', dlSrc: '00:00:5e:00:53:01' };
const opaque = (dlType: number, data: string): Frame => ({
  ...ethernet,
  dlType,
  payload: { kind: 'opaque', data: data.padEnd(100, '0') },
});
const unknown = buildFrame(opaque(0x1234, ''));

describe('Open vSwitch agrees', () => {
  test('that the same entry is no overlap, and others of the same priority are', async () => {
    const flags: FlowMod['flags'] = ['check_overlap'];
    const { ours, theirs } = await compareInputs(ovs(), [
      flowMod('add', { inPort: 1 }),
      flowMod('add', { inPort: 1 }, { flags, actions: [output(3)] }),
      flowMod('add', { dlType: 0x0806 }, { flags }),
      flowMod('add', { dlType: 0x0806 }, { flags, priority: 99 }),
      flowMod('add', { inPort: 2 }, { flags }),
      flowMod('add', { dlVlan: 'none' }, { priority: 50 }),
      flowMod('add', { dlVlanPcp: 0 }, { priority: 50, flags }),
      flowMod('modify', { dlVlan: 7 }, { priority: 50, flags }),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.toController.map((message) => message.split(': ')[1])).toEqual([
      'flow_mod_failed overlap',
      'flow_mod_failed overlap',
    ]);
  });

  test('when a table is full', async () => {
    const inputs = [1, 2, 3].map((inPort) => flowMod('add', { inPort }));
    const more = [flowMod('add', { inPort: 1 }, { cookie: 5 }), flowMod('modify', { inPort: 4 })];
    const { ours, theirs } = await compareInputs(ovs(), [...inputs, ...more], 2);
    expect(ours).toEqual(theirs);
    expect(ours.toController).toHaveLength(2);
  });

  test('that entries for emergencies and actions of unknown vendors are refused', async () => {
    const vendor: Action = { type: 'vendor', vendor: 0x1234, data: '' };
    const { ours, theirs } = await compareInputs(ovs(), [
      flowMod('add', {}, { flags: ['emerg'] }),
      flowMod('add', {}, { actions: [vendor] }),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.toController.map((message) => message.split(': ')[1])).toEqual([
      'flow_mod_failed all_tables_full',
      'bad_action bad_vendor',
    ]);
  });

  test('when entries expire', async () => {
    const { ours, theirs } = await compareInputs(ovs(), [
      flowMod('add', { inPort: 1 }, { idleTimeout: 10 }),
      flowMod('add', { inPort: 2 }, { hardTimeout: 10 }),
      flowMod('add', { inPort: 3 }, { idleTimeout: 10, hardTimeout: 15 }),
      flowMod('add', { inPort: 4 }, { hardTimeout: 10 }),
      5000,
      packet(unknown, 1),
      packet(unknown, 3),
      flowMod('modify', { inPort: 4 }, { actions: [] }),
      3500,
      // Only those that were used or modified are left after this.
      3500,
      packet(unknown, 3),
      packet(unknown, 2),
      1000,
      flowMod('modify', { inPort: 1 }, { cookie: 9, actions: [] }),
      4500,
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.flows).toEqual([]);
    const reasons = ours.toController.map((message) => /(?:idle|hard)_timeout|no_match/.exec(message)?.[0]);
    expect(reasons).toEqual(['idle_timeout', 'hard_timeout', 'hard_timeout', 'hard_timeout', 'no_match']);
  });

  test('which type frames of 802.3 have', async () => {
    const { ours, theirs } = await compareInputs(ovs(), [
      flowMod('add', { dlType: 0x05ff }, { priority: 1 }),
      flowMod('add', { dlType: 0x1234 }, { priority: 2, actions: [output(3)] }),
      packet(buildFrame(opaque(50, '424203'))),
      packet(buildFrame(opaque(50, 'aaaa030000001234'))),
      packet(buildFrame(opaque(50, 'aaaa030000010800'))),
    ]);
    expect(ours).toEqual(theirs);
    expect([ours.sent[2]?.length, ours.sent[3]?.length]).toEqual([2, 1]);
  });

  test('that fragments have no ports, and the first of them a checksum', async () => {
    const fragment = (flags: readonly 'more_fragments'[], fragmentOffset: number): string =>
      buildFrame({
        ...ethernet,
        dlType: 0x0800,
        payload: {
          kind: 'ipv4',
          nwSrc: '192.0.2.1',
          nwDst: '192.0.2.2',
          nwTos: 0,
          nwProto: 17,
          ttl: 64,
          id: 1,
          flags,
          fragmentOffset,
          payload: { kind: 'opaque', data: '13880035000ba3b4616263646566'.padEnd(64, '0') },
        },
      });
    const { ours, theirs } = await compareInputs(ovs(), [
      flowMod('add', { dlType: 0x0800, nwProto: 17, tpDst: 53 }, { priority: 9, actions: [output(4)] }),
      flowMod(
        'add',
        { dlType: 0x0800, nwProto: 17, tpDst: 0 },
        { priority: 8, actions: [{ type: 'set_nw_dst', nwAddr: '198.51.100.7' }, output(2)] },
      ),
      packet(fragment([], 0)),
      packet(fragment(['more_fragments'], 0)),
      // Open vSwitch changes the data of later fragments as if there were a checksum.
      flowMod('add', { inPort: 2, dlType: 0x0800, tpDst: 0, nwProto: 17 }, { priority: 10, actions: [output(3)] }),
      packet(fragment([], 5), 2),
    ]);
    expect(ours).toEqual(theirs);
    expect([2, 3, 4].map((port) => ours.sent[port]?.length)).toEqual([1, 1, 1]);
  });

  test('about fields that the standard ignores', async () => {
    const needless: Match = { nwSrc: '10.0.0.0/8', nwProto: 6, nwTos: 8, tpDst: 80 };
    const { ours, theirs } = await compareInputs(ovs(), [
      flowMod('add', { dlType: 0x1234, ...needless }, { priority: 3 }),
      flowMod('add', { dlVlan: 'none', dlVlanPcp: 3 }, { priority: 2 }),
      flowMod('add', { ...needless }, { priority: 1 }),
      packet(unknown),
      flowMod('delete_strict', { dlVlan: 'none' }, { priority: 2 }),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.flows).toHaveLength(2);
    expect(ours.sent[2]).toHaveLength(1);
  });
});
