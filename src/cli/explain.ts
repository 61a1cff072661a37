import { Command } from 'commander';
import { CulpritError } from '../error.ts';
import { explainLines } from '../explain/explained.ts';
import { inWords } from '../explain/wording.ts';
import { loadSystem, moduleOf } from '../load-system.ts';
import { resolveSystem } from '../targets/actors/resolve.ts';
import type { System } from '../targets/actors/system.ts';
import type { Trace } from '../trace/format.ts';
import { loadTrace } from '../trace-file.ts';
import { paintFor, printLines, terminalWidth } from './print.ts';

interface Options {
  readonly system?: string;
  readonly all: boolean;
}

export const explainCommand = (): Command =>
  new Command('explain')
    .description('tell what happened in a saved trace, step by step')
    .argument('<trace>', 'a trace file')
    .option('--system <module>', 'the system, where it is no longer where the trace says')
    .option('--all', 'tell every step of a long trace, not only the end', false)
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Events that are one step to a reader are told as one: numbers such as 4–9 say which. A system may
give words of its own for messages, timers and states: see \`phrases\` in the README.

Example:
  culprit explain .culprit/mutual-exclusion-3f2a.min.trace`;

/** Of longer stories the end is told, where the violation is. */
const STEPS_MAX = 120;

async function run(path: string, { system: given, all }: Options): Promise<void> {
  const recorded = loadTrace(path);
  const { system, whyNot } = await systemOf(recorded, path, given);
  const { trace, wordless } = retold(recorded, system);
  const width = terminalWidth();
  const lines = explainLines(trace, { width, paint: paintFor(trace), ...(all ? {} : { stepsMax: STEPS_MAX }) });
  process.stdout.write(`${lines.join('\n')}\n`);
  // Why it happened is told here, by whoever has the system to try what would have become of it otherwise.
  const left = [...(wordless ?? []), ...(whyNot ?? [])];
  if (left.length > 0) printLines(['', ...left]);
}

interface Found {
  readonly system?: System;
  /** Why there is none, and what is left out therefore. */
  readonly whyNot?: readonly string[];
}

/** The story is told from the file alone; what else there is to say takes the system. */
async function systemOf(trace: Trace, path: string, given: string | undefined): Promise<Found> {
  try {
    return { system: (await loadSystem(given ?? moduleOf(trace, path, 'explain'))).system };
  } catch (error) {
    if (!(error instanceof CulpritError) || given !== undefined) throw error;
    return { whyNot: [`missing   the system, so this is all: ${error.message}`, `next      ${error.next}`] };
  }
}

/** In the words of today, where the trace has none: it may be older than they are. */
function retold(trace: Trace, system: System | undefined): { trace: Trace; wordless?: readonly string[] } {
  if (system === undefined || trace.events.some(({ told, is }) => told !== undefined || is !== undefined))
    return { trace };
  try {
    return { trace: inWords(trace, resolveSystem(system, trace.header.parameters).phrases) };
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { trace, wordless: [`missing   the system's own words: ${error.message}`, `next      ${error.next}`] };
  }
}
