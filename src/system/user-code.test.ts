import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { placesOf } from './user-code.ts';

const ours = fileURLToPath(new URL('../', import.meta.url));
const theirs = (line: number): string =>
  `    at handler (${join(fileURLToPath(new URL('../../cases/', import.meta.url)), 'a.ts')}:${line}:1)`;
const frame = (name: string, file: string): string => `    at ${name} (${join(ours, file)}:1:1)`;

function thrownFrom(...frames: readonly string[]): Error {
  const error = new Error('odd');
  error.stack = ['Error: odd', ...frames].join('\n');
  return error;
}

test('the places of an exception end at the call of the handler', () => {
  // A system that is defined in a test: the test calls culprit, unless the execution continues in another turn.
  const inOneTurn = thrownFrom(
    theirs(1),
    theirs(2),
    frame('performInternal', 'kernel/internal-events.ts'),
    frame('execute', 'kernel/loop.ts'),
    theirs(9),
  );
  const inAnother = thrownFrom(
    theirs(1),
    theirs(2),
    frame('performInternal', 'kernel/internal-events.ts'),
    frame('execute', 'kernel/loop.ts'),
  );
  expect(placesOf(inOneTurn)).toEqual(['cases/a.ts:1:1', 'cases/a.ts:2:1']);
  expect(placesOf(inAnother)).toEqual(placesOf(inOneTurn));
});

test('code of the handler that culprit calls back is part of its places', () => {
  const fromGetter = thrownFrom(
    theirs(1),
    frame('copyData', 'kernel/data/copy.ts'),
    theirs(2),
    frame('performExternal', 'kernel/external-events.ts'),
    theirs(9),
  );
  expect(placesOf(fromGetter)).toEqual(['cases/a.ts:1:1', 'cases/a.ts:2:1']);
});
