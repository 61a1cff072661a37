import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildFrame } from '../frames/ethernet.ts';
import type { Frame } from '../frames/frame.ts';
import { flowMod as usualFlowMod } from '../openflow/flow-mod-message.ts';
import { initialState, type SwitchMessage } from '../switch/switch-state.ts';
import { applyFlowMod } from '../switch/flow-mod.ts';
import { networkPhrases } from './network-phrases.ts';
import { switchIn } from './switch-in.ts';

const [h1, h2] = ['00:00:5e:00:53:01', '00:00:5e:00:53:02'];
const phrases = networkPhrases({
  stations: [
    { name: 'h1', addresses: [h1, '192.0.2.1'] },
    { name: 'h2', addresses: [h2] },
  ],
});

const framed = (payload: Frame['payload'], dlType: number, more: Partial<Frame> = {}): string =>
  buildFrame({ dlDst: h2, dlSrc: h1, dlType, payload, ...more });
const arp = framed({ kind: 'arp', op: 1, sha: h1, spa: '192.0.2.1', tha: h2, tpa: '192.0.2.2' }, 0x0806, {
  dlDst: 'ff:ff:ff:ff:ff:ff',
});
const ipv4 = {
  kind: 'ipv4',
  nwSrc: '192.0.2.1',
  nwDst: '192.0.2.2',
  nwTos: 0,
  ttl: 64,
  id: 1,
  flags: [],
  fragmentOffset: 0,
} as const;
const tcp = {
  kind: 'tcp',
  tpSrc: 5000,
  tpDst: 80,
  seq: 0,
  ack: 0,
  flags: ['syn'],
  window: 0,
  urgent: 0,
  data: '',
} as const;
const flowMod = usualFlowMod({ xid: 1, match: { inPort: 1 }, actions: [{ type: 'output', port: 3, maxLen: 0 }] });

describe('messages', () => {
  test.each<[SwitchMessage, string]>([
    [{ type: 'frame', port: 1, packet: arp }, 'ARP request h1 → broadcast at port 1'],
    [
      { type: 'frame', port: 2, packet: framed({ ...ipv4, nwProto: 6, payload: tcp }, 0x0800) },
      'TCP h1 → h2 (5000 → 80 SYN) at port 2',
    ],
    [
      {
        type: 'frame',
        port: 2,
        packet: framed(
          {
            ...ipv4,
            nwProto: 1,
            payload: { kind: 'icmp', icmpType: 8, icmpCode: 0, echo: { id: 1, seq: 1 }, data: '' },
          },
          0x0800,
          { vlan: { id: 5, pcp: 0, dei: false } },
        ),
      },
      'ping h1 → h2 (VLAN 5) at port 2',
    ],
    [
      {
        type: 'frame',
        port: 2,
        packet: framed({ kind: 'opaque', data: '00' }, 0x88b5, { dlDst: '00:00:5e:00:53:03' }),
      },
      'frame h1 → 00:00:5e:00:53:03 (type 0x88b5) at port 2',
    ],
    [{ type: 'frame', port: 2, packet: '0102' }, 'frame at port 2'],
    [{ type: 'link', port: 3, isUp: false }, 'link (port 3 is down)'],
    [{ type: 'detach', station: 'h1', to: { switch: 's2' } } as never, 'detach (h1)'],
    [{ type: 'attach', station: { name: 'h1', mac: h1 }, port: 3 } as never, 'attach (h1 at port 3)'],
    [{ type: 'link', peer: 's4', lane: '1-3', isUp: false } as never, 'link (lane 1-3 to s4 is down)'],
    [
      { type: 'packet_in', xid: 0, bufferId: 7, totalLen: 60, inPort: 1, reason: 'no_match', data: arp },
      'packet_in (ARP request h1 → broadcast at port 1, buffer 7)',
    ],
    [
      {
        type: 'packet_out',
        xid: 0,
        bufferId: 7,
        inPort: 1,
        actions: [{ type: 'output', port: 'flood', maxLen: 0 }],
        data: '',
      },
      'packet_out (buffer 7: output flood)',
    ],
    [flowMod, 'flow_mod (port 1 → output 3)'],
    [
      {
        ...flowMod,
        command: 'modify',
        idleTimeout: 10,
        bufferId: 4,
        match: { dlDst: h2, dlType: 0x0806, nwSrc: '192.0.2.1' },
        actions: [{ type: 'set_dl_dst', dlAddr: h1 }, { type: 'strip_vlan' }, { type: 'enqueue', port: 2, queueId: 1 }],
      },
      'flow_mod modify (dl_dst h2, dl_type ARP, nw_src h1 → set_dl_dst h1, strip_vlan, enqueue 2 queue 1, idle timeout 10 s, for buffer 4)',
    ],
    [{ ...flowMod, match: {}, actions: [] }, 'flow_mod (any packet → drop)'],
    [{ ...flowMod, command: 'delete', match: {} }, 'flow_mod delete (any packet)'],
    [{ ...flowMod, command: 'delete', match: {}, outPort: 3 }, 'flow_mod delete (any packet → output 3)'],
    [{ ...flowMod, command: 'delete_strict' }, 'flow_mod delete_strict (port 1, priority 32768)'],
    [{ type: 'barrier_request', xid: 9 }, 'barrier_request 9'],
    [{ type: 'error', xid: 1, error: 'bad_request', code: 'bad_type', data: '' }, 'error (bad_request: bad_type)'],
  ])('%o', (message, words) => {
    expect(phrases.messageName?.(message)).toBe(words);
  });

  test('of another protocol keep their wording, even with a type of OpenFlow', () => {
    for (const message of [
      undefined,
      null,
      'hello',
      3,
      [],
      {},
      { type: 'work' },
      { type: 'error', text: 'x' },
      { type: 'toString' },
    ])
      expect(phrases.messageName?.(message)).toBeUndefined();
  });
});

