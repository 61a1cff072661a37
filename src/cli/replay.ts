import { Command } from 'commander';
import { plural } from '../plural.ts';
import type { Tried } from '../neighbourhood.ts';
import { NEIGHBOURS, recheck, type Deviation, type Recheck, type Reproduced } from '../recheck.ts';
import { shownPath } from '../shown-path.ts';
import { loadTrace, saveOrTell, type SavedTrace } from '../trace-file.ts';
import { shellWord } from '../shell-word.ts';
import type { System } from '../targets/actors/system.ts';
import type { Trace } from '../trace/format.ts';
import { pointers } from '../violation-found.ts';
import { loadSystem } from '../load-system.ts';
import { exitWith } from './exit-code.ts';
import { mustBeSaved } from './not-saved.ts';
import { say } from './output.ts';
import { printViolation } from './print.ts';
import { atLeast } from './settings.ts';
import { style } from './style.ts';
import { executes, moduleOf, SYSTEM_OPTION } from './trace-module.ts';

interface Options {
  readonly system?: string;
  readonly neighbours: number;
  readonly out: string;
}

export const replayCommand = (): Command =>
  new Command('replay')
    .description('execute a saved trace again, and say whether its violation is still there')
    .argument('<trace>', 'a trace file')
    .option('--system <module>', SYSTEM_OPTION)
    .option(
      '--neighbours <n>',
      'how many schedules around it to try, where it does not lead there',
      atLeast(0),
      NEIGHBOURS,
    )
    .option('--out <folder>', 'where to save an execution that is not the one recorded', '.culprit')
    .addHelpText('after', executes())
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
  if (found.answer !== 'reproduced') printGone(found, trace, path);
  const saved =
    found.answer === 'reproduced' ? printReproduced(found, path, out) : others.map((other) => printOther(other, out));
  if (found.answer !== 'reproduced')
    print(`next      culprit hunt ${shellWord(shownPath(module))}${settings(trace, system)}`);
  mustBeSaved(saved.find(({ unsaved }) => unsaved !== undefined)?.unsaved);
  exitWith(others.length > 0 ? 1 : exitCodeOf(found));
}

function exitCodeOf(found: Recheck): number {
  if (found.answer === 'diverged') return 3;
  return found.answer === 'reproduced' && found.trace.verdict.verdict === 'violated' ? 1 : 0;
}

function printReproduced({ by, trace, deviation, tried }: Reproduced, path: string, out: string): SavedTrace[] {
  const isViolated = trace.verdict.verdict === 'violated';
  if (isViolated) printViolation(trace);
  if (isViolated) say(['']);
  if (deviation === undefined) {
    const same = `every event, state and message of ${path} came out the same (${trace.events.length} events)`;
    print(`replayed  reproduced: ${same}`);
    return [];
  }
  const way = by === 'stand-ins' ? 'along the same schedule' : `by neighbouring schedule ${tried.schedules}`;
  print(`replayed  reproduced, ${way}, though not as recorded in ${path}`, `          ${stepOf(deviation)}`);
  const saved = saveOrTell(trace, out);
  print(...pointers(saved));
  return [saved];
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

function printOther(trace: Trace, out: string): SavedTrace {
  say(['']);
  printViolation(trace);
  say(['']);
  const saved = saveOrTell(trace, out);
  print('other     it is not the violation of the trace, but met around it', ...pointers(saved));
  return saved;
}

/** What was set to something else than the default. */
const settings = ({ header }: Trace, { parameters }: System): string =>
  Object.entries(header.parameters)
    .filter(([name, value]) => parameters[name] !== value)
    .map(([name, value]) => ` --set ${shellWord(`${name}=${value}`)}`)
    .join('');

const stepOf = ({ event, what }: Deviation): string => `step ${event}: ${what}`;

const print = (...lines: readonly string[]): void => {
  say(lines.map((line) => line.replace(/^\w+/, style.quiet)));
};
