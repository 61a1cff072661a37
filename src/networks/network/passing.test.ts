import { expect, test } from 'vitest';
import { buildFrame } from '../frames/ethernet.ts';
import { linear } from '../topology/line.ts';
import { network } from './network.ts';
import { pingFrame } from './traffic-frames.ts';

const { stations } = linear(2);
const [h1, h2] = stations as [(typeof stations)[number], (typeof stations)[number]];
const discovery = (dlType: number): string =>
  buildFrame({ dlDst: h2.mac, dlSrc: h1.mac, dlType, payload: { kind: 'opaque', data: '00' } });

/** The name of the rule that each of these messages passes by. */
const ruleOf = (message: unknown): string | undefined =>
  network(linear(2)).passing.find(({ includes }) => includes(message))?.name;

test('keepalives are echoes, and LLDP and BDDP on all of their way', () => {
  const packets = [0x88cc, 0x8942].map(discovery);
  const messages = packets.flatMap((packet) => [
    { type: 'packet_out', data: packet },
    { type: 'frame', port: 1, packet },
    { type: 'packet_in', data: packet },
  ]);
  for (const message of [...messages, { type: 'echo_request' }, { type: 'echo_reply' }])
    expect(ruleOf(message)).toBe('keepalives');
});

test('other packets are frames on links, and nothing else passes', () => {
  const packet = pingFrame(h1, h2);
  expect(ruleOf({ type: 'frame', port: 1, packet })).toBe('frames');
  for (const message of [
    { type: 'packet_in', data: packet },
    { type: 'packet_out', data: '' },
    { type: 'hello' },
    null,
  ])
    expect(ruleOf(message)).toBeUndefined();
});

test('options say when they pass', () => {
  const whenOf = (options: Parameters<typeof network>[1]): string[] =>
    network(linear(2), options).passing.map(({ when }) => when);
  expect(whenOf({})).toEqual(['untouched', 'untouchedNearby']);
  expect(whenOf({ passKeepalives: true, passFrames: true })).toEqual(['always', 'untouchedNearby']);
  expect(whenOf({ passKeepalives: false, passFrames: false })).toEqual(['never', 'never']);
});
