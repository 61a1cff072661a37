/** The types of blocks, and the codes of options, in the draft standard draft-ietf-opsawg-pcapng. */
const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const NAMES = 4;
const PACKET = 6;

const COMMENT = 1;
const INTERFACE_NAME = 2;
const APPLICATION = 4;
const PACKET_ID = 5;

const BYTE_ORDER = 0x1a2b3c4d;
const ETHERNET = 1;
const IPV4_NAME = 1;

/** The length of an option is a number of 16 bits; texts for people are much shorter. */
const TEXT_MAX = 16_000;

export interface CapturedPacket {
  /** The name of the interface at which it was captured. */
  readonly at: string;
  /** Microseconds. */
  readonly timeUs: number;
  readonly bytes: Uint8Array;
  /** A number for people, which Wireshark shows as `frame.packet_id`. */
  readonly id: number;
  readonly comments: readonly string[];
}

/** A name of an IPv4 address. */
export interface NamedAddress {
  readonly address: number;
  readonly name: string;
}

/** Writes a capture file of Ethernet packets in the format pcapng, with numbers in network byte order. */
export class PcapngFile {
  private readonly blocks: Buffer[] = [];
  private readonly interfaces = new Map<string, number>();

  constructor(comment: string, names: readonly NamedAddress[]) {
    const header = Buffer.alloc(16);
    header.writeUInt32BE(BYTE_ORDER, 0);
    header.writeUInt16BE(1, 4);
    // The length of the section is not known yet.
    header.writeBigInt64BE(-1n, 8);
    this.write(SECTION, [header, ...options([COMMENT, text(comment)], [APPLICATION, text('culprit')])]);
    const records = names.map(({ address, name }) =>
      option(IPV4_NAME, Buffer.concat([number32(address), text(name.replaceAll('\0', '')), Buffer.alloc(1)])),
    );
    if (records.length > 0) this.write(NAMES, [...records, END]);
  }

  add({ at, timeUs, bytes, id, comments }: CapturedPacket): void {
    const header = Buffer.alloc(20);
    header.writeUInt32BE(this.interfaceCalled(at), 0);
    header.writeUInt32BE(Math.floor(timeUs / 2 ** 32), 4);
    header.writeUInt32BE(timeUs % 2 ** 32, 8);
    header.writeUInt32BE(bytes.length, 12);
    header.writeUInt32BE(bytes.length, 16);
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(BigInt(id));
    const comment = comments.map((one): Option => [COMMENT, text(one)]);
    this.write(PACKET, [header, padded(bytes), ...options(...comment, [PACKET_ID, number])]);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.blocks);
  }

  /** Its number; an interface is described before its first packet. */
  private interfaceCalled(name: string): number {
    const known = this.interfaces.get(name);
    if (known !== undefined) return known;
    const header = Buffer.alloc(8);
    header.writeUInt16BE(ETHERNET, 0);
    this.write(INTERFACE, [header, ...options([INTERFACE_NAME, text(name)])]);
    this.interfaces.set(name, this.interfaces.size);
    return this.interfaces.size - 1;
  }

  /** The length of a block stands before and behind its content. */
  private write(type: number, content: readonly Buffer[]): void {
    const length = number32(content.reduce((sum, part) => sum + part.length, 12));
    this.blocks.push(number32(type), length, ...content, length);
  }
}

type Option = readonly [code: number, value: Uint8Array];

const options = (...all: readonly Option[]): Buffer[] => [...all.map(([code, value]) => option(code, value)), END];

function option(code: number, value: Uint8Array): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(code, 0);
  header.writeUInt16BE(value.length, 2);
  return Buffer.concat([header, padded(value)]);
}

/** Ends a list of options, or of names. */
const END = Buffer.alloc(4);

/** Fills up to a multiple of 32 bits. */
const padded = (bytes: Uint8Array): Buffer => Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4);

const text = (given: string): Buffer => Buffer.from(given.slice(0, TEXT_MAX));

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
