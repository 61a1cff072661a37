/** MAC and IPv4 addresses as text, and as bytes. */

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const decimalOfByte = Array.from({ length: 256 }, (_, byte) => String(byte));

export function macAt(bytes: Uint8Array, at: number): string {
  const [hex, sep] = [hexOfByte, ':'];
  return (
    (hex[bytes[at] as number] as string) +
    sep +
    (hex[bytes[at + 1] as number] as string) +
    sep +
    (hex[bytes[at + 2] as number] as string) +
    sep +
    (hex[bytes[at + 3] as number] as string) +
    sep +
    (hex[bytes[at + 4] as number] as string) +
    sep +
    (hex[bytes[at + 5] as number] as string)
  );
}

const MAC_LENGTH = 17;
const COLON = 0x3a;

/** Writes the six bytes of an address such as `00:00:5e:00:53:01`. False if the text is something else. */
export function writeMac(text: unknown, bytes: Uint8Array, at: number): boolean {
  if (typeof text !== 'string' || text.length !== MAC_LENGTH) return false;
  for (let octet = 0; octet < 6; octet++) {
    const start = octet * 3;
    const high = digitOf(text.charCodeAt(start));
    const low = digitOf(text.charCodeAt(start + 1));
    if (high < 0 || low < 0 || (octet < 5 && text.charCodeAt(start + 2) !== COLON)) return false;
    bytes[at + octet] = high * 16 + low;
  }
  return true;
}

/** The value of a digit `0` to `9` or `a` to `f`; -1 for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

export const ipv4Text = (address: number): string =>
  `${decimalOfByte[address >>> 24]}.${decimalOfByte[(address >>> 16) & 0xff]}.${decimalOfByte[(address >>> 8) & 0xff]}.${decimalOfByte[address & 0xff]}`;

const DOT = 0x2e;

/** The number of an address such as `192.0.2.1`, up to `end`; -1 if the text is something else. */
export function ipv4Number(text: unknown, end?: number): number {
  if (typeof text !== 'string') return -1;
  const length = end ?? text.length;
  let address = 0;
  let octet = -1;
  let dots = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT && octet >= 0) {
      address = address * 256 + octet;
      octet = -1;
      dots++;
      continue;
    }
    // A leading zero is not allowed: some programs read it as octal.
    if (code < 0x30 || code > 0x39 || octet === 0) return -1;
    octet = (octet < 0 ? 0 : octet * 10) + code - 0x30;
    if (octet > 255) return -1;
  }
  return dots === 3 && octet >= 0 ? address * 256 + octet : -1;
}
