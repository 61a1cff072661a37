import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import learningSwitch from '../../cases/learning-switch/learning-switch.system.ts';
import { endingOf, type Ending, type Original } from '../twins/mutants/commands.ts';
import { lineSchemas } from '../twins/mutants/line-schema.ts';
import { mutant } from '../twins/mutants/mutant.ts';
import { originals } from '../twins/mutants/originals.ts';

let all: readonly Original[];

beforeAll(async () => {
  all = await originals();
});

/** The results of a command with the mutants of these seeds; an unexpected error comes with its seed. */
async function endings(command: string, count: number, of = all): Promise<{ accepted: number; refused: number }> {
  const found = { accepted: 0, refused: 0 };
  for (let seed = 0; seed < count; seed++) {
    const original = of[seed % of.length] as Original;
    const ending: Ending = await endingOf(command, mutant(original.text, seed), original);
    if (typeof ending !== 'string') throw new Error(`${command}, seed ${seed}`, { cause: ending.unexpected });
    found[ending] += 1;
  }
  return found;
}

test('mutants are made of every kind of line in the schema', () => {
  // The header, and every kind of event, pending event and verdict, including future ones.
  expect(lineSchemas.length).toBeGreaterThanOrEqual(20);
  const text = all[0]?.text ?? '';
  expect(mutant(text, 7)).toBe(mutant(text, 7));
  expect(new Set(Array.from({ length: 100 }, (_, seed) => mutant(text, seed))).size).toBeGreaterThan(90);
});

test('every mutant of a trace is read, or refused with a reason', async () => {
  const { accepted, refused } = await endings('read', 2_000);
  expect(accepted).toBeGreaterThan(400);
  expect(refused).toBeGreaterThan(400);
});

test.each([
  ['explain', 300],
  ['html', 100],
  ['mermaid', 200],
  ['shiviz', 200],
  ['chrome', 100],
  ['json', 100],
  ['words', 300],
  ['diff', 200],
  ['replay', 40],
  ['recheck', 12],
  ['step', 20],
])('%s works with every mutant that is read, or refuses it with a reason', async (command, count) => {
  const { accepted } = await endings(command, count);
  expect(accepted).toBeGreaterThan(0);
});

test.each([
  ['pcapng', 300],
  ['explain', 100],
])('%s works with every mutant of a network that is read, or refuses it with a reason', async (command, count) => {
  const text = readFileSync(new URL('../../cases/learning-switch/best/keeps.trace', import.meta.url), 'utf8');
  const { accepted } = await endings(command, count, [{ system: learningSwitch, text }]);
  expect(accepted).toBeGreaterThan(0);
});
