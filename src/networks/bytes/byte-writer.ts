import { CulpritError, textOf } from '../../error.ts';
import { ipv4Number, writeMac } from './addresses.ts';
import type { Uint64 } from './data.ts';

/** A message or frame that cannot be expressed in bytes. */
export class CannotEncode extends CulpritError {
  readonly code = 'CANNOT_ENCODE';

  constructor(problem: string) {
    super(problem, 'Correct the field; the types of culprit/networks list what each message and frame has.');
  }
}

/** The length of an OpenFlow message or IPv4 packet is a number of 16 bits. */
const LENGTH_MAX = 0xffff;

const U64_MAX = 2n ** 64n - 1n;

/** Writes the fields of one message or frame in order, and checks that each fits. */
export class ByteWriter {
  at = 0;
  /** The type of the message, or the word frame, for errors. */
  what = '';
  readonly bytes = Buffer.alloc(LENGTH_MAX + 1);

  begin(what: string): void {
    this.at = 0;
    this.what = what;
  }

  /** A copy of what was written. */
  result(): Buffer {
    const copy = Buffer.allocUnsafe(this.at);
    copy.set(this.bytes.subarray(0, this.at));
    return copy;
  }

  u8(field: string, value: number): void {
    if ((value & 0xff) !== value) throw this.notWhole(field, value, 0xff);
    this.bytes[this.take(1)] = value;
  }

  u16(field: string, value: number): void {
    if ((value & 0xffff) !== value) throw this.notWhole(field, value, 0xffff);
    this.patch16(this.take(2), value);
  }

  u32(field: string, value: number): void {
    if (value >>> 0 !== value) throw this.notWhole(field, value, 0xffffffff);
    this.patch32(this.take(4), value);
  }

  u64(field: string, value: Uint64): void {
    const at = this.take(8);
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) {
      this.patch32(at, Math.floor(value / 2 ** 32));
      this.patch32(at + 4, value >>> 0);
    } else if (typeof value === 'bigint' && value > Number.MAX_SAFE_INTEGER && value <= U64_MAX) {
      this.bytes.writeBigUInt64BE(value, at);
    } else {
      throw this.isNot(field, value, 'a whole number from 0 to 2^64 - 1, as a bigint only above 2^53 - 1');
    }
  }

  zeros(count: number): void {
    const end = this.take(count) + count;
    // For a few bytes, a loop is faster than `fill`.
    for (let at = end - count; at < end; at++) this.bytes[at] = 0;
  }

  mac(field: string, address: string): void {
    if (!writeMac(address, this.bytes, this.take(6))) {
      throw this.isNot(field, address, 'a MAC address such as 00:00:5e:00:53:01, in lower case');
    }
  }

  ipv4(field: string, address: string): void {
    const number = ipv4Number(address);
    if (number < 0) throw this.isNot(field, address, 'an IPv4 address such as 192.0.2.1');
    this.patch32(this.take(4), number);
  }

  /** Pads with zeros. */
  text(field: string, text: string, length: number): void {
    // oxlint-disable-next-line no-control-regex -- a zero byte would end the text
    if (typeof text !== 'string' || text.length > length || /[^\x01-\xff]/.test(text)) {
      throw this.isNot(field, text, `text of at most ${length} characters of one byte each`);
    }
    const at = this.take(length);
    this.bytes.fill(0, at + this.bytes.write(text, at, 'latin1'), at + length);
  }

  hex(field: string, hex: string): void {
    if (typeof hex !== 'string' || hex.length % 2 !== 0) throw this.notHex(field, hex);
    if (hex === '') return;
    const count = hex.length / 2;
    const at = this.take(count);
    if (this.bytes.write(hex, at, count, 'hex') !== count) throw this.notHex(field, hex);
  }

  /** The number of a name. */
  named(field: string, names: readonly string[], name: string): number {
    const number = names.indexOf(name);
    if (number === -1) throw this.isNot(field, name, `one of ${names.join(', ')}`);
    return number;
  }

  bits<L extends readonly string[]>(field: string, bits: { bitsOf(names: L): number }, names: L, max: number): number {
    const number = Array.isArray(names) ? bits.bitsOf(names) : -1;
    if (number < 0 || number > max) throw this.isNot(field, names, 'a list of names of bits that the field has');
    return number;
  }

  bits16<L extends readonly string[]>(field: string, bits: { bitsOf(names: L): number }, names: L): void {
    this.patch16(this.take(2), this.bits(field, bits, names, 0xffff));
  }

  bits32<L extends readonly string[]>(field: string, bits: { bitsOf(names: L): number }, names: L): void {
    this.patch32(this.take(4), this.bits(field, bits, names, 0xffffffff));
  }

  /** Fills in a byte that was not known when its place was passed. */
  patch8(at: number, value: number): void {
    this.bytes[at] = value;
  }

  /** Fills in a number of 16 bits that was not known when its place was passed. */
  patch16(at: number, value: number): void {
    this.bytes[at] = value >>> 8;
    this.bytes[at + 1] = value;
  }

  /** Fills in a number of 32 bits that was not known when its place was passed. */
  patch32(at: number, value: number): void {
    this.bytes[at] = value >>> 24;
    this.bytes[at + 1] = value >>> 16;
    this.bytes[at + 2] = value >>> 8;
    this.bytes[at + 3] = value;
  }

  isNot(field: string, value: unknown, expected: string): CannotEncode {
    const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : textOf(value);
    return new CannotEncode(`${this.what}: ${field} is ${shown}, not ${expected}.`);
  }

  private notWhole(field: string, value: unknown, max: number): CannotEncode {
    return this.isNot(field, value, `a whole number from 0 to ${max}`);
  }

  private notHex(field: string, value: unknown): CannotEncode {
    return this.isNot(field, value, 'bytes as hexadecimal text, two digits each');
  }

  /** Where the next bytes belong. */
  protected take(count: number): number {
    const at = this.at;
    this.at = at + count;
    if (this.at > LENGTH_MAX) throw new CannotEncode(`${this.what} is longer than ${LENGTH_MAX} bytes.`);
    return at;
  }
}
