import { Command } from 'commander';
import { plural } from '../plural.ts';
import type { Tried } from '../neighbourhood.ts';
import { NEIGHBOURS, recheck, type Deviation, type Recheck, type Reproduced } from '../recheck.ts';
import { loadTrace, saveTrace, shownPath } from '../trace-file.ts';
import type { System } from '../targets/actors/system.ts';
import type { Trace } from '../trace/format.ts';
import { pointers } from '../violation-found.ts';
import { loadSystem, moduleOf } from '../load-system.ts';
import { exitWith } from './exit-code.ts';
import { printViolation } from './print.ts';
import { atLeast } from './settings.ts';
import { style } from './style.ts';

interface Options {
  readonly system?: string;
  readonly neighbours: number;
  readonly out: string;
}

export const replayCommand = (): Command =>
  new Command('replay')
    .description('execute a saved trace again, and say whether its violation is still there')
    .argument('<trace>', 'a trace file')
    .option('--system <module>', 'the system, where it is no longer where the trace says')
    .option(
      '--neighbours <n>',
      'how many schedules around it to try, where it does not lead there',
      atLeast(0),
      NEIGHBOURS,
    )
    .option('--out <folder>', 'where to save an execution that is not the one recorded', '.culprit')
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Answers:
  reproduced  the violation is there: exactly as recorded, or in another execution, which is saved  (exit code 1)
  fixed       the recording still leads where it led, there the system acts otherwise now, and no
              schedule around it violates: as far as was tried, which is no proof                   (exit code 0)
  diverged    the recording leads elsewhere, from the step that is named, and no schedule around it
              violates: nobody knows whether it is fixed                                            (exit code 3)

Example:
  culprit replay .culprit/mutual-exclusion-3f2a.trace`;

async function run(path: string, { system: given, neighbours, out }: Options): Promise<void> {
  const trace = loadTrace(path);
  const module = given ?? moduleOf(trace, path, 'replay');
  const { system } = await loadSystem(module);
  const found = await recheck(system, trace, { neighbours });
  const others = found.answer === 'reproduced' ? [] : found.others;
  if (found.answer === 'reproduced') printReproduced(found, path, out);
  else printGone(found, trace, path);
  for (const other of others) printOther(other, out);
  if (found.answer !== 'reproduced') print(`next      culprit hunt ${shownPath(module)}${settings(trace, system)}`);
  exitWith(others.length > 0 ? 1 : exitCodeOf(found));
}

function exitCodeOf(found: Recheck): number {
  if (found.answer === 'diverged') return 3;
  return found.answer === 'reproduced' && found.trace.verdict.verdict === 'violated' ? 1 : 0;
}

function printReproduced({ by, trace, deviation, tried }: Reproduced, path: string, out: string): void {
  const isViolated = trace.verdict.verdict === 'violated';
  if (isViolated) printViolation(trace);
  if (isViolated) process.stdout.write('\n');
  if (deviation === undefined) {
    const same = `every event, state and message of ${path} came out the same (${trace.events.length} events)`;
    return print(`replayed  reproduced: ${same}`);
  }
  const way = by === 'stand-ins' ? 'along the same schedule' : `by neighbouring schedule ${tried.schedules}`;
  print(`replayed  reproduced, ${way}, though not as recorded in ${path}`, `          ${stepOf(deviation)}`);
  print(...pointers({ trace, path: shownPath(saveTrace(trace, out)) }));
}

function printGone(found: Exclude<Recheck, Reproduced>, { verdict }: Trace, path: string): void {
  const what = verdict.verdict === 'violated' ? verdict.oracle : '';
  if (found.answer === 'fixed') {
    const all = `every event of it happens, and ${what} holds`;
    print(
      `replayed  fixed: ${path} no longer violates ${what}`,
      `          ${found.otherwise === undefined ? all : `handled otherwise now: ${stepOf(found.otherwise)}`}`,
    );
  } else
    print(
      `replayed  diverged at ${stepOf(found.deviation)}`,
      `          ${path} leads elsewhere now: it no longer violates ${what}, and nobody knows whether that is fixed.`,
    );
  printTried(found.tried);
}

function printTried({ schedules, distinct, unknown }: Tried): void {
  const undecided = unknown === 0 ? '' : `, and of ${unknown} nobody knows`;
  print(
    `tried     ${plural(schedules, 'schedule')} along and around it, ${distinct} distinct: none violates it${undecided}`,
  );
}

function printOther(trace: Trace, out: string): void {
  process.stdout.write('\n');
  printViolation(trace);
  process.stdout.write('\n');
  print(
    'other     it is not the violation of the trace, but met around it',
    ...pointers({ trace, path: shownPath(saveTrace(trace, out)) }),
  );
}

/** What was set to something else than the default. */
const settings = ({ header }: Trace, { parameters }: System): string =>
  Object.entries(header.parameters)
    .filter(([name, value]) => parameters[name] !== value)
    .map(([name, value]) => ` --set ${name}=${value}`)
    .join('');

const stepOf = ({ event, what }: Deviation): string => `step ${event}: ${what}`;

const print = (...lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(`${line.replace(/^\w+/, style.quiet)}\n`);
};
