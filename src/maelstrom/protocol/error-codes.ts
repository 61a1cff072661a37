import type { Body } from './body.ts';

/** The errors of Maelstrom, by code. A definite error says that the operation did not happen, and will not. */
const errors: ReadonlyMap<number, { readonly name: string; readonly isDefinite: boolean }> = new Map([
  [0, { name: 'timeout', isDefinite: false }],
  [1, { name: 'node-not-found', isDefinite: true }],
  [10, { name: 'not-supported', isDefinite: true }],
  [11, { name: 'temporarily-unavailable', isDefinite: true }],
  [12, { name: 'malformed-request', isDefinite: true }],
  [13, { name: 'crash', isDefinite: false }],
  [14, { name: 'abort', isDefinite: true }],
  [20, { name: 'key-does-not-exist', isDefinite: true }],
  [21, { name: 'key-already-exists', isDefinite: true }],
  [22, { name: 'precondition-failed', isDefinite: true }],
  [30, { name: 'txn-conflict', isDefinite: true }],
]);

/** The codes that culprit itself sends. */
export const NODE_NOT_FOUND = 1;
export const NOT_SUPPORTED = 10;
export const MALFORMED_REQUEST = 12;
export const KEY_DOES_NOT_EXIST = 20;
export const PRECONDITION_FAILED = 22;

/** Whether an operation that ended with this error certainly had no effect. Codes that Maelstrom does not define are indefinite. */
export const isDefinite = (code: number): boolean => errors.get(code)?.isDefinite ?? false;

/** The name of an error, such as `abort`. */
export const nameOfError = (code: number): string => errors.get(code)?.name ?? `error ${code}`;

/** The body of an error that answers a request. */
export const errorReply = (request: Body, code: number, text: string): Body => ({
  type: 'error',
  ...(request.msg_id === undefined ? {} : { in_reply_to: request.msg_id }),
  code,
  text,
});
