import { expect, test } from 'vitest';
import type { Event } from '../../trace/event.ts';
import type { Failing } from '../pass.ts';
import { dropInRound } from './rounds.ts';
import { noRules } from '../rules.ts';

const eventNumbered = (at: number): Event => ({ kind: 'start', process: `p${at}`, cause: -1, hi: at, lo: 0 });

const failingWith = (events: readonly Event[]): Failing => ({
  events,
  violation: { kind: 'violated', oracle: 'bug', message: '', processes: [], fingerprint: 'bug' },
  targets: new Map(),
  lostToCuts: [],
  paths: () => undefined,
  shortcuts: () => [],
  rules: noRules,
});

/** Leaves out each of so many events in one round. Says which are left, and how many candidates it took. */
function droppedInRound(
  events: number,
  isFailing: (left: readonly number[]) => boolean,
): [left: number[], asked: number] {
  const all = [...Array(events).keys()];
  const asking = dropInRound(
    failingWith(all.map(eventNumbered)),
    all.map((at) => [at]),
    'content',
    'quickly',
  );
  let asked = 0;
  let step = asking.next();
  while (step.done !== true) {
    asked += 1;
    const { events: left, isQuick = false } = step.value;
    const failing = isFailing(left.map(({ hi }) => hi)) ? failingWith(left) : undefined;
    step = asking.next({ failing, isUnknown: false, isTentative: isQuick, ambiguities: [] });
  }
  return [step.value.events.map(({ hi }) => hi), asked];
}

test('where one of each two events is needed, one round leaves one of each', () => {
  const [left, asked] = droppedInRound(16, (kept) =>
    [0, 2, 4, 6, 8, 10, 12, 14].every((at) => kept.includes(at) || kept.includes(at + 1)),
  );
  expect(left).toHaveLength(8);
  expect(asked).toBeLessThan(16 + 2 * 16);
});

test('where all can go together, it asks about each, and about all', () => {
  expect(droppedInRound(16, (kept) => kept.includes(3))).toEqual([[3], 17]);
});

test('where none can go, it asks about each', () => {
  expect(droppedInRound(8, (kept) => kept.length === 8)).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], 8]);
});
