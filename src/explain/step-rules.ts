import { ENVIRONMENT } from '../trace/event.ts';
import type { EventLine } from '../trace/format.ts';
import type { Sentence } from './story.ts';

/** An event and its sentence. */
export interface Told {
  readonly line: EventLine;
  readonly sentence: Sentence;
  /** The changes as texts. */
  readonly changes: readonly string[];
}

/** The sentence of a step, and the changes of its processes. */
export interface Account {
  /** Several names if several processes do the same. */
  readonly who: readonly string[];
  readonly what: string;
  /** The state afterward, in the system's own words. */
  readonly stateLabel?: string;
  readonly changes: readonly string[];
}

/** A rule by which consecutive events become one step. */
export interface Likeness {
  /** Whether the event extends the run before it, which has at least one event. */
  readonly goesOn: (run: readonly Told[], next: Told) => boolean;
  /** A text that no two events of a run may share; undefined if the event may be combined with any other. */
  readonly distinct?: (told: Told) => string | undefined;
  /** The number of events in one unit: the length of a run is a multiple of it. */
  readonly size?: number;
  /** The account of a run of several events. */
  readonly tell: (run: readonly Told[]) => Account;
}

/** Caches texts, because each is compared with those of many events. */
function kept(text: (told: Told) => string): (told: Told) => string {
  const known = new WeakMap<Told, string>();
  return (told) => {
    const made = known.get(told) ?? text(told);
    known.set(told, made);
    return made;
  };
}

const messageOf = kept(({ line }) => ('message' in line ? JSON.stringify(line.message) : ''));
const changesOf = kept(({ changes }) => changes.join());
const receiver = ({ line }: Told): string => (line.kind === 'send' ? line.to : '');
const sender = ({ line }: Told): string => (line.kind === 'deliver' ? line.from : '');

/** Processes start one after the other, and their handlers do nothing else worth a sentence. */
const starts: Likeness = {
  goesOn: ([first], next) => isBareStart(first) && isBareStart(next),
  tell: (run) => ({ who: run.map(({ sentence }) => sentence.who), what: 'start', ...initial(run) }),
};

const isBareStart = (told: Told | undefined): boolean => told?.line.kind === 'start' && told.sentence.what === 'starts';

/** One state for all processes, or the state of each group. */
function initial(run: readonly Told[]): Pick<Account, 'stateLabel' | 'changes'> {
  const byState = new Map<string, Told[]>();
  for (const told of run) {
    const state = told.sentence.stateLabel ?? told.changes.join(', ');
    const alike = byState.get(state);
    if (alike === undefined) byState.set(state, [told]);
    else alike.push(told);
  }
  const [{ sentence, changes }] = run as [Told];
  if (byState.size === 1)
    return sentence.stateLabel === undefined ? { changes } : { changes: [], stateLabel: sentence.stateLabel };
  return {
    changes: [...byState]
      .filter(([state]) => state !== '')
      .map(([state, those]) => `${those.map((one) => one.sentence.who).join(', ')} {${state}}`),
  };
}

/**
 * The environment sends a message, and it arrives right afterward; repeated for other processes with the same message.
 */
const sent: Likeness = {
  size: 2,
  goesOn(run, next) {
    const [first, arrived] = run as [Told, Told?];
    const last = run.at(-1) as Told;
    if (run.length % 2 === 0) return isBareSend(next) && messageOf(first) === messageOf(next);
    if (!isBareSend(last) || next.line.kind !== 'deliver' || next.line.cause !== last.line.event) return false;
    return arrived === undefined || isSameAccount(arrived, next);
  },
  distinct: (told) => (told.line.kind === 'send' ? receiver(told) : undefined),
  tell(run) {
    const arrivals = run.filter(({ line }) => line.kind === 'deliver').map(accountOf);
    return arrivals.length === 1 ? (arrivals[0] as Account) : severally(arrivals);
  },
};

/** The environment sends one message to several processes. */
const sendings: Likeness = {
  goesOn: ([first], next) => isBareSend(first) && isBareSend(next) && messageOf(first) === messageOf(next),
  distinct: receiver,
  tell: (run) => ({
    ...accountOf(run[0] as Told),
    what: `${(run[0] as Told).sentence.what}, ${run.slice(1).map(receiver).join(', ')}`,
  }),
};

const isBareSend = (told: Told | undefined): told is Told =>
  told?.line.kind === 'send' && told.line.dropped === undefined;

/** One message to several processes arrives, with the same effect on each. */
const broadcast: Likeness = {
  goesOn: ([first], next) =>
    first?.line.kind === 'deliver' &&
    next.line.kind === 'deliver' &&
    (first.line.cause === next.line.cause || (first.line.from === ENVIRONMENT && next.line.from === ENVIRONMENT)) &&
    messageOf(first) === messageOf(next) &&
    isSameAccount(first, next),
  distinct: ({ line }) => line.process,
  tell: (run) => severally(run.map(accountOf)),
};

/** The same event is repeated. */
const again: Likeness = {
  goesOn: ([first], next) =>
    first !== undefined && first.line.process === next.line.process && isSameAccount(first, next),
  tell: (run) => ({ ...accountOf(run[0] as Told), what: `${run[0]?.sentence.what}, ${run.length} times` }),
};

/** Several processes send the same message to one process, without effect. */
const chorus: Likeness = {
  goesOn: ([first], next) =>
    isIdleDelivery(first) &&
    isIdleDelivery(next) &&
    first.line.process === next.line.process &&
    messageOf(first) === messageOf(next),
  distinct: sender,
  tell: (run) => ({
    ...accountOf(run[0] as Told),
    what: `${(run[0] as Told).sentence.what}, ${run.slice(1).map(sender).join(', ')}`,
  }),
};

/** In our default wording, which ends with the sender if nothing changed and nothing was lost, called or logged. */
const isIdleDelivery = (told: Told | undefined): told is Told =>
  told?.line.kind === 'deliver' &&
  told.line.label === undefined &&
  told.changes.length === 0 &&
  told.sentence.what.endsWith(` from ${told.line.from}`);

/** If several rules match equally many events, the first one wins. */
export const likenesses: readonly Likeness[] = [starts, sent, broadcast, again, sendings, chorus];

export const accountOf = ({ sentence: { who, what, stateLabel }, changes }: Told): Account => ({
  who: [who],
  what,
  changes,
  ...(stateLabel === undefined ? {} : { stateLabel }),
});

/** Whether two accounts are equal except for the names. */
const isSameAccount = (one: Told, other: Told): boolean =>
  one.sentence.what === other.sentence.what &&
  one.sentence.stateLabel === other.sentence.stateLabel &&
  changesOf(one) === changesOf(other);

/** One account for several processes that do the same. */
function severally(accounts: readonly Account[]): Account {
  const [first] = accounts as [Account];
  const who = accounts.flatMap((account) => account.who);
  // Only our default wording has a known plural.
  const plural = first.what.replace(/^gets /, 'get ').replace(/^is answered /, 'are answered ');
  return { ...first, who, what: plural === first.what ? `each: ${first.what}` : plural };
}
