import { describe, expect, test } from 'vitest';
import type { Event } from '../trace/event.ts';
import type { Failing } from './pass.ts';
import { BadPass, defaultPasses, parsePass, passNames } from './pass-registry.ts';
import { StatePaths } from './state-paths.ts';
import { noRules } from './rules.ts';

/**
 * Executions as letters: a capital is an external, `t` a firing, `x<y` a message `x` caused by `y`. A pass is asked about them
 * without any engine: what is left fails as long as it has certain letters.
 */
function executionOf(text: string): Failing {
  const words = text.split(' ');
  const causes = words.map((word) => words.findIndex((other) => other.startsWith(word.split('<')[1] ?? '-')));
  return failing(words.map((word, at) => eventCalled(word.charAt(0), causes[at] as number)));
}

function eventCalled(letter: string, cause: number): Event {
  const occurrence = { process: letter.toLowerCase(), cause, hi: letter.charCodeAt(0), lo: 0 };
  if (letter === letter.toUpperCase()) return { ...occurrence, kind: 'start' };
  if (letter === 't' || letter === 'u')
    return { ...occurrence, kind: 'fire', timer: letter, deadlineMs: 0, everyMs: 0 };
  return { ...occurrence, kind: 'deliver', from: 'z', message: letter, ask: 0, reply: 0, sentMs: 0 };
}

/** Messages of the first four letters carry the clock 1, those of the next four the clock 2, and the others none. */
const clock = (message: unknown): number | undefined =>
  'abcd'.includes(message as string) ? 1 : 'efgh'.includes(message as string) ? 2 : undefined;

const failing = (events: readonly Event[], states?: string): Failing => ({
  events,
  violation: { kind: 'violated', oracle: 'bug', message: '', processes: [], fingerprint: 'bug' },
  targets: new Map(),
  paths: () => (states === undefined ? undefined : pathsOf(states)),
  lostToCuts: [],
  shortcuts: () => [],
  rules: { ...noRules, clock },
});

/** A state for each event, named by a letter. */
function pathsOf(states: string): StatePaths {
  const paths = new StatePaths();
  for (const letter of states)
    paths.add('p', Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((field) => [field, letter])));
  return paths;
}

const lettersOf = (events: readonly Event[]): string => events.map(({ hi }) => String.fromCharCode(hi)).join('');

/** What was asked, and what was left. */
function asked(
  pass: string,
  from: Failing,
  needed: string,
  statesOf?: (letters: string) => string,
): [string[], string] {
  const questions: string[] = [];
  const asking = parsePass(pass)(from);
  let step = asking.next();
  while (step.done !== true) {
    questions.push(lettersOf(step.value.events));
    step = asking.next({ failing: answer(step.value.events, needed, statesOf), isUnknown: false, ambiguities: [] });
  }
  return [questions, lettersOf(step.value.events)];
}

function answer(events: readonly Event[], needed: string, statesOf?: (letters: string) => string): Failing | undefined {
  const letters = lettersOf(events);
  if (!needed.split('').every((letter) => letters.includes(letter))) return undefined;
  // Causes are places, which are new.
  const at = new Map(events.map(({ hi }, place) => [hi, place]));
  const causeOf = (event: Event): number => at.get(causes.get(event) ?? -1) ?? -1;
  const placed = events.map((event) => ({ ...event, cause: causeOf(event) }));
  for (const [place, event] of placed.entries()) causes.set(event, causes.get(events[place] as Event) ?? -1);
  return failing(placed, statesOf?.(letters));
}

/** The letter that caused it, which stays when places change. */
const causes = new WeakMap<Event, number>();

function execution(text: string): Failing {
  const made = executionOf(text);
  for (const event of made.events) causes.set(event, made.events[event.cause]?.hi ?? -1);
  return made;
}

