import { digestText, type Digest } from '../../trace/digest.ts';
import {
  ENVIRONMENT,
  externalOf,
  type Deliver,
  type Event,
  type External,
  type ExternalEvent,
} from '../../trace/event.ts';
import { portableText } from '../../trace/json-encoding.ts';

/**
 * The schedule with some externals replaced, by index. Deliveries of replaced messages change with them. New events get
 * new identities, so that no execution is reused for them.
 */
export const replacing = (events: readonly Event[], others: ReadonlyMap<number, External>): Event[] =>
  events.map((event, at) => {
    const instead = others.get(at);
    if (instead !== undefined) return replacedExternal(event as ExternalEvent, instead);
    const sent = others.get(event.cause);
    return event.kind === 'deliver' && sent?.kind === 'send' ? replacedDelivery(event, sent) : event;
  });

function replacedExternal(event: ExternalEvent, external: External): ExternalEvent {
  const process = 'process' in external ? external.process : ENVIRONMENT;
  return { ...externalOf(external), process, cause: event.cause, ...identityOf('done', external) };
}

const replacedDelivery = (event: Deliver, { to, message }: Extract<External, { kind: 'send' }>): Deliver => ({
  ...event,
  process: to,
  message,
  ...identityOf('arrived', [to, message]),
});

const identityOf = (how: string, content: unknown): Digest =>
  digestText(`${how} ${portableText(content, 'the external event')}`);
