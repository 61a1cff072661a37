import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { fromPortable, toPortable } from '../trace/json-encoding.ts';

/** Longer text is compressed. */
const PLAIN_MAX = 2_000;

/** The mark of compressed text: JSON does not begin with it. */
const COMPRESSED = 'z';

/** Plain data as text for the broker. */
export function pack(value: unknown, what: string): string {
  const text = JSON.stringify(toPortable(value, what));
  if (text.length <= PLAIN_MAX) return text;
  // Fast beats small: half of an answer are digests, which do not compress.
  return `${COMPRESSED}${deflateRawSync(text, { level: 1 }).toString('base64')}`;
}

/** The data again. */
export const unpack = (packed: string): unknown => fromPortable(JSON.parse(unpackedText(packed)));

/** Equal data has equal text, on every machine; compressed text depends on the compressor. */
export const unpackedText = (packed: string): string =>
  packed.startsWith(COMPRESSED) ? inflateRawSync(Buffer.from(packed.slice(1), 'base64')).toString() : packed;

/** The SHA-256 of text. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
