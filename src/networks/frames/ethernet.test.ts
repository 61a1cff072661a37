import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryFrame } from '../../../test/twins/networks/arbitrary-frame.ts';
import { fuzzFrames } from '../../../test/twins/networks/fuzz-frames.ts';
import { examine } from '../../trace/plain-data.ts';
import { buildFrame, parseFrame } from './ethernet.ts';
import type { Frame, Ipv4 } from './frame.ts';

test('a frame is the same after building and parsing', () => {
  fc.assert(
    fc.property(arbitraryFrame, (frame) => {
      const parsed = parseFrame(buildFrame(frame));
      expect(parsed).toEqual(frame);
      examine(parsed, 'a frame', false);
    }),
    { numRuns: 2000, seed: 17 },
  );
});

test('20,000 random and mutated frames are the same bytes after parsing and building', () => {
  expect(fuzzFrames(17, 20_000)).toEqual({
    kinds: { arp: 2067, icmp: 534, ipv4: 1276, lldp: 1450, opaque: 10968, tcp: 539, 'too short': 2661, udp: 505 },
    bugs: [],
  });
});

/** A ping from 192.0.2.1 to 192.0.2.2. */
const ping: Ipv4 = {
  kind: 'ipv4',
  nwSrc: '192.0.2.1',
  nwDst: '192.0.2.2',
  nwTos: 0,
  nwProto: 1,
  ttl: 64,
  id: 7,
  flags: ['dont_fragment'],
  fragmentOffset: 0,
  payload: { kind: 'icmp', icmpType: 8, icmpCode: 0, echo: { id: 1, seq: 2 }, data: '616263' },
};
const frame: Frame = { dlDst: '00:00:5e:00:53:02', dlSrc: '00:00:5e:00:53:01', dlType: 0x0800, payload: ping };

/** The sum of 16-bit words in which carries are added again, one bit at a time. */
function obviousChecksum(hex: string): number {
  const words = hex.padEnd(Math.ceil(hex.length / 4) * 4, '0').match(/.{4}/g) ?? [];
  const sum = words.reduce((total, word) => {
    const next = total + Number.parseInt(word, 16);
    return next > 0xffff ? next - 0xffff : next;
  }, 0);
  return 0xffff - sum;
}

describe('checksums and lengths', () => {
  test('of the header and an odd number of bytes are those of RFC 1071', () => {
    const built = buildFrame(frame);
    const [header, icmp] = [built.slice(28, 28 + 40), built.slice(28 + 40)];
    expect(obviousChecksum(header)).toBe(0);
    expect(obviousChecksum(icmp)).toBe(0);
    expect(Number.parseInt(header.slice(4, 8), 16)).toBe(20 + 8 + 3);
  });

  test('of a well-known header are the known ones', () => {
    const header = '45000073000040004011b861c0a80001c0a800c7';
    const parsed = parseFrame(`000000000000000000000000${'0800'}${header}${'00'.repeat(95)}`);
    expect(parsed?.payload).not.toHaveProperty('checksum');
  });

  test('that are wrong are kept, and right ones are not', () => {
    const built = buildFrame(frame);
    expect(parseFrame(built)).toEqual(frame);
    const damaged = `${built.slice(0, -2)}00`;
    const parsed = parseFrame(damaged);
    expect(parsed?.payload).toMatchObject({ payload: { kind: 'icmp', checksum: 0x339a, data: '616200' } });
    expect(buildFrame(parsed as Frame)).toBe(damaged);
  });

  test('of a frame that is cut off are kept', () => {
    const cut = buildFrame(frame).slice(0, -2);
    expect(parseFrame(cut)?.payload).toMatchObject({ totalLength: 31, payload: { kind: 'icmp', data: '6162' } });
    expect(parseFrame(cut.slice(0, 2 * 36))?.payload).toMatchObject({ totalLength: 31, payload: { kind: 'opaque' } });
  });
});

test('a short frame is filled up with padding', () => {
  const filled = buildFrame(frame).padEnd(120, '0');
  expect(parseFrame(filled)).toEqual({ ...frame, padding: '00'.repeat(60 - 45) });
});

test.each<[string, string]>([
  ['', 'nothing'],
  ['00'.repeat(13), 'too few bytes'],
  ['zz'.repeat(20), 'no hexadecimal text'],
  ['0'.repeat(29), 'half a byte'],
])('%s is no frame: %s', (data) => {
  expect(parseFrame(data)).toBeUndefined();
});

test.each<[Frame, string]>([
  [{ ...frame, dlSrc: 'h1' }, 'frame: dlSrc is "h1", not a MAC address such as 00:00:5e:00:53:01, in lower case.'],
  [{ ...frame, vlan: { id: 4096, pcp: 0, dei: false } }, 'frame: vlan.id is 4096, not a whole number from 0 to 4095.'],
  [{ ...frame, payload: { ...ping, ttl: 256 } }, 'frame: ttl is 256, not a whole number from 0 to 255.'],
  [{ ...frame, payload: { ...ping, options: '00' } }, 'frame: options is "00", not of 4, 8 and so on up to 40 bytes.'],
  [{ ...frame, padding: '0' }, 'frame: padding is "0", not bytes as hexadecimal text, two digits each.'],
])('a field that does not fit is named: %#', (wrong, problem) => {
  expect(() => buildFrame(wrong)).toThrow(problem);
});
