import { describe, expect, test } from 'vitest';
import { buildFrame, type Frame, type Match } from 'culprit/networks';
import { arrivingPacket as arrives, numberedFlowMod as flowMod, output } from '../twins/networks/flow-mods.ts';
import { compareInputs } from '../twins/networks/ovs/compare-with-ovs.ts';
import type { Input } from '../twins/networks/ovs/observed.ts';
import { ovsOfFile } from './peers.ts';

/** The rules that controllers depend on, one by one, beside Open vSwitch. */

const ovs = ovsOfFile();

/** What both switches show after these inputs. */
async function bothShow(...inputs: readonly (Input | number)[]) {
  const { ours, theirs } = await compareInputs(ovs(), inputs);
  expect(ours).toEqual(theirs);
  return ours;
}

const ethernet = { dlDst: '00:00:5e:00:53:02', dlSrc: '00:00:5e:00:53:01' };
const unknown = (vlan?: Frame['vlan']): string =>
  buildFrame({
    ...ethernet,
    ...(vlan === undefined ? {} : { vlan }),
    dlType: 0x1234,
    payload: { kind: 'opaque', data: '00'.repeat(50) },
  });
const arp = buildFrame({
  ...ethernet,
  dlType: 0x0806,
  payload: {
    kind: 'arp',
    op: 1,
    sha: ethernet.dlSrc,
    spa: '10.0.0.1',
    tha: '00:00:00:00:00:00',
    tpa: '10.0.0.2',
  },
});
const ip = (nwProto: number, payload: Extract<Frame['payload'], { kind: 'ipv4' }>['payload']): string =>
  buildFrame({
    ...ethernet,
    dlType: 0x0800,
    payload: {
      kind: 'ipv4',
      nwSrc: '10.0.0.1',
      nwDst: '10.0.0.2',
      nwTos: 8,
      nwProto,
      ttl: 64,
      id: 1,
      flags: [],
      fragmentOffset: 0,
      payload,
    },
  });
const udp = ip(17, { kind: 'udp', tpSrc: 1, tpDst: 80, data: '00'.repeat(20) });
const gre = ip(47, { kind: 'opaque', data: '0001005000000000'.padEnd(60, '0') });

/** How many packets left through each of the ports 1 to 4. */
const counts = ({ sent }: { readonly sent: Readonly<Record<number, readonly string[]>> }): number[] =>
  [1, 2, 3, 4].map((port) => sent[port]?.length ?? 0);

const packetCounts = (flows: readonly string[]): unknown[] => flows.map((flow) => (JSON.parse(flow) as unknown[])[5]);

describe('a match is without', () => {
  test('fields of the network unless it is for IPv4 or ARP', async () => {
    const needless: Match = { nwTos: 8, nwProto: 17, nwSrc: '192.0.2.1', nwDst: '192.0.2.0/24', tpSrc: 9, tpDst: 9 };
    const shown = await bothShow(
      flowMod('add', { dlType: 0x1234, ...needless }, { priority: 7 }),
      flowMod('add', { inPort: 3, ...needless }, { priority: 6, actions: [output(4)] }),
      arrives(unknown()),
      arrives(udp, 3),
      arrives(arp, 3),
    );
    expect(counts(shown)).toEqual([0, 1, 0, 2]);
  });

  test('ports unless it is for ICMP, TCP or UDP', async () => {
    const shown = await bothShow(
      flowMod('add', { dlType: 0x0800, nwProto: 47, tpSrc: 77, tpDst: 78 }, { priority: 7 }),
      flowMod('add', { dlType: 0x0800, tpDst: 9 }, { priority: 6, actions: [output(3)] }),
      flowMod('add', { dlType: 0x0806, tpDst: 9 }, { priority: 5, actions: [output(4)] }),
      arrives(gre),
      arrives(udp),
      arrives(arp),
    );
    expect(counts(shown)).toEqual([0, 1, 1, 1]);
  });

  test('a type of service for ARP', async () => {
    const shown = await bothShow(flowMod('add', { dlType: 0x0806, nwTos: 252, nwSrc: '10.0.0.1' }), arrives(arp));
    expect(counts(shown)).toEqual([0, 1, 0, 0]);
  });

  test('the priority of a tag for frames without one', async () => {
    const shown = await bothShow(flowMod('add', { dlVlan: 'none', dlVlanPcp: 5 }), arrives(unknown()));
    expect(counts(shown)).toEqual([0, 1, 0, 0]);
  });
});

test('the priority of a tag with any VLAN is for tagged frames only', async () => {
  const shown = await bothShow(
    flowMod('add', { dlVlanPcp: 0 }, { priority: 9 }),
    flowMod('add', {}, { priority: 1, actions: [output(3)] }),
    arrives(unknown()),
    arrives(unknown({ id: 5, pcp: 0, dei: false })),
    arrives(unknown({ id: 5, pcp: 3, dei: false })),
  );
  expect(counts(shown)).toEqual([0, 1, 2, 0]);
});

