import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exhibitOf } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { Desk } from './desk.ts';
import { cursorIn, hashOf, settingsIn } from './link.ts';
import { Scene } from './scene.ts';

const trace = readTrace(readFileSync('cases/raft/best/raft-58a.trace', 'utf8'), 'raft-58a.trace');
const fresh = Desk.at(new Scene(exhibitOf([{ file: 'x', trace }])));

test('a link to an event leads back to it', () => {
  for (const cursor of [
    { side: 0, event: 0 },
    { side: 1, event: 19_999 },
  ] as const) {
    expect(cursorIn(hashOf({ ...fresh.settings, cursor }, fresh.settings))).toEqual(cursor);
  }
  expect(hashOf(fresh.go({ side: 0, event: 16 }).settings, fresh.settings)).toBe('#17');
});

test.each(['', '#', '#x', '#1x', '#-1', '#<b>', '#1111111111111', '#b'])('%j is no link to an event', (hash) => {
  expect(cursorIn(hash)).toBeUndefined();
});

test('a link has every choice of the reader', () => {
  const { settings } = fresh.go({ side: 0, event: 11 }).change({
    isFolding: true,
    isCone: true,
    isOnlyFound: true,
    isTopology: false,
    opened: new Set([3, 9]),
    processes: new Set(['a, b', 'c&d=%2C']),
    hidden: new Set(['node-3']),
    order: ['node-2', 'node-1'],
    sorts: new Set(['RequestVote']),
    query: 'term=2 & more#',
    marked: [4, 5],
    node: 's 1',
    base: { side: 0, event: 2 },
  });
  const { cursor, hasMoved: _hasMoved, ...choices } = settings;
  const hash = hashOf(settings, fresh.settings);
  expect(cursorIn(hash)).toEqual(cursor);
  expect(settingsIn(hash)).toEqual(choices);
});

test('nonsense in a link is ignored', () => {
  expect(settingsIn('#1&open=x,2&base=zz&only=%25E0%25A4%25A&__proto__=1&marked=-4,2')).toEqual({
    opened: new Set([2]),
    base: undefined,
    processes: new Set(['%E0%A4%A']),
    marked: [1],
  });
});
