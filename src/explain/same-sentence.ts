import { ENVIRONMENT } from '../trace/event.ts';
import { peerOf } from '../trace/event-subject.ts';
import type { EventLine } from '../trace/format.ts';
import type { Sentence } from './story.ts';

/** An event beside its sentence. */
export interface Told {
  readonly line: EventLine;
  readonly sentence: Sentence;
  /** What changed, as it is told here. */
  readonly changes: readonly string[];
}

/** Who, what, and the consequences. */
export interface Account {
  /** Several where several do the same. */
  readonly who: readonly string[];
  readonly what: string;
  /** What they are afterward, in the system's own words. */
  readonly is?: string;
  readonly changes: readonly string[];
}

/** One way in which events that follow one another are one step to a reader. */
export interface Likeness {
  /** Whether the event goes on with what those before it have begun: there is at least one. */
  readonly goesOn: (run: readonly Told[], next: Told) => boolean;
  /** What no two events of a run have in common; undefined for an event that may be there with any other. */
  readonly distinct?: (told: Told) => string | undefined;
  /** How many events make one: a run is that many, or twice as many, … */
  readonly size?: number;
  /** The run, of several events, as one. */
  readonly tell: (run: readonly Told[]) => Account;
}

/** Texts that are compared with those of many events, and made once. */
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
const peer = ({ line }: Told): string => peerOf(line) ?? '';

/** Processes start, one after the other, and do nothing else that would have to be told. */
const starts: Likeness = {
  goesOn: ([first], next) => isBareStart(first) && isBareStart(next),
  tell: (run) => ({ who: run.map(({ sentence }) => sentence.who), what: 'start', ...initial(run) }),
};

const isBareStart = (told: Told | undefined): boolean => told?.line.kind === 'start' && told.sentence.what === 'starts';

/** The same for all, or who begins with what. */
function initial(run: readonly Told[]): Pick<Account, 'is' | 'changes'> {
  const byState = new Map<string, Told[]>();
  for (const told of run) {
    const state = told.sentence.is ?? told.changes.join(', ');
    const alike = byState.get(state);
    if (alike === undefined) byState.set(state, [told]);
    else alike.push(told);
  }
  const [{ sentence, changes }] = run as [Told];
  if (byState.size === 1) return sentence.is === undefined ? { changes } : { changes: [], is: sentence.is };
  return {
    changes: [...byState]
      .filter(([state]) => state !== '')
      .map(([state, those]) => `${those.map((one) => one.sentence.who).join(', ')} {${state}}`),
  };
}

/** What the environment sends, and its arrival right after; again and again, where others do the same with the same. */
const sent: Likeness = {
  size: 2,
  goesOn(run, next) {
    const [first, arrived] = run as [Told, Told?];
    const last = run.at(-1) as Told;
    if (run.length % 2 === 0) return isBareSend(next) && messageOf(first) === messageOf(next);
    if (!isBareSend(last) || next.line.kind !== 'deliver' || next.line.cause !== last.line.event) return false;
    return arrived === undefined || isSameAccount(arrived, next);
  },
  distinct: (told) => (told.line.kind === 'send' ? peer(told) : undefined),
  tell(run) {
    const arrivals = run.filter(({ line }) => line.kind === 'deliver').map(accountOf);
    return arrivals.length === 1 ? (arrivals[0] as Account) : severally(arrivals);
  },
};

/** The environment sends one message to several. */
const sendings: Likeness = {
  goesOn: ([first], next) => isBareSend(first) && isBareSend(next) && messageOf(first) === messageOf(next),
  distinct: peer,
  tell: (run) => ({
    ...accountOf(run[0] as Told),
    what: `${(run[0] as Told).sentence.what}, ${run.slice(1).map(peer).join(', ')}`,
  }),
};

const isBareSend = (told: Told | undefined): told is Told =>
  told?.line.kind === 'send' && told.line.dropped === undefined;

/** One message that was sent to several arrives, and they make the same of it. */
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

/** The same once more. */
const again: Likeness = {
  goesOn: ([first], next) =>
    first !== undefined && first.line.process === next.line.process && isSameAccount(first, next),
  tell: (run) => ({ ...accountOf(run[0] as Told), what: `${run[0]?.sentence.what}, ${run.length} times` }),
};

/** Several say the same to one, to no effect. */
const chorus: Likeness = {
  goesOn: ([first], next) =>
    isIdleDelivery(first) &&
    isIdleDelivery(next) &&
    first.line.process === next.line.process &&
    messageOf(first) === messageOf(next),
  distinct: peer,
  tell: (run) => ({
    ...accountOf(run[0] as Told),
    what: `${(run[0] as Told).sentence.what}, ${run.slice(1).map(peer).join(', ')}`,
  }),
};

/** In our words, which end with the sender, as nothing changed, and nothing was lost, called or logged. */
const isIdleDelivery = (told: Told | undefined): told is Told =>
  told?.line.kind === 'deliver' &&
  told.line.told === undefined &&
  told.changes.length === 0 &&
  told.sentence.what.endsWith(` from ${told.line.from}`);

/** Of those that go equally far, the first one counts. */
export const likenesses: readonly Likeness[] = [starts, sent, broadcast, again, sendings, chorus];

export const accountOf = ({ sentence: { who, what, is }, changes }: Told): Account => ({
  who: [who],
  what,
  changes,
  ...(is === undefined ? {} : { is }),
});

/** Whether both read the same but for the names. */
const isSameAccount = (one: Told, other: Told): boolean =>
  one.sentence.what === other.sentence.what &&
  one.sentence.is === other.sentence.is &&
  changesOf(one) === changesOf(other);

/** What several do, who each do the same. */
function severally(accounts: readonly Account[]): Account {
  const [first] = accounts as [Account];
  const who = accounts.flatMap((account) => account.who);
  // Only of our own words do we know how they go with several.
  const plural = first.what.replace(/^gets /, 'get ').replace(/^is answered /, 'are answered ');
  return { ...first, who, what: plural === first.what ? `each: ${first.what}` : plural };
}
