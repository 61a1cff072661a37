import { ENVIRONMENT } from '../trace/event.ts';
import { peerOf } from '../trace/event-subject.ts';
import type { EventLine } from '../trace/format.ts';
import type { Sentence } from './story.ts';

/** An event and its sentence. */
export interface NarratedEvent {
  readonly line: EventLine;
  readonly sentence: Sentence;
  /** The changes as texts. */
  readonly changes: readonly string[];
}

/** The sentence of a step, and the changes of its processes. */
export interface Account {
  /** Several names if several processes do the same. */
  readonly who: readonly string[];
  /** What they do. */
  readonly what: string;
  /** The state afterward, in the system's own words. */
  readonly stateLabel?: string;
  /** What changed of their states, as texts. */
  readonly changes: readonly string[];
}

/** A rule by which consecutive events become one step. */
export interface StepRule {
  /** Whether the event extends the run before it, which has at least one event. */
  readonly isExtendedBy: (run: readonly NarratedEvent[], next: NarratedEvent) => boolean;
  /** A text that no two events of a run may share; undefined if the event may be combined with any other. */
  readonly distinct?: (event: NarratedEvent) => string | undefined;
  /** What an event adds to the balance of a run, which may end only where the balance is 0; anywhere by default. */
  readonly balance?: (event: NarratedEvent) => number;
  /** The account of a run of several events. */
  readonly account: (run: readonly NarratedEvent[]) => Account;
}

/** Caches texts, because each is compared with those of many events. */
function cached(text: (event: NarratedEvent) => string): (event: NarratedEvent) => string {
  const known = new WeakMap<NarratedEvent, string>();
  return (event) => {
    const made = known.get(event) ?? text(event);
    known.set(event, made);
    return made;
  };
}

const messageOf = cached(({ line }) => ('message' in line ? JSON.stringify(line.message) : ''));
const changesOf = cached(({ changes }) => changes.join());
const peer = ({ line }: NarratedEvent): string => peerOf(line) ?? '';

/** Processes start one after the other, and their handlers do nothing else worth a sentence. */
const starts: StepRule = {
  isExtendedBy: ([first], next) => isBareStart(first) && isBareStart(next),
  account: (run) => ({ who: run.map(({ sentence }) => sentence.who), what: 'start', ...initial(run) }),
};

const isBareStart = (event: NarratedEvent | undefined): boolean =>
  event?.line.kind === 'start' && event.sentence.what === 'starts';

/** One state for all processes, or the state of each group. */
function initial(run: readonly NarratedEvent[]): Pick<Account, 'stateLabel' | 'changes'> {
  const byState = new Map<string, NarratedEvent[]>();
  for (const event of run) {
    const state = event.sentence.stateLabel ?? event.changes.join(', ');
    const alike = byState.get(state);
    if (alike === undefined) byState.set(state, [event]);
    else alike.push(event);
  }
  const [{ sentence, changes }] = run as [NarratedEvent];
  if (byState.size === 1)
    return sentence.stateLabel === undefined ? { changes } : { changes: [], stateLabel: sentence.stateLabel };
  return {
    changes: [...byState]
      .filter(([state]) => state !== '')
      .map(([state, those]) => `${those.map((one) => one.sentence.who).join(', ')} {${state}}`),
  };
}

/**
 * The environment sends a message, and it arrives; also the same message to several processes, which arrives in between or afterward
 * with the same effect on each.
 */
const sent: StepRule = {
  isExtendedBy(run, next) {
    const [first] = run as [NarratedEvent];
    if (!isBareSend(first) || messageOf(first) !== messageOf(next)) return false;
    // All events of the run are sends of this message and their arrivals.
    const isArrival = next.line.kind === 'deliver' && isFromEnvironment(next) && next.line.cause >= first.line.event;
    const arrived = run.find(isFromEnvironment);
    return isArrival ? arrived === undefined || isSameAccount(arrived, next) : isBareSend(next);
  },
  distinct: ({ line }) => (line.kind === 'send' ? `to ${line.to}` : `at ${line.process}`),
  balance: (event) => (isFromEnvironment(event) ? -1 : 1),
  account(run) {
    const arrivals = run.filter(isFromEnvironment).map(accountOf);
    return arrivals.length === 1 ? (arrivals[0] as Account) : forSeveral(arrivals);
  },
};

