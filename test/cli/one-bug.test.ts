import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

/** Two messages, which arrive in one order or the other: two invariants, one pair of inputs. */
const system = `import { behavior, defineSystem, send } from 'culprit';
  const a = behavior<{ seen: string[] }, string>({
    start: () => ({ seen: [] }),
    receive({ seen }, message) { seen.push(message); },
  });
  export default defineSystem({
    processes: { a },
    workload: [send('a', 'x'), send('a', 'y'), send('a', 'z')],
    invariants: {
      notXY: (world) => world.up(a).every(({ state }) => !state.seen.join('').includes('xy')),
      notYX: (world) => world.up(a).every(({ state }) => !state.seen.join('').includes('yx')),
    },
  });`;

test('two violations that need the same inputs are said to be one bug', () => {
  const folder = folderWith({ 'two.system.ts': system });
  const { out } = culprit(folder, 'hunt', 'two.system.ts', '--violations', '2');
  expect(out.match(/^same .*$/gm)).toEqual([
    expect.stringMatching(/^same {6}inputs as in \.culprit\/not-\w+-\w+\.min\.trace: probably one bug$/),
  ]);
});
