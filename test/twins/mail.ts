import type { Deliver, Internal, Return } from 'culprit/trace';
import { ENVIRONMENT } from 'culprit/trace';
import type { LinkReport } from 'culprit/kernel';
import type { Message } from './random-system.ts';

/** A message in the twin, from its sending to the end of the execution. */
export interface Mail {
  /** The kernel's identity; empty until it is known. */
  id: string;
  readonly from: string;
  readonly to: string;
  readonly tag: number;
  /** Undefined for the default lane. */
  readonly lane: string | undefined;
  /** Whether it found no receiver and is returning. */
  readonly returned: boolean;
  /** The ask of its receiver that it answers, by a reply or by returning; 0 for none. */
  answers: number;
  inFlight: boolean;
}

export const letter = (from: string, to: string, tag: number, lane?: string): Mail => ({
  id: '',
  from,
  to,
  tag,
  lane,
  returned: false,
  answers: 0,
  inFlight: false,
});

/** A key by which twin and kernel recognize the same message before its identity is known. */
export const keyOf = ({ from, to, tag, lane }: Pick<Mail, 'from' | 'to' | 'tag' | 'lane'>): string =>
  `${from} > ${to}: ${tag} ${lane ?? ''}`;

export function keyOfEvent(event: Deliver | Return): string {
  const from = event.kind === 'deliver' ? event.from : event.to;
  const lane = event.kind === 'deliver' ? event.lane : undefined;
  return keyOf({ from, to: event.process, tag: tagOf(event.message as Message | LinkReport), lane });
}

/** Reports on links have no tag of their own. */
const tagOf = (message: Message | LinkReport): number => ('tag' in message ? message.tag : message.isUp ? UP : DOWN);

/** The tags of reports. */
export const UP = -1;
export const DOWN = -2;

/** Only reports on links come from the environment on a lane. */
export const isReport = ({ from, lane }: Mail): boolean => from === ENVIRONMENT && lane !== undefined;

export const isMail = (event: Internal): event is Deliver | Return =>
  event.kind === 'deliver' || event.kind === 'return';

/** Its origin with respect to order: a returning message counts as one from outside. */
export const wayOf = ({ from, returned }: Mail): string => (returned ? ENVIRONMENT : from);

export const onSameWay = (a: Mail, b: Mail): boolean => a.to === b.to && wayOf(a) === wayOf(b) && a.lane === b.lane;
