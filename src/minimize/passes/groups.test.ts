import { expect, test } from 'vitest';
import { crash, cut, heal, pause, restart, resume, send } from '../../system/externals.ts';
import { digestText } from '../../trace/digest.ts';
import { ENVIRONMENT, type Event, type External } from '../../trace/event.ts';
import type { Rules } from '../rules.ts';
import { inputCounts } from '../input-counts.ts';
import { externalGroups, recoveriesAlone } from './groups.ts';
import { withRecoveries } from './recoveries.ts';

const rules: Rules = {
  keeps: ({ kind }) => kind === 'start',
  atom: () => undefined,
  fails: (event) => (event.kind === 'send' && event.message === 'fail' ? event.to : undefined),
  recovers: (event) => (event.kind === 'send' && event.message === 'recover' ? event.to : undefined),
  shrink: () => [],
  clock: undefined,
  processes: [],
  peers: [],
};

const eventsOf = (...externals: readonly External[]): Event[] =>
  externals.map((external, at) => ({ process: ENVIRONMENT, ...external, cause: -1, ...digestText(`${at}`) }));

const fail = (name: string) => send(name, 'fail');
const recover = (name: string) => send(name, 'recover');

test.each<[string, External[], number[][]]>([
  [
    'a crash and its restart',
    [crash('a'), crash('b'), restart('b'), restart('a')],
    [
      [0, 3],
      [1, 2],
    ],
  ],
  [
    'a pause and its resume',
    [pause('a'), pause('b'), resume('b'), resume('a')],
    [
      [0, 3],
      [1, 2],
    ],
  ],
  [
    'a cut and its heal',
    [cut('a', 'b'), cut('a', 'c'), heal('a', 'c'), heal('a', 'b')],
    [
      [0, 3],
      [1, 2],
    ],
  ],
  [
    'a cut and its heal, of the same lane',
    [cut('a', 'b', { lane: '1' }), cut('a', 'b', { lane: '2' }), heal('a', 'b', { lane: '2' })],
    [[0], [1, 2]],
  ],
  [
    'a declared failure and its recovery',
    [fail('a'), fail('b'), recover('b'), recover('a')],
    [
      [0, 3],
      [1, 2],
    ],
  ],
  [
    'each failure and the next recovery',
    [fail('a'), recover('a'), fail('a'), recover('a')],
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['no failure of another kind', [crash('a'), recover('a'), fail('a'), restart('a')], [[0, 3], [1], [2]]],
])('one atom: %s', (_name, externals, groups) => {
  const events = eventsOf(...externals);
  expect(externalGroups(events, rules)).toEqual(groups);
  // The recovery may be left out alone, the failure may not.
  const pairs = groups.filter(({ length }) => length === 2);
  expect(recoveriesAlone(events, rules)).toEqual(pairs.map(([, recovery]) => [recovery]));
});

test('what must stay is in no group, and no input', () => {
  expect(externalGroups(eventsOf({ kind: 'start', process: 'a' }, fail('a')), rules)).toEqual([[1]]);
  const events = eventsOf({ kind: 'start', process: 'a' }, fail('a'), cut('a', 'b'), recover('a'), send('a', 'other'));
  const keeps = (event: Event): boolean => event.kind === 'cut';
  expect(inputCounts(events, { ...rules, keeps })).toEqual({ inputs: 3, atoms: 2 });
});

test.each<[string, External[], number[], number[]]>([
  ['the recovery from it', [cut('a', 'b'), send('a', 1), heal('a', 'b')], [0], [0, 2]],
  ['no recovery from another', [cut('a', 'b'), cut('a', 'c'), heal('a', 'c')], [0], [0]],
  ['no recovery that is one from another failure, too', [cut('a', 'b'), cut('a', 'c'), heal()], [0], [0]],
  ['the recovery from all of them', [cut('a', 'b'), cut('a', 'c'), heal()], [0, 1], [0, 1, 2]],
  ['no later recovery', [fail('a'), recover('a'), fail('a'), recover('a')], [2], [2, 3]],
  ['no failure', [crash('a'), restart('a')], [1], [1]],
])('with a failure goes %s', (_name, externals, dropped, all) => {
  expect([...withRecoveries(new Set(dropped), eventsOf(...externals), rules)]).toEqual(all);
});
