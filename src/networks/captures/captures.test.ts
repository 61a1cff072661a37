import { describe, expect, test } from 'vitest';
import { pipe } from '../../../test/twins/networks/played-network.ts';
import type { Hex } from '../bytes/data.ts';
import { mesh } from '../topology/mesh.ts';
import { network } from '../network/network.ts';
import { BadCapture } from './bad-capture.ts';
import { packetsOfPcap } from './pcap.ts';
import { packetsOfSts } from './sts-injections.ts';

/** Frames between the stations of mesh(2). */
const h1 = '12:34:56:78:01:02';
const h2 = '12:34:56:78:02:02';
const digits = (mac: string): string => mac.replaceAll(':', '');
const frame = (from: string, to: string, data: Hex): Hex => `${digits(to)}${digits(from)}88b5${data}`;
const frames = [frame(h1, h2, 'aa'), frame(h2, h1, 'bbbb')];

interface FileOptions {
  readonly magic?: number;
  readonly isLittle?: boolean;
  readonly linkType?: number;
}

/** A capture file: a header of 24 bytes, and packets behind headers of 16. */
function pcap(
  packets: readonly Hex[],
  { magic = 0xa1b2c3d4, isLittle = true, linkType = 1 }: FileOptions = {},
): Buffer {
  const words = (...numbers: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(4 * numbers.length);
    for (const [at, number] of numbers.entries())
      if (isLittle) bytes.writeUInt32LE(number, 4 * at);
      else bytes.writeUInt32BE(number, 4 * at);
    return bytes;
  };
  return Buffer.concat([
    words(magic, 0x0004_0002, 0, 0, 65_535, linkType),
    ...packets.flatMap((packet) => [words(1, 2, packet.length / 2, packet.length / 2), Buffer.from(packet, 'hex')]),
  ]);
}

const captured = [
  { packet: frames[0], from: h1 },
  { packet: frames[1], from: h2 },
];

describe('a capture file', () => {
  test.each<FileOptions>([
    {},
    { isLittle: false },
    { magic: 0xa1b23c4d },
    { magic: 0xa1b23c4d, isLittle: false },
    // The upper bits tell the length of a checksum.
    { linkType: 0x4000_0001 },
  ])('has its packets in any byte order: %o', (options) => {
    expect(packetsOfPcap(pcap(frames, options))).toEqual(captured);
    expect(packetsOfPcap(pcap([], options))).toEqual([]);
  });

  test('is read where it lies in a larger buffer', () => {
    const file = pcap(frames);
    const larger = new Uint8Array([7, ...file, 9]);
    expect(packetsOfPcap(larger.subarray(1, 1 + file.length))).toEqual(captured);
  });

  test.each<[Uint8Array, string]>([
    [Buffer.alloc(0), 'this is no capture file.'],
    [Buffer.from('GIF89a and so on, as long as a header'), 'this is no capture file.'],
    [pcap([], { magic: 0x0a0d0d0a }), 'the capture is of the format pcapng.'],
    [pcap(frames, { linkType: 113 }), 'the capture has packets of the link type 113, not of Ethernet.'],
    [pcap(frames).subarray(0, -1), 'the capture ends within packet 2.'],
    [pcap(frames).subarray(0, 24 + 16 + 15 + 9), 'the capture ends within packet 2.'],
    [pcap(['aabb']), 'packet 1 of the capture is too short for a frame.'],
  ])('that is wrong is refused', (file, message) => {
    expect(() => packetsOfPcap(file)).toThrow(BadCapture);
    expect(() => packetsOfPcap(file)).toThrow(message);
  });

  test('that is cut off anywhere is refused or has fewer packets, and nothing else happens', () => {
    const file = pcap(frames);
    const packetsIn = (length: number): number => {
      try {
        return packetsOfPcap(file.subarray(0, length)).length;
      } catch (error) {
        if (error instanceof BadCapture) return -1;
        throw error;
      }
    };
    const whole = [...file.keys()].filter((length) => packetsIn(length) >= 0);
    expect(whole).toEqual([24, 24 + 16 + 15]);
    expect(whole.map(packetsIn)).toEqual([0, 1]);
  });
});

describe('a trace of STS', () => {
  const event = (packet: Hex, hwAddr: string) => ({
    interface: { hw_addr: hwAddr, ips: ['123.123.1.2'], name: '' },
    packet: Buffer.from(packet, 'hex').toString('base64'),
  });

  test('has the packets that hosts send', () => {
    const lines = [
      { class: 'ConnectToControllers', label: 'e1' },
      {
        class: 'TrafficInjection',
        label: 'e2',
        dp_event: event(frames[0] as string, h1.toUpperCase()),
        host_id: 1,
      },
      { class: 'LinkFailure', label: 'e3' },
      event(frames[1] as string, h2),
    ];
    expect(packetsOfSts(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)).toEqual(captured);
  });

  test.each([
    ['(lp0\nccopy_reg\n_reconstructor\np1', 'line 1 of the trace is no JSON object.'],
    ['7', 'line 1 of the trace is no JSON object.'],
    ['\n{"class":"TrafficInjection","label":"e1"}', 'line 2 of the trace injects no packet.'],
    ['{"interface":{"hw_addr":"12:34"},"packet":"AAAA"}', 'line 1 of the trace injects no packet.'],
  ])('that is wrong is refused', (text, message) => {
    expect(() => packetsOfSts(text)).toThrow(BadCapture);
    expect(() => packetsOfSts(text)).toThrow(message);
  });
});

describe('captured packets', () => {
  test('are sent by the stations that have their addresses', async () => {
    const played = await pipe();
    await played.does(...played.net.captured(captured.map(({ packet = '', from }) => ({ packet, from }))));
    expect([played.received('h1'), played.received('h2')]).toEqual([1, 1]);
  });

  test('of nobody are refused', () => {
    const unknown = [
      { packet: frames[0] as string, from: h1 },
      { packet: frames[1] as string, from: '02:00:00:00:00:09' },
    ];
    expect(() => network(mesh(2)).captured(unknown)).toThrow(
      'packet 2 is from 02:00:00:00:00:09, which no station has.',
    );
  });
});
