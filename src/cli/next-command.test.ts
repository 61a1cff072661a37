import { expect, test } from 'vitest';
import { resumeFromSeed } from './next-command.ts';

test.each([
  [['hunt', 'x.ts'], 'culprit hunt x.ts --seed 7'],
  [['hunt', '--seed', '3', 'x.ts', '--set', 'nodes=5'], 'culprit hunt x.ts --set nodes=5 --seed 7'],
  [['hunt', 'x.ts', '--seed=3', '--weight', 'fire=0'], 'culprit hunt x.ts --weight fire=0 --seed 7'],
  [['hunt', "it's here.ts", '--set', 'name=a b'], String.raw`culprit hunt 'it'\''s here.ts' --set 'name=a b' --seed 7`],
])('%j resumes with the same options', (typed, command) => {
  expect(resumeFromSeed(7, typed)).toBe(command);
});
