import type { External } from '../../trace/event.ts';
import { toPortable } from '../../trace/json-encoding.ts';

/** The content of an external: a message, or the arguments of a process or an action. */
export function payloadOf(external: External): unknown {
  switch (external.kind) {
    case 'send':
      return external.message;
    case 'act':
      return external.payload;
    case 'start':
      return external.args;
    default:
      return undefined;
  }
}

/** The same external with another content. */
export function withPayload(external: External, payload: unknown): External {
  switch (external.kind) {
    case 'send':
      return { ...external, message: payload };
    case 'act':
      return { ...external, payload };
    case 'start':
      return { ...external, args: payload };
    default:
      return external;
  }
}

/**
 * Content as text, by which contents are ordered: shorter is simpler, then alphabetical order. False counts as 0, and
 * true as 1.
 */
export function payloadText(external: External): string {
  const payload = payloadOf(external);
  if (payload === undefined) return '';
  const data = toPortable(payload, 'the external event');
  return JSON.stringify(data, (_key, part: unknown) => (typeof part === 'boolean' ? Number(part) : part));
}
