import type { ErrorMessage } from './messages.ts';
import { errorCodes, type ErrorType } from './names.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

const types = Object.keys(errorCodes) as ErrorType[];

/** Unknown errors stay numbers, such as those of vendors: an error is never answered with an error. */
export function readError(reader: Reader, type: 'error', xid: number): ErrorMessage {
  const [number, codeNumber] = [reader.u16(), reader.u16()];
  const error = types[number];
  const code = error === undefined ? undefined : errorCodes[error][codeNumber];
  return { type, xid, error: error ?? number, code: code ?? codeNumber, data: reader.hex() };
}

export function writeError(writer: Writer, { error, code, data }: ErrorMessage): void {
  writer.u16('error', typeof error === 'number' ? error : writer.named('error', types, error));
  const codes: readonly string[] = typeof error === 'number' ? [] : errorCodes[error];
  writer.u16('code', typeof code === 'number' ? code : writer.named('code', codes, code));
  writer.hex('data', data);
}