describe('an arrival', () => {
  const between = { from: 'c1', to: 's1' };
  const before = {
    ...initialState({ datapathId: 1, controllers: [], ports: [] }),
    buffers: [{ id: 7, inPort: 1, packet: arp }],
  };
  const learned = structuredClone(before);
  applyFlowMod(learned.table, flowMod, 0);
  const output = { type: 'output', port: 'flood', maxLen: 0 } as const;

  test('of a packet_out names the packet in its buffer', () => {
    const message = { type: 'packet_out', xid: 0, bufferId: 7, inPort: 1, actions: [output], data: '' };
    const said = 'gets packet_out (ARP request h1 → broadcast: output flood) from c1';
    expect(phrases.message?.(message, { ...between, before, after: before })).toBe(said);
    expect(phrases.message?.({ ...message, bufferId: 8 }, { ...between, before, after: before })).toBeUndefined();
    expect(phrases.message?.(message, between)).toBeUndefined();
  });

  test('of a flow_mod leaves the entry to the change that it makes, if it makes one', () => {
    expect(phrases.message?.(flowMod, { ...between, before, after: learned })).toBe('gets flow_mod from c1');
    const buffered = { ...flowMod, bufferId: 7 };
    expect(phrases.message?.(buffered, { ...between, before, after: learned })).toBe(
      'gets flow_mod (for ARP request h1 → broadcast) from c1',
    );
    const remove = { ...flowMod, command: 'delete' };
    expect(phrases.message?.(remove, { ...between, before: learned, after: before })).toBe(
      'gets flow_mod delete from c1',
    );
    expect(phrases.message?.(flowMod, { ...between, before: learned, after: learned })).toBeUndefined();
  });

  test('of a frame names its port, and no lane', () => {
    const frame = { type: 'frame', port: 1, packet: arp };
    expect(phrases.message?.(frame, { from: 's2', to: 's1' })).toBe(
      'gets ARP request h1 → broadcast at port 1 from s2',
    );
    expect(phrases.message?.(frame, { from: 'environment', to: 's1' })).toBe(
      'gets ARP request h1 → broadcast at port 1',
    );
  });
});

test('handshakes and keepalives are routine, and nothing else', () => {
  const isRoutine = (message: unknown): boolean | undefined => phrases.isRoutine?.(message);
  expect(
    [
      { type: 'hello', xid: 1 },
      { type: 'features_reply', xid: 2 },
      { type: 'echo_request', xid: 3 },
    ].map(isRoutine),
  ).toEqual([true, true, true]);
  expect([flowMod, { type: 'hello' }, 'hello', null].map(isRoutine)).toEqual([false, false, false, false]);
});

test('a report on a link names it, and timers say what they are for', () => {
  const ends = [
    { process: 's1', port: 3 },
    { process: 's2', port: 1 },
  ] as const;
  const named = networkPhrases({ links: [{ ends, lane: '3-1' }] });
  const report = { type: 'link', peer: 's1', lane: '3-1', isUp: false };
  expect(named.message?.(report, { from: 'environment', to: 's2' })).toBe('sees that the link s1.3 – s2.1 is down');
  expect(named.message?.({ ...report, lane: '4-4' }, { from: 'environment', to: 's2' })).toBeUndefined();
  expect(['expiry', 'connect c1', 'echo c1', 'tick'].map((timer) => named.timer?.(timer, 's1'))).toEqual([
    'looks for flow entries that have expired',
    'tries to connect to c1 again',
    'looks whether it has heard from c1',
    undefined,
  ]);
});

