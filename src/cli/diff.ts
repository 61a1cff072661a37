import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import { diffLines } from '../explain/diff-lines.ts';
import { loadTrace } from '../files/trace-file.ts';
import { align } from '../trace/alignment.ts';
import type { Trace } from '../trace/format.ts';
import { printJson, terminalWidth } from './output/output.ts';
import { exitWith } from './output/exit-code.ts';
import { printLines } from './output/lines.ts';
import { paintFor } from './output/print.ts';

interface Options {
  readonly all: boolean;
  readonly json: boolean;
}

export const diffCommand = (): Command =>
  new Command('diff')
    .description('show where two saved traces diverge')
    .argument('<left>', 'a trace file')
    .argument('<right>', 'another trace file')
    .option('--all', 'print every row of long traces', false)
    .option('--json', 'print one JSON object instead', false)
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Two events match if they have the same causal history, or else the same contents in the same order.
Marks: < on the left only, > on the right only, ≠ the same event with a different effect.

Exit codes: 0 same, 1 different, 2 wrong use or bad input.

Example:
  culprit diff .culprit/mutual-exclusion-3f2a.trace .culprit/mutual-exclusion-9c01.trace`;

/** Further rows are shown on request only. */
const ROWS_MAX = 100;

function run(leftPath: string, rightPath: string, { all, json }: Options): void {
  const [left, right] = [loadTrace(leftPath), loadTrace(rightPath)];
  const alignment = align(left, right);
  const { rows, divergence } = alignment;
  const isSame = divergence === undefined && isSameEnd(left, right);
  if (json) {
    const sides = { left: summary(left, leftPath), right: summary(right, rightPath) };
    printJson('diff', { same: isSame, ...sides, divergence: divergence ?? null, rows });
  } else {
    printLines([title('left', left, leftPath), title('right', right, rightPath), ...headerDifferences(left, right)]);
    const rowsMax = all ? undefined : ROWS_MAX;
    const options = { width: terminalWidth(), paint: paintFor(left, right), rowsMax, alignment };
    printLines(diffLines(left, right, options));
  }
  exitWith(isSame ? 0 : 1);
}

const isSameEnd = (left: Trace, right: Trace): boolean => isDeepStrictEqual(left.verdict, right.verdict);

const title = (side: string, { header }: Trace, path: string): string =>
  `${side.padEnd(9)} ${path}: ${header.system}, seed ${header.seed}, ${header.events} events`;

/** Differences of system and parameters, which make two traces hard to compare. */
function headerDifferences({ header: left }: Trace, { header: right }: Trace): string[] {
  const systems =
    left.system === right.system ? [] : [`systems   differ: ${left.system} on the left, ${right.system} on the right`];
  const names = [...new Set([...Object.keys(left.parameters), ...Object.keys(right.parameters)])];
  const differing = names.filter((name) => left.parameters[name] !== right.parameters[name]);
  const values = differing.map(
    (name) =>
      `${name} is ${left.parameters[name] ?? 'missing'} on the left, ${right.parameters[name] ?? 'missing'} on the right`,
  );
  return [...systems, ...(values.length === 0 ? [] : [`settings  ${values.join('; ')}`])];
}

const summary = ({ header, verdict }: Trace, file: string): object => ({
  file,
  system: header.system,
  module: header.module,
  parameters: header.parameters,
  seed: header.seed,
  events: header.events,
  verdict,
});