describe('a deletion of all entries', () => {
  const entries = [
    flowMod('add', { inPort: 1 }),
    flowMod('add', { dlType: 0x0800, nwProto: 17, tpDst: 80 }, { priority: 7 }),
    flowMod('add', { dlType: 0x0806, nwSrc: '10.0.0.0/8' }, { priority: 6 }),
  ];

  test('deletes all of them', async () => {
    const shown = await bothShow(...entries, flowMod('delete', {}, { priority: 0, actions: [] }));
    expect(shown.flows).toEqual([]);
  });

  test('with the bits of network and ports deletes all of them, and in Open vSwitch only those for IPv4 and ARP', async () => {
    const zeros: Match = { nwTos: 0, nwProto: 0, nwSrc: '0.0.0.0', nwDst: '0.0.0.0', tpSrc: 0, tpDst: 0 };
    const { ours, theirs } = await compareInputs(ovs(), [...entries, flowMod('delete', zeros, { actions: [] })]);
    expect(ours.flows).toEqual([]);
    // The specification has no such case: these bits have no meaning without a type. Open vSwitch is odd here.
    expect(theirs.flows.length).toBeGreaterThan(0);
  });
});

test('two matches without wildcards are one entry, whatever their priorities, of the highest one', async () => {
  const exact: Match = {
    inPort: 1,
    ...ethernet,
    dlVlan: 'none',
    dlVlanPcp: 0,
    dlType: 0x0800,
    nwTos: 8,
    nwProto: 17,
    nwSrc: '10.0.0.1',
    nwDst: '10.0.0.2',
    tpSrc: 1,
    tpDst: 80,
  };
  const shown = await bothShow(
    flowMod('add', { inPort: 1 }, { priority: 65_534, actions: [output(4)] }),
    flowMod('add', exact, { priority: 3 }),
    flowMod('add', exact, { priority: 9, actions: [output(3)] }),
    arrives(udp),
    flowMod('modify_strict', exact, { priority: 77, actions: [output(2)] }),
    arrives(udp),
    flowMod('delete_strict', exact, { priority: 1, actions: [] }),
    arrives(udp),
  );
  expect(counts(shown)).toEqual([0, 1, 1, 1]);
  expect(shown.flows).toHaveLength(1);
});

describe('a flow_mod', () => {
  test('that modifies nothing adds an entry', async () => {
    const shown = await bothShow(
      flowMod('modify', { inPort: 1 }, { idleTimeout: 9, cookie: 4 }),
      flowMod('modify_strict', { inPort: 2 }, { hardTimeout: 8 }),
      arrives(unknown()),
    );
    expect(shown.flows).toHaveLength(2);
    expect(counts(shown)).toEqual([0, 1, 0, 0]);
  });

  test('that adds an entry again resets its counters and its hard timeout', async () => {
    const shown = await bothShow(
      flowMod('add', { inPort: 1 }, { hardTimeout: 10 }),
      flowMod('add', { inPort: 2 }, { hardTimeout: 10 }),
      ...[1, 2].map((port) => arrives(unknown(), port)),
      6000,
      flowMod('add', { inPort: 1 }, { hardTimeout: 10, actions: [output(4)] }),
      6000,
    );
    // The other one expired.
    expect(shown.flows).toHaveLength(1);
    expect(packetCounts(shown.flows)).toEqual([0]);
  });

  test('that adds an entry again resets its idle timeout, and in Open vSwitch does not', async () => {
    const again = [flowMod('add', { inPort: 1 }, { idleTimeout: 10 }), 6000];
    const { ours, theirs } = await compareInputs(ovs(), [...again, ...again]);
    expect([ours.flows.length, theirs.flows.length]).toEqual([1, 0]);
  });

  test('that modifies an entry does not reset its counters', async () => {
    const modified = await bothShow(
      flowMod('add', { inPort: 1 }, { cookie: 1 }),
      arrives(unknown()),
      flowMod('modify', {}, { cookie: 2, actions: [output(3)] }),
      arrives(unknown()),
    );
    expect(counts(modified)).toEqual([0, 1, 1, 0]);
    expect(packetCounts(modified.flows)).toEqual([2]);
  });

  test('that deletes by the port of outputs leaves other entries, and one that modifies does not look at it', async () => {
    const shown = await bothShow(
      flowMod('add', { inPort: 1 }, { actions: [output(2), output(3)] }),
      flowMod('add', { inPort: 2 }, { actions: [output(1)] }),
      flowMod('add', { inPort: 3 }, { actions: [{ type: 'enqueue', port: 3, queueId: 1 }] }),
      flowMod('delete', {}, { outPort: 3, actions: [] }),
      flowMod('modify', {}, { outPort: 4, actions: [output(4)] }),
      arrives(unknown(), 2),
    );
    expect(shown.flows).toHaveLength(1);
    expect(counts(shown)).toEqual([0, 0, 0, 1]);
  });
});

describe('a packet', () => {
  test('leaves through its own port only by in_port, and not by flood and all', async () => {
    const shown = await bothShow(
      flowMod('add', { inPort: 1 }, { actions: [output(1), output(2)] }),
      flowMod('add', { inPort: 2 }, { actions: [output('in_port')] }),
      flowMod('add', { inPort: 3 }, { actions: [output('flood')] }),
      flowMod('add', { inPort: 4 }, { actions: [output('all')] }),
      ...[1, 2, 3, 4].map((port) => arrives(unknown(), port)),
    );
    expect(counts(shown)).toEqual([2, 4, 1, 1]);
  });

  test('is dropped by an entry without actions', async () => {
    const shown = await bothShow(flowMod('add', {}, { actions: [] }), arrives(unknown()));
    expect([...counts(shown), shown.toController.length]).toEqual([0, 0, 0, 0, 0]);
  });

  test('goes to no port that is not there', async () => {
    const shown = await bothShow(flowMod('add', {}, { actions: [output(77), output(2)] }), arrives(unknown()));
    expect(counts(shown)).toEqual([0, 1, 0, 0]);
  });
});
