import { beforeAll, describe, expect, test } from 'vitest';
import { crash, restart, untilQuiet } from 'culprit';
import {
  controllerBehavior,
  defineNetwork,
  failControl,
  linear,
  openflow10,
  output,
  recoverControl,
  resetChannel,
  type Message,
} from 'culprit/networks';
import type { WorkloadItem } from 'culprit/kernel';
import { pcapngOf } from 'culprit/report';
import type { EventLine, Trace } from 'culprit/trace';
import { found } from '../found.ts';
import { dissectedByTshark } from './peers.ts';

const hub = controllerBehavior({
  start: () => ({}),
  connected: (_state, at) => at.send({ type: 'barrier_request', xid: 7 }),
  features: () => {},
  packetIn: (_state, packet, from) => from.sendPacket(packet, [output('flood')]),
});

/** Each once the network has come to rest. */
const withRests = (items: readonly WorkloadItem[]): WorkloadItem[] => items.flatMap((item) => [untilQuiet(), item]);

/** Connections end in every way, and begin again. */
const failing = defineNetwork({
  topology: linear(2),
  controllers: { c1: hub, c2: hub },
  migrations: true,
  traffic: (net) => [
    ...withRests([
      net.ping('h1', 'h2'),
      failControl('s1'),
      recoverControl('s1'),
      resetChannel('s2', 'c1'),
      crash('c2'),
    ]),
    ...withRests([net.arp('h2', 'h1'), restart('c2'), net.migrate('h1', 's2'), net.cutLink('s1', 's2')]),
    net.ping('h2', 'h1'),
  ],
  invariants: { few: (world) => world.length < 170 || 'these were many events' },
});

type Delivery = EventLine & { kind: 'deliver' };
const isController = (name: string): boolean => name.startsWith('c');

/** The deliveries on control channels, except for the ends of connections. */
const messagesIn = ({ events }: Trace): Delivery[] =>
  events.filter(
    (line): line is Delivery =>
      line.kind === 'deliver' &&
      (isController(line.from) || isController(line.process)) &&
      (line.message as Message).type !== ('closed' as string),
  );

/** The numbers of the standard. */
const typeNumbers = new Map(
  'hello 0 error 1 features_request 5 features_reply 6 packet_in 10 port_status 12 packet_out 13 barrier_request 18 barrier_reply 19'
    .split(/(?<=\d) /)
    .map((one) => one.split(' ') as [string, string]),
);

const fields = (
  'frame.packet_id frame.interface_name frame.comment openflow_1_0.type ip.src_host ip.dst_host tcp.payload tcp.stream tcp.flags.syn ' +
  'tcp.flags.fin tcp.analysis.flags _ws.malformed ip.checksum.status tcp.checksum.status eth.type'
).split(' ');

let trace: Trace;
let packets: Record<string, string>[];

beforeAll(async () => {
  trace = await found(failing);
  packets = dissectedByTshark(pcapngOf(trace), fields);
});

const withMessages = (): Record<string, string>[] => packets.filter((packet) => packet['openflow_1_0.type'] !== '');

