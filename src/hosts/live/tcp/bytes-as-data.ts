import { isUtf8 } from 'node:buffer';

/** Bytes as plain data: text where they are UTF-8, and base64 otherwise. */
export type BytesAsData = string | { readonly base64: string };

export const asData = (bytes: Buffer): BytesAsData =>
  isUtf8(bytes) ? bytes.toString('utf8') : { base64: bytes.toString('base64') };

export const isBytesAsData = (value: unknown): value is BytesAsData =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string');

export const asBytes = (data: BytesAsData): Buffer =>
  typeof data === 'string' ? Buffer.from(data, 'utf8') : Buffer.from(data.base64, 'base64');
