import { checkLinearizable, CulpritError, models, readHistory } from 'culprit';
import { Random } from 'culprit/kernel';
import { expect, test } from 'vitest';
import { jsonMutant, textMutant } from '../twins/mutants/json-mutant.ts';

const WHOLE: readonly object[] = [
  { process: 'c1', type: 'invoke', f: 'write', key: 'x', value: 1 },
  { process: 2, type: 'invoke', f: 'read', key: 'x' },
  { process: 'nemesis', type: 'info', f: 'partition' },
  { process: 'c1', type: 'ok', f: 'write', key: 'x' },
  { process: 2, type: 'ok', value: 1 },
  { process: 'c3', type: 'invoke', f: 'cas', key: 'x', value: [1, 3] },
  { process: 'c1', type: 'invoke', f: 'read', key: 'x' },
  { process: 'c1', type: 'ok', f: 'read', key: 'x', value: 3 },
  { process: 'c3', type: 'info' },
];

function mutant(random: Random): string {
  const lines = WHOLE.map((line) => JSON.stringify(line));
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(lines.length);
    lines[at] = JSON.stringify(jsonMutant(WHOLE[at], random)) ?? '';
  }
  if (random.below(4) === 0) lines.push(lines.splice(random.below(lines.length), 1)[0] as string);
  const text = `${lines.join(random.below(8) === 0 ? '\r\n' : '\n')}\n`;
  return random.below(4) === 0 ? textMutant(text, random) : text;
}

/** Each model of operations that a file can have. */
const vocabularies = { compareAndSet: models.compareAndSet(), register: models.register(), queue: models.queue };

test('a damaged history is refused in one line, or checked', () => {
  const endings = { refused: 0, checked: 0 };
  const unprintable: number[] = [];
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = Random.seeded(seed, 0x686973);
    const model = random.pick(Object.values(vocabularies)) as typeof vocabularies.compareAndSet;
    try {
      checkLinearizable(readHistory(mutant(random), model, 'h.jsonl'), model);
      endings.checked += 1;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw new Error(`seed ${seed}`, { cause: error });
      if (/\p{Cc}/u.test(error.message)) unprintable.push(seed);
      endings.refused += 1;
    }
  }
  expect(unprintable).toEqual([]);
  expect(endings.refused).toBeGreaterThan(500);
  expect(endings.checked).toBeGreaterThan(100);
});
