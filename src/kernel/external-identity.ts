import { digestText, type Digest } from '../trace/digest.ts';
import { ENVIRONMENT, externalOf, type External, type ExternalEvent } from '../trace/event.ts';
import { examine } from '../trace/plain-data.ts';
import { portableText } from '../trace/json-encoding.ts';
import { copyData } from './data/copy.ts';
import { inKeyOrder } from './data/key-order.ts';

/** An external as it is kept, and the digest of what it says. */
export interface Identified extends Digest {
  readonly content: External;
}

// A workload is made once and used in every execution, so what it says is digested once. Externals are plain data that
// nobody changes; one that was changed all the same would keep the identity it had.
const identities = new WeakMap<External | ExternalEvent, Identified>();

/** Takes recorded events too: what counts is the external alone, not where it happened. */
export function identified(external: External | ExternalEvent): Identified {
  const known = identities.get(external);
  if (known !== undefined) return known;
  const given = externalOf(external);
  examine(given, `${ENVIRONMENT}: the event`, true);
  // In the order of files: a handler that prints a message, or goes through its keys, does the same in a replay.
  const content = inKeyOrder(copyData(given, ENVIRONMENT, 'the event'));
  const identity = { content, ...digestText(portableText(content, 'the external event')) };
  identities.set(external, identity);
  return identity;
}
