import { buildFrame, type Action, type Frame, type Match, type NetworkState } from 'culprit/networks';

/** Values of each field that entries or stations distinguish, and one more. */
interface Values {
  readonly receivers: readonly string[];
  readonly senders: readonly string[];
  readonly tags: readonly (Frame['vlan'] | undefined)[];
  readonly types: readonly number[];
  readonly protocols: readonly number[];
  readonly tos: readonly number[];
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
  readonly ports: readonly number[];
}

const IPV4 = 0x0800;
const ARP = 0x0806;
const OTHER_MAC = '00:00:5e:00:53:77';
const OTHER_IP = '203.0.113.9';

/** A packet for each combination of values that the network distinguishes. */
export function representativePackets(state: NetworkState): string[] {
  const values = valuesOf(state);
  const contents = values.types.flatMap((dlType) => payloadsOf(dlType, values).map((payload) => ({ dlType, payload })));
  const tagged = values.tags.flatMap((vlan) =>
    contents.map((content) => ({ ...(vlan === undefined ? {} : { vlan }), ...content })),
  );
  return values.receivers.flatMap((dlDst) =>
    values.senders.flatMap((dlSrc) => tagged.map((rest) => buildFrame({ dlDst, dlSrc, ...rest }))),
  );
}

function valuesOf(state: NetworkState): Values {
  const entries = state.switches.flatMap((one) => one.entries);
  const matches: readonly Match[] = entries.map(({ match }) => match);
  const actions: readonly Action[] = entries.flatMap((entry) => entry.actions);
  const text = JSON.stringify([matches, actions]);
  const mentions = (...words: readonly string[]): boolean => words.some((word) => text.includes(word));
  const stations = state.switches.flatMap(({ ports }) =>
    ports.flatMap(({ peer }) => (peer?.kind === 'station' ? [peer] : [])),
  );
  const all = (word: string): string[] =>
    [...text.matchAll(new RegExp(`"${word}":"?([^",}]+)`, 'g'))].map(([, found = '']) => found);
  const own = stations.map(({ mac }) => mac);
  const ips = stations.map(({ ip }) => ip);
  const set = all('nwAddr').flatMap(boundaries);
  const sources = mentions('nwSrc', 'set_nw_src') ? [...all('nwSrc').flatMap(boundaries), ...set] : [];
  const destinations = mentions('nwDst', 'set_nw_dst') ? [...all('nwDst').flatMap(boundaries), ...set] : [];
  const hasNetwork = mentions('dlType', 'set_nw', 'set_tp');
  return {
    receivers: unique([...all('dlDst'), ...all('dlAddr'), ...own, OTHER_MAC]),
    senders: unique([
      ...own,
      ...(mentions('dlSrc', 'set_dl_src') ? [...all('dlSrc'), ...all('dlAddr')] : []),
      OTHER_MAC,
    ]),
    tags: mentions('dlVlan', 'vlan') ? tagsOf(all('(?:dlVlan|vlanVid)'), all('(?:dlVlanPcp|vlanPcp)')) : [undefined],
    types: hasNetwork ? [IPV4, ARP, 0x88cc, 0x1234] : [0x1234],
    protocols: mentions('nwProto', 'set_tp') ? [1, 2, 6, 17] : [2],
    tos: mentions('nwTos') ? [0, 8] : [0],
    sources: unique([...sources, ...ips, OTHER_IP]),
    destinations: unique([...destinations, OTHER_IP]),
    ports: mentions('tpDst', 'set_tp') ? unique([...all('tpDst').map(Number), 80, 5]) : [5],
  };
}

/** With one more identifier and priority than those that are mentioned, and those of a new tag. */
function tagsOf(ids: readonly string[], priorities: readonly string[]): Values['tags'] {
  const numbers = (texts: readonly string[]): number[] => texts.filter((text) => text !== 'none').map(Number);
  return [
    undefined,
    ...unique([...numbers(ids), 0, 9]).flatMap((id) =>
      unique([...numbers(priorities), 0, 4]).map((pcp) => ({ id, pcp, dei: false })),
    ),
  ];
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The first and the last address of a prefix, and those before and after it. */
function boundaries(prefix: string): string[] {
  const [address = '', bits = '32'] = prefix.split('/');
  const first = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const last = first + 2 ** (32 - Number(bits)) - 1;
  return unique([first - 1, first, last, last + 1]).map((number) =>
    [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.'),
  );
}

function payloadsOf(dlType: number, values: Values): Frame['payload'][] {
  const pairs = values.sources.flatMap((source) => values.destinations.map((destination) => ({ source, destination })));
  switch (dlType) {
    case ARP:
      return pairs.flatMap(({ source, destination }) =>
        values.protocols.map((op) => ({
          kind: 'arp',
          op,
          sha: OTHER_MAC,
          tha: OTHER_MAC,
          spa: source,
          tpa: destination,
        })),
      );
    case IPV4:
      return pairs.flatMap(({ source: nwSrc, destination: nwDst }) =>
        transportsIn(values).map((rest) => ({ kind: 'ipv4', nwSrc, nwDst, ...rest })),
      );
    default:
      return [{ kind: 'opaque', data: '00'.repeat(50) }];
  }
}

const transportsIn = (values: Values) =>
  values.tos.flatMap((nwTos) =>
    values.protocols.flatMap((nwProto) =>
      transportsOf(nwProto, values.ports).map((payload) => {
        const fixed = { ttl: 64, id: 0, flags: [], fragmentOffset: 0 };
        return { nwTos, nwProto, ...fixed, payload };
      }),
    ),
  );

type Transport = Extract<Frame['payload'], { kind: 'ipv4' }>['payload'];

function transportsOf(protocol: number, ports: readonly number[]): Transport[] {
  switch (protocol) {
    case 1:
      return ports
        .filter((port) => port < 256)
        .map((code) => ({ kind: 'icmp', icmpType: 3, icmpCode: code, data: '00000000' }));
    case 6:
      return ports.map((tpDst) => {
        const fixed = { seq: 0, ack: 0, flags: [], window: 0, urgent: 0, data: '' };
        return { kind: 'tcp', tpSrc: 5, tpDst, ...fixed };
      });
    case 17:
      return ports.map((tpDst) => ({ kind: 'udp', tpSrc: 5, tpDst, data: '' }));
    default:
      return [{ kind: 'opaque', data: '' }];
  }
}