describe('a pass asks', () => {
  test('provenance: for what happened before the end, once', () => {
    expect(asked('provenance', execution('A B a<A b<B c<a'), 'Aac')).toEqual([['Aac'], 'Aac']);
    // Where that is not enough: with the last event of each process the violation is about, of which there are none.
    expect(asked('provenance', execution('A B a<A b<B c<a'), 'Bc')).toEqual([['Aac', 'Aac'], 'ABabc']);
    expect(asked('provenance', execution('A a<A'), 'a')).toEqual([[], 'Aa']);
  });

  test('externals: by delta debugging, without externals that are not needed', () => {
    const [questions, left] = asked('externals', execution('A B C D x<D'), 'Dx');
    expect([questions, left]).toEqual([['ABx', 'CDx', 'Cx', 'Dx', 'x'], 'Dx']);
    // Halves, quarters, what is left without each; then the same with what is left.
    const needsTwo = asked('externals', execution('A B C D x<D'), 'ADx');
    expect(needsTwo[0].join(' ')).toBe('ABx CDx Ax Bx Cx Dx BCDx ACDx Ax Cx Dx CDx ADx Ax Dx');
    expect(needsTwo[1]).toBe('ADx');
  });

  test('externals by halves: in fewer questions', () => {
    const [questions, left] = asked('externals-by-halves', execution('A B C D x<D'), 'ADx');
    expect([questions.join(' '), left]).toEqual(['ABx CDx ACDx CDx ACx ADx Ax', 'ADx']);
  });

  test('externals by ddmin of 1999: in fewer still, because it asks about no element again', () => {
    const [questions, left] = asked('externals-ddmin1999', execution('A B C D x<D'), 'ADx');
    expect([questions.join(' '), left]).toEqual(['ABx CDx ACDx ACx ADx', 'ADx']);
  });

  test('single externals: for each alone, from the last to the first, then for all that may go, and again for each that is left', () => {
    const [questions, left] = asked('single-externals', execution('A B C D x<D'), 'BDx');
    expect([questions.join(' '), left]).toEqual(['ABCx ABDx ACDx BCDx BDx Bx Dx', 'BDx']);
  });

  test('externals in rounds: for parts that become smaller, then for each that is left', () => {
    const [questions, left] = asked('externals-in-rounds', execution('A B C D E F G H I J K L M N O P x<P'), 'BPx');
    const all = 'ABCDEFGHIJKLMNOP';
    const withoutPair = (at: number): string => `${all.slice(0, at)}${all.slice(at + 2)}x`;
    expect([questions.slice(0, 8), left]).toEqual([[14, 12, 10, 8, 6, 4, 2, 0].map(withoutPair), 'BPx']);
    expect(questions.slice(8)).toEqual(['ABOPx', 'ABOx', 'ABPx', 'AOPx', 'BOPx', 'BPx', 'Bx', 'Px']);
  });

  test('cascades: for what timers brought about, all of it', () => {
    expect(asked('cascades', execution('A t<A x<t u<A y<u z<y'), 'Ayz')).toEqual([['Atx', 'Auyz', 'A'], 'Auyz']);
  });

  test('pairs: for what two timers brought about, where neither can go alone', () => {
    expect(asked('pairs', execution('A t<A x<t u<A y<u w<A'), 'Aw')).toEqual([['Aw'], 'Aw']);
    expect(asked('pairs', execution('A t<A x<t w<A'), 'Aw')).toEqual([[], 'Atxw']);
  });

  test('closures: for an internal event with all that came of it, and nothing that is alone', () => {
    expect(asked('closures', execution('A x<A y<x z<y w<A'), 'Aw')).toEqual([['Axw'], 'Axw']);
    expect(asked('closures', execution('A x<A w<A'), 'A')).toEqual([[], 'Axw']);
  });

  test('internals: ever fewer at a time, two at least, from the last to the first, and no external', () => {
    expect(asked('internals', execution('A w<A x<A y<A z<A'), 'Ax')).toEqual([['Awx', 'A'], 'Awx']);
  });

  test('internals by halves: by delta debugging without complements, and for no external', () => {
    const [questions, left] = asked('internals-by-halves', execution('A w<A x<A y<A z<A'), 'Axy');
    expect([questions.join(' '), left]).toEqual(['Awx Ayz Awyz Axyz Ayz Axy Ax', 'Axy']);
  });

  test('clock clusters: for each timer, then for each clock, alone and with each timer', () => {
    // Both timers can go, and so can all of clock 1; of clock 2 something is needed, with or without a timer.
    const [questions, left] = asked('clock-clusters', execution('A t<A a<A b<A e<A u<A f<A x<A'), 'Aex');
    expect([questions, left]).toEqual([['Aabeufx', 'Aabefx', 'Aefx', 'Ax'], 'Aefx']);
    const needed = asked('clock-clusters', execution('A t<A a<A e<A u<A x<A'), 'Aetux');
    expect(needed).toEqual([['Aaeux', 'Ataex', 'Ateux', 'Atux', 'Aux', 'Atx'], 'Ateux']);
  });

  test('single: for each event alone, until none can go', () => {
    const [questions, left] = asked('single', execution('A w<A x<A y<A'), 'Ax');
    expect(left).toBe('Ax');
    expect(questions.slice(-2)).toEqual(['A', 'x']);
  });

  describe('loops', () => {
    const text = 'A b c d e f g h i j';

    test('for a stretch that leads back to where it began', () => {
      // After d and after g it looks the same: e to g went round, and is tried first.
      const from = { ...execution(text), paths: () => pathsOf('0123453678') };
      const [questions, left] = asked('loops', from, 'Adhj', () => '0123678');
      expect([questions[0], left]).toEqual(['Abcdhij', 'Adhij']);
    });

    test('nothing where states cannot be looked at', () => {
      expect(asked('loops', execution(text), '')).toEqual([[], 'Abcdefghij']);
    });
  });
});

describe('the names of passes', () => {
  test('are known, with what may stand in', () => {
    for (const name of passNames) expect(parsePass(`${name}:type`)).toBeTypeOf('function');
    for (const name of defaultPasses) expect(parsePass(name)).toBeTypeOf('function');
  });

  test.each(['', 'nothing', 'single:tpye', 'single:type:place'])('are not %j', (name) => {
    expect(() => parsePass(name)).toThrow(BadPass);
  });
});