describe('a capture, as tshark reads it', () => {
  test('has each message of a control channel as one segment, with its type, bytes and ends', () => {
    const expected = messagesIn(trace).map(({ event, from, process, message }) => ({
      'frame.packet_id': String(event),
      'openflow_1_0.type': typeNumbers.get((message as Message).type),
      'tcp.payload': Buffer.from(openflow10.encode(message as Message)).toString('hex'),
      ends: [from, process],
    }));
    const shown = withMessages().map((packet) => ({
      'frame.packet_id': packet['frame.packet_id'],
      'openflow_1_0.type': packet['openflow_1_0.type'],
      'tcp.payload': packet['tcp.payload'],
      // A packet within the message has ends of its own.
      ends: [packet['ip.src_host'], packet['ip.dst_host']].map((hosts) => hosts?.split('|')[0]),
    }));
    expect(shown).toEqual(expected);
    expect(new Set(shown.map((one) => one['openflow_1_0.type']))).toEqual(new Set(typeNumbers.values()));
  });

  test('has right checksums and sequence numbers, and nothing malformed', () => {
    for (const packet of packets) {
      expect(packet).toMatchObject({ 'tcp.analysis.flags': '', '_ws.malformed': '' });
      expect(`${packet['ip.checksum.status']}|${packet['tcp.checksum.status']}`).toMatch(/^[1|]*$/);
    }
  });

  test('has a connection for each time that a switch has connected', () => {
    const hellos = messagesIn(trace).filter(
      ({ from, message }) => !isController(from) && (message as Message).type === 'hello',
    );
    const numbers = new Set(
      hellos.map(({ from, process, message }) => `${from} ${process} ${(message as Message).xid}`),
    );
    expect(numbers.size).toBeGreaterThan(6);
    expect(new Set(withMessages().map((packet) => packet['tcp.stream'])).size).toBe(numbers.size);
    expect(packets.filter((packet) => packet['tcp.flags.fin'] === '1').length).toBeGreaterThan(3);
  });

  test('has frames at their links and ports', () => {
    const at = packets.filter((packet) => packet['tcp.stream'] === '').map((packet) => packet['frame.interface_name']);
    expect(new Set(at)).toEqual(new Set(['s1.2', 's1.1-s2.1', 's2.2', 'culprit']));
  });

  test('has inputs as comments of the next packet, and the violation on a packet of its own', () => {
    const comments = packets.flatMap((packet) => packet['frame.comment']?.split('|') ?? []).filter((one) => one !== '');
    const inputs = trace.events.filter(
      ({ process, kind, cause }) =>
        (process === 'environment' && trace.events[cause - 1]?.kind !== 'act') || /start|crash/.test(kind),
    );
    const starts = comments.findIndex((comment) => comment === 'event 1: c1, c2, s1, s2 start');
    expect(starts).toBe(0);
    expect(comments.slice(1, -1).map((comment) => Number(/^event (\d+): /.exec(comment)?.[1]))).toEqual(
      inputs.slice(4).map(({ event }) => event),
    );
    for (const packet of packets.slice(0, -1))
      for (const [, event] of (packet['frame.comment'] ?? '').matchAll(/event (\d+): /g))
        expect(Number(event)).toBeLessThan(Number(packet['frame.packet_id']));
    expect(packets.at(-1)?.['frame.comment']).toContain('violated few: these were many events');
  });

  test('of one channel has that one only', () => {
    const only = dissectedByTshark(pcapngOf(trace, { channel: 'c1-s2' }), fields);
    expect(new Set(only.map((packet) => packet['frame.interface_name']))).toEqual(new Set(['c1-s2', 'culprit']));
    expect(() => pcapngOf(trace, { channel: 'c1-s3' })).toThrow(
      'no message was delivered on a channel c1-s3: did you mean c1-s',
    );
  });
});

test('a message that is longer than a packet is two segments, and bytes are written as they are', () => {
  const [first, second] = messagesIn(trace) as [Delivery, Delivery];
  const echo = { type: 'echo_request', xid: 1, data: 'ab'.repeat(65_500) } as const;
  const replaced = new Map<EventLine, unknown>([
    [first, echo],
    [second, { type: 'bytes', bytes: Buffer.from(openflow10.encode({ ...echo, data: 'cd' })).toString('hex') }],
  ]);
  const events = trace.events.map((line): EventLine => ({
    ...line,
    ...(replaced.has(line) ? { message: replaced.get(line) } : {}),
  }));
  const shown = dissectedByTshark(pcapngOf({ ...trace, events }), [...fields, 'tcp.len']);
  const lengths = shown
    .filter((packet) => packet['frame.packet_id'] === String(first.event))
    .map((packet) => packet['tcp.len']);
  expect(lengths).toEqual(['0', '0', '0', '65000', '508']);
  expect(
    shown.filter((packet) => packet['openflow_1_0.type'] === '2').map((packet) => packet['frame.packet_id']),
  ).toEqual([String(first.event), String(second.event)]);
  for (const packet of shown) expect(packet).toMatchObject({ 'tcp.analysis.flags': '', '_ws.malformed': '' });
});

test('a trace without control channels cannot be captured', () => {
  const { topology: _, ...header } = trace.header;
  expect(() => pcapngOf({ ...trace, header })).toThrow('the trace has no message on a control channel');
});
