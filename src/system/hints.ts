import { isOf } from '../error.ts';
import { externalOf, isInternal, type Event, type External } from '../trace/event.ts';
import { BadAnswer, badAnswer, dataOf, externalFrom, truthOf } from '../kernel/user-code/answer.ts';
import { SystemThrew } from '../kernel/errors.ts';
import { asked } from './asked.ts';
import type { MinimizeHints } from './definition.ts';

/** The hints of a system with every default filled in. */
export interface ResolvedHints {
  readonly contentOf: (message: unknown) => unknown;
  /** What counts of messages when two executions are compared, for people; undefined if all of it does. */
  readonly comparison: string | undefined;
  readonly keeps: (event: Event) => boolean;
  readonly atom: (event: Event) => string | undefined;
  readonly fails: (event: Event | External) => string | undefined;
  readonly recovers: (event: Event | External) => string | undefined;
  readonly shrink: (external: External) => Iterable<External>;
  readonly clock: ((message: unknown) => number | undefined) | undefined;
}

export function resolveHints({
  mask = [],
  fingerprint,
  atom,
  fails,
  recovers,
  keep,
  shrink,
  clock,
}: MinimizeHints<unknown> = {}): ResolvedHints {
  const masked = new Set(mask);
  return {
    contentOf: (message) =>
      withoutFields(fingerprint === undefined ? message : fingerprintOf(message, fingerprint), masked),
    comparison: comparisonWords(fingerprint?.words, mask),
    keeps: (event) => keep !== undefined && truthOf(...askedHint('keep', event.kind, () => keep(event))),
    atom: named('atom', atom),
    fails: named('fails', fails),
    recovers: named('recovers', recovers),
    shrink: (external) => (shrink === undefined ? [] : shrunk(external, shrink)),
    clock: clock && ((message) => clockOf(message, clock)),
  };
}

function comparisonWords(words: string | undefined, mask: readonly string[]): string | undefined {
  const masked = mask.length === 0 ? [] : [`these fields of messages do not count: ${mask.join(', ')}`];
  return [...(words === undefined ? [] : [words]), ...masked].join('; ') || undefined;
}

type Hints = Required<MinimizeHints<unknown>>;

/** The name of the hint, for messages, and its answer. */
function askedHint(hint: keyof Hints, about: string, question: () => unknown): [who: string, answer: unknown] {
  const who = `minimize.${hint}, asked about a ${about},`;
  return [who, asked(who, question)];
}

function clockOf(message: unknown, clock: Hints['clock']): number | undefined {
  const [who, answer] = askedHint('clock', 'message', () => clock(message));
  if (answer === undefined || typeof answer === 'number') return answer;
  throw badAnswer(who, answer, 'Return a number; undefined for a message that has no logical time.');
}

function fingerprintOf(message: unknown, fingerprint: Hints['fingerprint']): unknown {
  const instead = 'Return plain data: the meaning of the message, or null if it has none.';
  const [who, answer] = askedHint('fingerprint', 'message', () => fingerprint(message));
  if (answer === undefined) throw badAnswer(who, answer, instead);
  return dataOf(who, answer, instead);
}

/** A hint that gives the name of something that externals have in common. */
const named = (hint: 'atom' | 'fails' | 'recovers', nameOf: Hints['atom'] | undefined) => (event: Event | External) => {
  if (nameOf === undefined || isInternal(event)) return undefined;
  const external = externalOf(event);
  const [who, answer] = askedHint(hint, external.kind, () => nameOf(external));
  if (answer === undefined || typeof answer === 'string') return answer;
  throw badAnswer(who, answer, 'Return a name; undefined for an external that is on its own.');
};

function* shrunk(external: External, shrink: Hints['shrink']): Generator<External> {
  const [who, answer] = askedHint('shrink', external.kind, () => shrink(external));
  if (!isIterable(answer)) throw badAnswer(who, answer, 'Return a list of externals, or yield them.');
  try {
    for (const simpler of answer) yield externalFrom(who, simpler);
  } catch (error) {
    throw isOf(error, BadAnswer) ? error : new SystemThrew(who, error);
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

function withoutFields(value: unknown, masked: ReadonlySet<string>): unknown {
  if (masked.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, masked));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (masked.has(name) ? [] : [[name, withoutFields(field, masked)]])),
  );
}
