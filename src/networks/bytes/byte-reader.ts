import { ipv4Text, macAt } from './addresses.ts';
import type { Ipv4Address, MacAddress, Uint64 } from './data.ts';

const TWO_32 = 2 ** 32;
/** A higher half makes a number that is not exact. */
const SAFE_HIGH = 2 ** 21;

/** Reads fields in order. Callers check how many bytes are left before they read. */
export class ByteReader {
  constructor(
    readonly bytes: Buffer,
    public at: number,
    readonly end: number,
  ) {}

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.bytes[this.at++] as number;
  }

  u16(): number {
    const at = this.at;
    this.at = at + 2;
    return ((this.bytes[at] as number) << 8) | (this.bytes[at + 1] as number);
  }

  u32(): number {
    const { at, bytes } = this;
    this.at = at + 4;
    return (
      (((bytes[at] as number) << 24) |
        ((bytes[at + 1] as number) << 16) |
        ((bytes[at + 2] as number) << 8) |
        (bytes[at + 3] as number)) >>>
      0
    );
  }

  /** A number, and padding after it. */
  u8Padded(padding: number): number {
    const value = this.u8();
    this.at += padding;
    return value;
  }

  u16Padded(padding: number): number {
    const value = this.u16();
    this.at += padding;
    return value;
  }

  u64(): Uint64 {
    const high = this.u32();
    const low = this.u32();
    return high < SAFE_HIGH ? high * TWO_32 + low : (BigInt(high) << 32n) | BigInt(low);
  }

  skip(count: number): void {
    this.at += count;
  }

  mac(): MacAddress {
    const address = macAt(this.bytes, this.at);
    this.at += 6;
    return address;
  }

  ipv4(): Ipv4Address {
    return ipv4Text(this.u32());
  }

  /** Text that ends with a zero byte or fills the field. One character for each byte, so that nothing is lost. */
  text(length: number): string {
    const start = this.at;
    this.at = start + length;
    let end = start;
    while (end < this.at && this.bytes[end] !== 0) end++;
    return this.bytes.toString('latin1', start, end);
  }

  /** The next bytes, by default the rest. */
  hex(count = this.left): string {
    if (count === 0) return '';
    const start = this.at;
    this.at = start + count;
    return this.bytes.toString('hex', start, this.at);
  }
}
