import { Unreadable } from '../frame-codec.ts';

/** Deeper values would not be plain data. */
const DEPTH_MAX = 90;

/** A value of JSON as the type and the content of a message. */
export function jsonFrom(text: string): { readonly type: string; readonly content: unknown } {
  const content = parsed(text);
  if (isDeeper(content, DEPTH_MAX)) throw new Unreadable(`a value of JSON is more than ${DEPTH_MAX} deep`);
  return { type: typeOf(content), content };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Unreadable(`${JSON.stringify(text.slice(0, 60))} is no JSON`);
  }
}

/** What the value itself says it is: the names that protocols use for it. */
function typeOf(content: unknown): string {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'json';
  for (const field of ['type', 'method', 'op', 'cmd'])
    if (Object.hasOwn(content, field)) {
      const named: unknown = content[field as keyof typeof content];
      if (typeof named === 'string' && named !== '') return named;
    }
  return 'json';
}

/** The message of a user is the value itself, or { type, content } with the value in it. */
export const jsonIn = (message: unknown): string =>
  JSON.stringify(isFrameMessage(message) ? message.content : message) ?? 'null';

function isFrameMessage(message: unknown): message is { readonly content: unknown } {
  if (typeof message !== 'object' || message === null) return false;
  const fields = Object.keys(message);
  return fields.includes('type') && fields.includes('content') && fields.length === 2;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
