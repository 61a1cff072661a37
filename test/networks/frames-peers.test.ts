import { expect, test } from 'vitest';
import { buildFrame, parseFrame, type Frame } from 'culprit/networks';
import { Random } from 'culprit/kernel';
import { composedByOvs } from './peers.ts';

const ethernet = { dlDst: '00:00:5e:00:53:02', dlSrc: '00:00:5e:00:53:01' };
const inFlow = 'dl_src=00:00:5e:00:53:01,dl_dst=00:00:5e:00:53:02';

/** Random addresses and ports, as a flow of Open vSwitch and as fields of ours. */
function randomFlow(random: Random) {
  const address = (): string => Array.from({ length: 4 }, () => random.below(256)).join('.');
  const nwTos = random.below(64) * 4;
  const ttl = random.below(256);
  const [nwSrc, nwDst, tpSrc, tpDst] = [address(), address(), random.below(65536), random.below(65536)];
  return {
    ip: `nw_src=${nwSrc},nw_dst=${nwDst},nw_tos=${nwTos},nw_ttl=${ttl}`,
    tp: (protocol: string) => `${protocol}_src=${tpSrc},${protocol}_dst=${tpDst}`,
    fields: { nwSrc, nwDst, nwTos, ttl },
    ports: { tpSrc, tpDst },
  };
}

/** What Open vSwitch composes for a flow, parsed, and whether we build the same bytes. */
function compared(flow: string, frame: Frame) {
  const composed = composedByOvs(flow);
  return { parsed: parseFrame(composed), isBuilt: buildFrame(frame) === composed };
}

/** A right checksum is not in the data, so that equal data has right checksums. */
const same = (frame: Frame) => ({ parsed: frame, isBuilt: true });

/** Open vSwitch puts these bytes into packets. */
const counting = (count: number): string =>
  Buffer.from(Array.from({ length: count }, (_, index) => index & 0xff)).toString('hex');

const ipv4 = { kind: 'ipv4', id: 0, flags: [], fragmentOffset: 0 } as const;

test.each([1, 2, 3, 4, 5, 6, 7, 8])('Open vSwitch builds the same frames for random flow %i', (seed) => {
  const { ip, tp, fields, ports } = randomFlow(Random.seeded(seed, 0x70));
  const packet = { ...ipv4, ...fields };
  const tcp: Frame = {
    ...ethernet,
    dlType: 0x0800,
    payload: {
      ...packet,
      nwProto: 6,
      payload: { kind: 'tcp', ...ports, seq: 0, ack: 0, flags: ['syn', 'ack'], window: 0, urgent: 0, data: '' },
    },
  };
  expect(compared(`tcp,${inFlow},${ip},${tp('tcp')},tcp_flags=syn|ack`, tcp)).toEqual(same(tcp));
  const udp: Frame = {
    ...ethernet,
    dlType: 0x0800,
    payload: { ...packet, nwProto: 17, payload: { kind: 'udp', ...ports, data: counting(64) } },
  };
  expect(compared(`udp,${inFlow},${ip},${tp('udp')}`, udp)).toEqual(same(udp));
  const icmp: Frame = {
    ...ethernet,
    dlType: 0x0800,
    payload: {
      ...packet,
      nwProto: 1,
      payload: { kind: 'icmp', icmpType: 8, icmpCode: 0, echo: { id: 0, seq: 0 }, data: counting(64) },
    },
  };
  expect(compared(`icmp,${inFlow},${ip},icmp_type=8,icmp_code=0`, icmp)).toEqual(same(icmp));
});

test('Open vSwitch builds the same ARP request with a tag', () => {
  const arp: Frame = {
    ...ethernet,
    vlan: { id: 5, pcp: 3, dei: false },
    dlType: 0x0806,
    payload: {
      kind: 'arp',
      op: 1,
      sha: '00:00:5e:00:53:01',
      spa: '10.0.0.1',
      tha: '00:00:00:00:00:00',
      tpa: '10.0.0.2',
    },
  };
  expect(
    compared(
      `arp,${inFlow},arp_op=1,arp_spa=10.0.0.1,arp_tpa=10.0.0.2,arp_sha=00:00:5e:00:53:01,dl_vlan=5,dl_vlan_pcp=3`,
      arp,
    ),
  ).toEqual(same(arp));
});