const isFromEnvironment = ({ line }: NarratedEvent): boolean => line.kind === 'deliver' && line.from === ENVIRONMENT;

/** The environment sends one message to several processes. */
const sameToSeveral: StepRule = {
  isExtendedBy: ([first], next) => isBareSend(first) && isBareSend(next) && messageOf(first) === messageOf(next),
  distinct: peer,
  account: (run) => ({
    ...accountOf(run[0] as NarratedEvent),
    what: `${(run[0] as NarratedEvent).sentence.what}, ${run.slice(1).map(peer).join(', ')}`,
  }),
};

const isBareSend = (event: NarratedEvent | undefined): event is NarratedEvent =>
  event?.line.kind === 'send' && event.line.dropped === undefined;

/** One message to several processes arrives, with the same effect on each. */
const broadcast: StepRule = {
  isExtendedBy: ([first], next) =>
    first?.line.kind === 'deliver' &&
    next.line.kind === 'deliver' &&
    (first.line.cause === next.line.cause || (first.line.from === ENVIRONMENT && next.line.from === ENVIRONMENT)) &&
    messageOf(first) === messageOf(next) &&
    isSameAccount(first, next),
  distinct: ({ line }) => line.process,
  account: (run) => forSeveral(run.map(accountOf)),
};

/** The same event is repeated. */
const repeated: StepRule = {
  isExtendedBy: ([first], next) =>
    first !== undefined && first.line.process === next.line.process && isSameAccount(first, next),
  account: (run) => ({ ...accountOf(run[0] as NarratedEvent), what: `${run[0]?.sentence.what}, ${run.length} times` }),
};

/** Several processes send the same message to one process, without effect. */
const sameFromSeveral: StepRule = {
  isExtendedBy: ([first], next) =>
    isIdleDelivery(first) &&
    isIdleDelivery(next) &&
    first.line.process === next.line.process &&
    messageOf(first) === messageOf(next),
  distinct: peer,
  account: (run) => ({
    ...accountOf(run[0] as NarratedEvent),
    what: `${(run[0] as NarratedEvent).sentence.what}, ${run.slice(1).map(peer).join(', ')}`,
  }),
};

/** In our default wording, which ends with the sender if nothing changed and nothing was lost, called or logged. */
const isIdleDelivery = (event: NarratedEvent | undefined): event is NarratedEvent =>
  event?.line.kind === 'deliver' &&
  event.line.label === undefined &&
  event.changes.length === 0 &&
  event.sentence.what.endsWith(` from ${event.line.from}`);

/** If several rules match equally many events, the first one wins. */
export const stepRules: readonly StepRule[] = [starts, sent, broadcast, repeated, sameToSeveral, sameFromSeveral];

export const accountOf = ({ sentence: { who, what, stateLabel }, changes }: NarratedEvent): Account => ({
  who: [who],
  what,
  changes,
  ...(stateLabel === undefined ? {} : { stateLabel }),
});

/** Whether two accounts are equal except for the names. */
const isSameAccount = (one: NarratedEvent, other: NarratedEvent): boolean =>
  one.sentence.what === other.sentence.what &&
  one.sentence.stateLabel === other.sentence.stateLabel &&
  changesOf(one) === changesOf(other);

/** One account for several processes that do the same. */
function forSeveral(accounts: readonly Account[]): Account {
  const [first] = accounts as [Account];
  const who = accounts.flatMap((account) => account.who);
  // Only our default wording has a known plural.
  const plural = first.what.replace(/^gets /, 'get ').replace(/^is answered /, 'are answered ');
  return { ...first, who, what: plural === first.what ? `each: ${first.what}` : plural };
}
