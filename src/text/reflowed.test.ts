import { expect, test } from 'vitest';
import { reflowed } from './reflowed.ts';

const help = `Runs the module that the trace names, and its imports,
if it is near.

Answers:
  fixed   the trace runs to its end, and
          no schedule fails      (exit code 0)
  --out <folder>  where to write

Examples:
  culprit replay`;

test('paragraphs are filled, and lists keep their columns', () => {
  expect(reflowed(help, 40)).toBe(`Runs the module that the trace names,
and its imports, if it is near.

Answers:
  fixed   the trace runs to its end, and
          no schedule fails (exit code
          0)
  --out <folder>  where to write

Examples:
  culprit replay`);
  expect(reflowed(help, 100)).toContain('names, and its imports, if it is near.\n');
});

test('a second column that leaves little room is given up', () => {
  expect(reflowed('  --minimize-seconds <n>  time limit for each', 30)).toBe(
    '  --minimize-seconds <n>\n      time limit for each',
  );
});