test('wrong options are named', () => {
  expect(() => networkPhrases({ station: [] } as never)).toThrow(
    'networkPhrases has no option station: did you mean stations?',
  );
  expect(() => networkPhrases({ stations: ['h1'] } as never)).toThrow(
    "stations[0] is an object such as { name: 'h1', addresses: ['00:00:5e:00:53:01'] }, not \"h1\".",
  );
});

test('a switch is described by the number of its flow entries', () => {
  const ports = [1, 2].map((portNo) => ({ portNo, hwAddr: h1 }));
  const state = initialState({ datapathId: 1, controllers: [], ports });
  expect(phrases.state?.(state, 's1')).toBe('0 flow entries');
  applyFlowMod(state.table, flowMod, 0);
  const [first] = state.ports;
  if (first !== undefined) first.desc.state = ['link_down'];
  expect(phrases.state?.(state, 's1')).toBe('1 flow entry');
  expect(phrases.state?.({ known: {} }, 'c1')).toBeUndefined();
});

test('the changes of a switch are told without its counters', () => {
  const ports = [1, 2].map((portNo) => ({ portNo, hwAddr: h1 }));
  const before = { ...initialState({ datapathId: 1, controllers: [], ports }), stations: {} };
  applyFlowMod(before.table, { ...flowMod, match: { inPort: 2 } }, 0);
  const after = structuredClone(before);
  // As a switch counts a packet.
  after.table.lookupCount += 1;
  expect(phrases.changes?.(before, after, 's1')).toEqual([]);
  applyFlowMod(after.table, { ...flowMod, match: { dlDst: h2 } }, 0);
  applyFlowMod(after.table, { ...flowMod, command: 'delete', match: { inPort: 2 } }, 0);
  const [port] = after.ports;
  if (port !== undefined) after.ports[0] = { ...port, desc: { ...port.desc, state: ['link_down'] } };
  expect(phrases.changes?.(before, { ...after, stations: { h2: { frames: 1, last: [] } } }, 's1')).toEqual([
    'learns: dl_dst h2 → output 3, priority 32768',
    'forgets: port 2 → output 3, priority 32768',
    'port 1 is down',
    'reaches h2',
  ]);
  // A station that arrives brings its count.
  const moved = { arrived: [{ name: 'h2' }], left: [] };
  expect(phrases.changes?.(before, { ...before, stations: { h2: { frames: 1, last: [] } }, moved }, 's1')).toEqual([]);
  expect(phrases.changes?.({ known: 1 }, { known: 2 }, 'c1')).toBeUndefined();
});

test('no data makes words fail: it may come from anywhere', () => {
  const types = ['frame', 'link', 'packet_in', 'packet_out', 'flow_mod', 'port_status', 'port_mod', 'features_reply'];
  const any = fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true });
  const fields = fc.dictionary(
    fc.constantFrom(
      'packet',
      'data',
      'match',
      'actions',
      'priority',
      'command',
      'desc',
      'port',
      'portNo',
      'config',
      'mask',
      'ports',
      'isUp',
    ),
    any,
  );
  fc.assert(
    fc.property(fc.constantFrom(...types), fields, any, (type, message, anything) => {
      const words = phrases.messageName?.({ ...message, type, inPort: 1, reason: 'x', datapathId: 1 });
      expect(['string', 'undefined']).toContain(typeof words);
      switchIn({ table: { entries: anything }, ports: [anything] });
      phrases.changes?.(
        { table: { entries: [anything] }, ports: [], stations: anything },
        { table: { entries: [anything] }, ports: anything, stations: { a: anything } },
        's1',
      );
      const states = { before: { table: { entries: [anything] }, ports: [], buffers: [anything] }, after: anything };
      phrases.message?.({ ...message, type, bufferId: anything }, { from: 'c1', to: 's1', ...states });
      phrases.external?.({ kind: 'act', action: 'inject', payload: anything });
      phrases.isRoutine?.(anything);
      phrases.state?.({ table: { entries: [anything] }, ports: anything }, 's1');
    }),
    { numRuns: 300, seed: 17 },
  );
});
