import { expect, test } from 'vitest';
import { minimizeInputs, type TestbedAnswer } from './minimize-inputs.ts';

const letters = 'abcdefgh'.split('');

/** A testbed that shows the violation whenever it gets all of these. */
const needing =
  (needed: string, asked: string[] = []) =>
  (inputs: readonly string[]): TestbedAnswer => {
    asked.push(inputs.join(''));
    return needed.split('').every((letter) => inputs.includes(letter)) ? 'violated' : 'holds';
  };

test('what the violation needs is left, and nothing is replayed twice', async () => {
  const asked: string[] = [];
  const minimized = await minimizeInputs(letters, needing('cf', asked));
  expect(minimized).toEqual({ inputs: ['c', 'f'], replays: asked.length, is1Minimal: true });
  expect(new Set(asked).size).toBe(asked.length);
  // All of them, then the tests of the published example (c is e3, f is e6), then each alone.
  expect(asked.slice(0, 3)).toEqual(['abcdefgh', 'abcd', 'efgh']);
});

test('everything may be needed, or nothing', async () => {
  expect(await minimizeInputs(letters, needing('abcdefgh'))).toMatchObject({ inputs: letters, is1Minimal: true });
  expect(await minimizeInputs(letters, () => 'violated')).toMatchObject({ inputs: [], is1Minimal: true });
});

test('inputs of a group are kept or dropped together', async () => {
  const atom = (letter: string): string | undefined => ('ch'.includes(letter) ? 'failure and recovery' : undefined);
  expect((await minimizeInputs(letters, needing('cf'), { atom })).inputs).toEqual(['c', 'f', 'h']);
});

test('a list is replayed several times if the violation does not always happen', async () => {
  let replays = 0;
  const testbed = needing('cf');
  const sometimes = (inputs: readonly string[]): TestbedAnswer => (++replays % 3 === 0 ? testbed(inputs) : 'holds');
  expect((await minimizeInputs(letters, sometimes, { replays: 3 })).inputs).toEqual(['c', 'f']);
});

test('what is unknown is kept, and rules out that the result is called 1-minimal', async () => {
  const testbed = needing('cf');
  const unsure = (inputs: readonly string[]): TestbedAnswer =>
    inputs.includes('a') || testbed(inputs) === 'holds' ? testbed(inputs) : 'unknown';
  expect(await minimizeInputs(letters, unsure)).toMatchObject({ inputs: ['a', 'c', 'f'], is1Minimal: false });
});

test('a signal ends it with the smallest list so far', async () => {
  const stop = new AbortController();
  const testbed = needing('a');
  const stopping = (inputs: readonly string[]): TestbedAnswer => {
    if (inputs.length === 4) stop.abort();
    return testbed(inputs);
  };
  const minimized = await minimizeInputs(letters, stopping, { signal: stop.signal });
  expect(minimized).toEqual({ inputs: 'abcd'.split(''), replays: 2, is1Minimal: false });
});

test('a violation that does not happen with all inputs is not minimized', async () => {
  await expect(minimizeInputs(letters, () => 'unknown')).rejects.toThrow(
    'the testbed says unknown of all inputs, so that',
  );
  await expect(minimizeInputs(letters, needing('z'), { replays: 3 })).rejects.toThrow(
    'holds of all inputs in 3 replays',
  );
});
