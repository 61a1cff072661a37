import { createInterface } from 'node:readline';
import { CulpritError } from '../../error.ts';
import { judgmentLines, judgments } from '../../step/judgments.ts';
import type { Stepping } from '../../step/stepping.ts';
import { plural } from '../../text/plural.ts';
import { exitWith } from '../output/exit-code.ts';
import { Interruption } from '../interruption.ts';
import { reportError } from '../output/report-error.ts';
import { printLines } from '../output/lines.ts';
import { PROMPT } from './prompt.ts';

/** A command of a script that failed. */
class BadLine extends CulpritError {
  readonly code = 'BAD_LINE';

  constructor(line: number, cause: CulpritError) {
    super(`line ${line}: ${cause.message}`, cause.next, { cause });
  }
}

/**
 * Reads commands line by line and prints each with its result. Ends at the first wrong command, because the rest
 * depends on it.
 */
export async function stepByScript(stepping: Stepping, opening: string): Promise<void> {
  printLines([opening, ...stepping.opening()]);
  const interruption = Interruption.listening();
  const { signal } = interruption;
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
    if (interruption.isStopped) break;
    number += 1;
    if (line.trim() === '') continue;
    printLines([`${PROMPT}${line.trim()}`]);
    try {
      const { lines, isLeaving } = await stepping.enter(line, { signal });
      printLines(lines);
      if (isLeaving) break;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw error;
      exitWith(reportError(new BadLine(number, error)));
      return;
    }
  }
  if (interruption.isStopped) await stop(stepping, number);
  exitWith(interruption.isStopped ? interruption.exitCode : await exitCode(stepping));
}

/** Saves the executed commands, as at the end of a session; the rest of the script was not read. */
async function stop(stepping: Stepping, lines: number): Promise<void> {
  printLines([`stopped   after ${plural(lines, 'line')} of the script`]);
  if (stepping.isUnsaved) printLines(await stepping.save());
}

/** At the end, the oracles that judge whole executions are asked too. */
async function exitCode({ track }: Stepping): Promise<number> {
  if (track.isOver) return track.verdict.kind === 'violated' ? 1 : 3;
  const found = (await judgments(track)).filter(({ verdict }) => verdict.kind !== 'holds');
  printLines(judgmentLines(found));
  return found.some(({ verdict }) => verdict.kind === 'violated') ? 1 : 0;
}
