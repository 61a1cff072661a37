import { writeMac } from '../bytes/addresses.ts';
import { BadCapture } from './bad-capture.ts';
import { senderOf, type CapturedPacket } from './captured-packet.ts';

/**
 * The packets that hosts send in a trace of STS: JSON lines, of which those of the class `TrafficInjection` count. A line may also be the injected
 * packet alone: `{"interface": {"hw_addr": …}, "packet": …}`.
 */
export function packetsOfSts(text: string): CapturedPacket[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const given = parsed(line, at + 1);
    if (given['class'] === 'TrafficInjection') return [injected(given['dp_event'], at + 1)];
    return 'class' in given ? [] : [injected(given, at + 1)];
  });
}

type Given = Readonly<Record<string, unknown>>;

const recordOf = (given: unknown): Given | undefined =>
  typeof given === 'object' && given !== null ? (given as Given) : undefined;

function parsed(line: string, number: number): Given {
  try {
    const given = recordOf(JSON.parse(line));
    if (given !== undefined) return given;
  } catch {
    // Said below.
  }
  throw new BadCapture(
    `line ${number} of the trace is no JSON object.`,
    'Give the text of an events.trace of STS. A data-plane trace is a Python pickle: write each of its events with to_json() first.',
  );
}

function injected(event: unknown, number: number): CapturedPacket {
  const { interface: at, packet } = recordOf(event) ?? {};
  const from = String(recordOf(at)?.['hw_addr']).toLowerCase();
  const bytes = typeof packet === 'string' ? Buffer.from(packet, 'base64').toString('hex') : '';
  if (writeMac(from, Buffer.alloc(6), 0) && senderOf(bytes) !== undefined) return { packet: bytes, from };
  throw new BadCapture(
    `line ${number} of the trace injects no packet.`,
    'Old traces of STS leave out the packets: take a later one, with dp_event.',
  );
}
