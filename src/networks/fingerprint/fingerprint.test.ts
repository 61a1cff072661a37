import { describe, expect, test } from 'vitest';
import { resolveSystem } from '../../system/resolve.ts';
import { flowMod } from '../openflow/flow-mod-message.ts';
import type { Message } from '../openflow/messages.ts';
import { buildFrame } from '../frames/ethernet.ts';
import type { Frame } from '../frames/frame.ts';
import { defineNetwork } from '../network/define-network.ts';
import { arpFrame, pingFrame } from '../network/traffic-frames.ts';
import { linear } from '../topology/line.ts';
import { networkFingerprint } from './fingerprint.ts';
import { masks } from './masks.ts';

const fingerprint = networkFingerprint();
const { stations } = linear(2);
const [h1, h2] = stations as [(typeof stations)[number], (typeof stations)[number]];

/** The published masks: fields that are kept of each class. */
const published: Readonly<Record<string, readonly string[]>> = {
  flow_mod: ['match', 'command', 'idleTimeout', 'hardTimeout', 'priority', 'outPort', 'flags', 'actions'],
  packet_out: ['inPort', 'actions', 'data'],
  packet_in: ['inPort', 'data'],
  flow_removed: ['match', 'priority', 'reason'],
  port_status: ['reason', 'desc'],
  error: ['error', 'code'],
  features_reply: ['datapathId'],
  hello: [],
  echo_request: [],
  echo_reply: [],
  barrier_request: [],
  barrier_reply: [],
  stats_request: ['stats'],
  stats_reply: ['stats'],
};

test.each(Object.entries(published))('of %s the published fields are kept', (type, fields) => {
  const kept = Object.entries(masks[type as keyof typeof masks]).filter(([, how]) => how !== 'masked');
  expect(kept.map(([field]) => field).sort()).toEqual([...fields].sort());
});

const mod = flowMod({ match: { dlSrc: h1.mac }, actions: [{ type: 'output', port: 2, maxLen: 0 }] });

test('what differs from run to run does not count', () => {
  expect(fingerprint({ ...mod, xid: 7, cookie: '1', bufferId: 3 })).toEqual(fingerprint(mod));
  expect(fingerprint({ ...mod, priority: 7 })).not.toEqual(fingerprint(mod));
});

test('a port is its number and its address', () => {
  const desc = { portNo: 1, hwAddr: h1.mac, state: [] };
  const status = { type: 'port_status', xid: 1, reason: 'modify', desc };
  expect(fingerprint(status)).toEqual({ type: 'port_status', reason: 'modify', desc: { portNo: 1, hwAddr: h1.mac } });
});

describe('packets', () => {
  const packetIn = (data: string): Message => ({
    type: 'packet_in',
    xid: 0,
    bufferId: 'none',
    totalLen: data.length / 2,
    inPort: 1,
    reason: 'no_match',
    data,
  });
  const kindOf = (data: string): unknown => (fingerprint(packetIn(data)) as { data: unknown }).data;

  test('of IPv4 are compared by both pairs of addresses, also where they are cut off', () => {
    const ping = pingFrame(h1, h2);
    expect(kindOf(ping)).toEqual([h1.mac, h2.mac, h1.ip, h2.ip]);
    expect(kindOf(ping.slice(0, 68))).toEqual(kindOf(ping));
  });

  test('of ARP and LLDP are equal, and others are compared by their type', () => {
    expect(kindOf(arpFrame(h1, h2))).toBe('arp');
    const lldp = {
      kind: 'lldp',
      chassisId: { subtype: 7, id: '01' },
      portId: { subtype: 7, id: '02' },
      ttl: 9,
      tlvs: [],
    };
    const frame = { dlDst: h2.mac, dlSrc: h1.mac, dlType: 0x88cc, payload: lldp } as Frame;
    expect(kindOf(buildFrame(frame))).toBe('lldp');
    expect(kindOf(buildFrame({ ...frame, dlType: 0x8942 }))).toBe(0x8942);
    expect(kindOf(buildFrame({ ...frame, dlType: 0x1234, payload: { kind: 'opaque', data: 'ff' } }))).toBe(0x1234);
  });

  test('without an Ethernet header count as they are', () => {
    expect(kindOf('ff')).toBe('ff');
  });
});

test('messages of others count with every field, also where their type has the name of one of OpenFlow', () => {
  for (const message of [{ type: 'hello', me: 1 }, { type: 'vote', term: 3 }, 'text', null])
    expect(fingerprint(message)).toBe(message);
});

describe('alsoCompare', () => {
  test('adds fields, also to messages that are not of OpenFlow', () => {
    const further = networkFingerprint({ flow_mod: ['cookie'], vote: ['term'] });
    expect(further({ ...mod, cookie: '1' })).not.toEqual(further(mod));
    expect(further({ ...mod, xid: 1 })).toEqual(further(mod));
    expect(further({ type: 'vote', term: 3, atMs: 17 })).toEqual({ type: 'vote', term: 3 });
  });

  test('names a field that there is not', () => {
    expect(() => networkFingerprint({ flow_mod: ['cookies'] })).toThrow(
      'alsoCompare: flow_mod has no field "cookies": did you mean cookie?',
    );
  });
});

test('a network is compared by it, unless the system has a fingerprint of its own', () => {
  const definition = { topology: linear(2), controllers: {} };
  const { hints } = resolveSystem(defineNetwork({ ...definition, alsoCompare: { flow_mod: ['cookie'] } }));
  expect(hints.contentOf({ ...mod, xid: 9 })).toEqual(hints.contentOf(mod));
  expect(hints.comparison).toContain('flow_mod (match, cookie, command,');
  expect(hints.comparison).toContain('of hello, echo_request,');
  const own = resolveSystem(defineNetwork({ ...definition, minimize: { fingerprint: () => 1, mask: ['xid'] } }));
  expect(own.hints.contentOf(mod)).toBe(1);
  expect(own.hints.comparison).toBe('these fields of messages do not count: xid');
});
