import { ipv4Text } from '../../networks/bytes/addresses.ts';
import { buildFrame } from '../../networks/frames/ethernet.ts';
import type { Tcp } from '../../networks/frames/frame.ts';

/** The ends of a connection: the client opens it. */
export type Side = 'client' | 'server';

export interface Endpoint {
  /** The IPv4 address, as a number. */
  readonly address: number;
  readonly port: number;
}

/** An IPv4 packet has at most 65,535 bytes, with all headers. A message in one packet is easier to read than one in many. */
const SEGMENT_MAX = 65_000;

/** With the highest window scale, much can be sent before an acknowledgment. */
const WINDOW = 0xffff;
/** The longest segment; window scale 14; and a byte that fills up the header. */
const SYN_OPTIONS = `0204${SEGMENT_MAX.toString(16)}03030e01`;

/** Makes the packets of one TCP connection, with the numbers and checksums that a capture of it would have. */
export class TcpConnection {
  /** The number of the next byte of each side. */
  private readonly next: Record<Side, number> = { client: 0, server: 0 };
  private readonly closed = new Set<Side>();

  constructor(private readonly ends: Readonly<Record<Side, Endpoint>>) {}

  isClosedBy(side: Side): boolean {
    return this.closed.has(side);
  }

  open(): Buffer[] {
    const syn = this.segment('client', { flags: ['syn'], options: SYN_OPTIONS, ack: 0 });
    this.advance('client', 1);
    const answer = this.segment('server', { flags: ['syn', 'ack'], options: SYN_OPTIONS });
    this.advance('server', 1);
    return [syn, answer, this.segment('client', { flags: ['ack'] })];
  }

  send(side: Side, bytes: Uint8Array): Buffer[] {
    const segments: Buffer[] = [];
    for (let from = 0; from < bytes.length; from += SEGMENT_MAX) {
      const part = Buffer.from(bytes.subarray(from, from + SEGMENT_MAX));
      segments.push(this.segment(side, { flags: ['psh', 'ack'], data: part.toString('hex') }));
      this.advance(side, part.length);
    }
    return segments;
  }

  /** That side sends no more. The other one still may. */
  close(side: Side): Buffer[] {
    const end = this.segment(side, { flags: ['fin', 'ack'] });
    this.advance(side, 1);
    this.closed.add(side);
    return [end, this.segment(other(side), { flags: ['ack'] })];
  }

  private advance(side: Side, count: number): void {
    this.next[side] = (this.next[side] + count) % 2 ** 32;
  }

  private segment(side: Side, given: Pick<Tcp, 'flags'> & Partial<Tcp>): Buffer {
    const [source, target] = [this.ends[side], this.ends[other(side)]];
    const packet = buildFrame({
      dlSrc: macOf(source),
      dlDst: macOf(target),
      dlType: 0x0800,
      payload: {
        kind: 'ipv4',
        nwSrc: ipv4Text(source.address),
        nwDst: ipv4Text(target.address),
        nwTos: 0,
        nwProto: 6,
        ttl: 64,
        id: 0,
        flags: ['dont_fragment'],
        fragmentOffset: 0,
        payload: {
          kind: 'tcp',
          tpSrc: source.port,
          tpDst: target.port,
          seq: this.next[side],
          ack: this.next[other(side)],
          window: WINDOW,
          urgent: 0,
          data: '',
          ...given,
        },
      },
    });
    return Buffer.from(packet, 'hex');
  }
}

const other = (side: Side): Side => (side === 'client' ? 'server' : 'client');

/** A locally administered address that contains the IPv4 address. */
const macOf = ({ address }: Endpoint): string =>
  `02:00:${[24, 16, 8, 0].map((shift) => ((address >>> shift) & 0xff).toString(16).padStart(2, '0')).join(':')}`;
