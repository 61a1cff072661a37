import { canonicalText, sameData } from '../../oracles/linearizability/canonical.ts';
import { brief, type Body } from '../protocol/body.ts';
import {
  KEY_DOES_NOT_EXIST,
  MALFORMED_REQUEST,
  NOT_SUPPORTED,
  PRECONDITION_FAILED,
  errorReply,
} from '../protocol/error-codes.ts';

/** Values by the text of their key. */
export type Store = Readonly<Record<string, unknown>>;

/** The answer of a store, and what it writes; nothing if it only reads. */
export interface Applied {
  readonly reply: Body;
  readonly write?: { readonly key: string; readonly value: unknown };
}

export const isRead = ({ type }: Body): boolean => type === 'read';

/** What a store with these values does with a request: `read`, `write` or `cas`. */
export function apply(store: Store, request: Body): Applied {
  const { type, value, from, to } = request;
  const fields = { read: ['key'], write: ['key', 'value'], cas: ['key', 'from', 'to'] }[type];
  if (fields === undefined) return refused(request, NOT_SUPPORTED, `there is no operation ${type}`);
  const missing = fields.find((name) => request[name] === undefined);
  if (missing !== undefined) return refused(request, MALFORMED_REQUEST, `${type} needs ${missing}`);
  const key = canonicalText(request['key'], 'a key');
  const exists = Object.hasOwn(store, key);
  if (type === 'write') return { reply: answer(request), write: { key, value } };
  if (!exists && !(type === 'cas' && request['create_if_not_exists'] === true))
    return refused(request, KEY_DOES_NOT_EXIST, `there is no key ${key}`);
  if (type === 'read') return { reply: { ...answer(request), value: store[key] } };
  if (exists && !sameData(store[key], from, 'the value of a key'))
    return refused(request, PRECONDITION_FAILED, `${key} is ${brief(store[key])}, not ${brief(from)}`);
  return { reply: answer(request), write: { key, value: to } };
}

const answer = ({ type, msg_id }: Body): Body => ({
  type: `${type}_ok`,
  ...(msg_id === undefined ? {} : { in_reply_to: msg_id }),
});

const refused = (request: Body, code: number, text: string): Applied => ({ reply: errorReply(request, code, text) });

/** An answer of a node is not answered. */
export const isRequest = (body: Body): boolean => body.in_reply_to === undefined;
