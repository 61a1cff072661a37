import { stepsOf } from '../../explain/steps.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { text } from '../../kernel/options/fields.ts';
import { BadOption, optionsOf } from '../../kernel/options/options.ts';
import { CannotEncode } from '../../networks/bytes/byte-writer.ts';
import { buildFrame } from '../../networks/frames/ethernet.ts';
import type { Message } from '../../networks/openflow/messages.ts';
import { openflow10 } from '../../networks/openflow/openflow10.ts';
import { printable } from '../../text/printable.ts';
import { eventOf } from '../../trace/codec.ts';
import { isInternal } from '../../trace/event.ts';
import type { EventLine, Trace } from '../../trace/format.ts';
import { fromPortable } from '../../trace/json-encoding.ts';
import type { Sent } from './control-channel.ts';
import { PcapngFile } from './pcapng-file.ts';
import { Places, type Delivery } from './places.ts';

/** Which part of a network is written to a capture. */
export interface PcapngOptions {
  /** The control channel that is captured, such as `c1-s2`. By default all of them are, and frames on links. */
  readonly channel?: string | undefined;
}

export const pcapngOptions = optionsOf<PcapngOptions>('pcapngOf', { channel: text });

/**
 * A capture file of the network of a trace, for Wireshark. An OpenFlow message becomes a TCP segment when it is delivered, a frame on a
 * link is itself. Inputs and the violation are comments of the packet after them.
 */
export function pcapngOf(trace: Trace, options: PcapngOptions = {}): Uint8Array {
  const { channel } = pcapngOptions.checked(options);
  const places = new Places(trace.header);
  const { system, seed } = trace.header;
  const capture = new Capture(new PcapngFile(printable(`${system}, seed ${seed}`), places.names), trace.events);
  const captured = new Set<string>();
  for (const line of trace.events) {
    const found = line.kind === 'deliver' ? packetsOf(line, places) : undefined;
    if (found?.isChannel === true) captured.add(found.at);
    if (found !== undefined && (channel === undefined || channel === found.at)) capture.packets(line, found);
    else if (isInput(line, trace.events)) capture.remark(line);
  }
  refuseIfAbsent(channel, [...captured]);
  capture.end(trace);
  return capture.file.bytes;
}

/** What a delivery shows at one place. */
interface Found {
  readonly at: string;
  readonly isChannel: boolean;
  readonly packets: readonly Uint8Array[];
}

function packetsOf(line: Delivery, places: Places): Found | undefined {
  const message = fromPortable(line.message) as { readonly type?: unknown } | null;
  const place = places.channelOf(line);
  if (place !== undefined) {
    const sent = sentAs(message);
    return sent && { at: place.name, isChannel: true, packets: place.channel.packetsOf(place.side, sent) };
  }
  if (message?.type !== 'frame') return undefined;
  const { packet, port } = message as { readonly packet?: unknown; readonly port?: unknown };
  const at = places.linkOf(line, Number(port));
  return typeof packet === 'string' && at !== undefined
    ? { at, isChannel: false, packets: [Buffer.from(packet, 'hex')] }
    : undefined;
}

/** A message in bytes; undefined if it is not of OpenFlow. A trace may come from anyone. */
function sentAs(message: unknown): Sent | undefined {
  const given = message as Message | { readonly type: 'bytes'; readonly bytes: string } | { readonly type: 'closed' };
  try {
    if (given.type === 'closed') return { closes: true };
    if (given.type === 'bytes') return { bytes: Buffer.from(given.bytes, 'hex') };
    return { bytes: openflow10.encode(given), ...(given.type === 'hello' ? { hello: given.xid } : {}) };
  } catch (error) {
    if (error instanceof CannotEncode || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** An event of the environment that no action of it caused. */
const isInput = (line: EventLine, events: readonly EventLine[]): boolean =>
  !isInternal(eventOf(line)) && events[line.cause - 1]?.kind !== 'act';

function refuseIfAbsent(channel: string | undefined, captured: readonly string[]): void {
  if (captured.length === 0)
    throw new BadOption(
      'the trace has no message on a control channel, so there is nothing to capture.',
      'The format pcapng is for networks with OpenFlow controllers: choose another one.',
    );
  if (channel === undefined || captured.includes(channel)) return;
  throw new BadOption(
    `no message was delivered on a channel ${channel}${didYouMean(channel, captured) || '.'}`,
    `The channels of this trace are ${captured.slice(0, SHOWN_MAX).join(', ')}${captured.length > SHOWN_MAX ? ' and others' : ''}.`,
  );
}

const SHOWN_MAX = 8;

/** Writes packets in the order of events, each with the inputs before it as comments. */
class Capture {
  private inputs: EventLine[] = [];
  private timeUs = 0;

  constructor(
    readonly file: PcapngFile,
    private readonly events: readonly EventLine[],
  ) {}

  remark(line: EventLine): void {
    this.inputs.push(line);
  }

  packets(line: EventLine, { at, packets }: Found): void {
    for (const bytes of packets) this.write(line, at, bytes, this.comments());
  }

  /** Comments that no packet follows have a packet of their own. */
  end({ verdict }: Trace): void {
    const last = this.events.at(-1);
    const violation = verdict.verdict === 'violated' ? [`violated ${verdict.oracle}: ${verdict.message}`] : [];
    const comments = [...this.comments(), ...violation].map(printable);
    if (last !== undefined && comments.length > 0) this.write(last, REMARKS, remarkFrame(comments), comments);
  }

  /** Time where it was recorded; otherwise an event takes a millisecond. Packets of one event are a microsecond apart. */
  private write({ event, atMs = event }: EventLine, at: string, bytes: Uint8Array, comments: readonly string[]): void {
    this.timeUs = Math.min(Math.max(this.timeUs + 1, Math.round(atMs * 1000)), TIME_MAX);
    this.file.add({ at, timeUs: this.timeUs, bytes, id: event, comments });
  }

  private comments(): string[] {
    const steps = stepsOf(this.inputs);
    this.inputs = [];
    return steps.map(({ first, who, what }) => `event ${first}: ${who.join(', ')} ${what}`);
  }
}

/** A trace may have any number as a time; later ones are exact no longer. */
const TIME_MAX = 2 ** 52;

/** The interface of packets that carry comments only. */
const REMARKS = 'culprit';

/** For local experiments, so no program mistakes it for something else. */
const EXPERIMENTAL = 0x88b5;
const REMARK_BYTES = 1_000;

const remarkFrame = (comments: readonly string[]): Uint8Array =>
  Buffer.from(
    buildFrame({
      dlDst: 'ff:ff:ff:ff:ff:ff',
      dlSrc: '02:00:00:00:00:00',
      dlType: EXPERIMENTAL,
      payload: {
        kind: 'opaque',
        data: Buffer.from(comments.join('\n')).subarray(0, REMARK_BYTES).toString('hex'),
      },
    }),
    'hex',
  );
