#!/usr/bin/env node
import { Command } from 'commander';
import { mustHaveBuiltins } from '../system/builtins.ts';
import { version } from '../files/version.ts';
import { CulpritError, isOf } from '../error.ts';
import { FileProblem } from '../files/file-problem.ts';
import { printableLines } from '../text/printable.ts';
import { reflowed } from '../text/reflowed.ts';
import { chosenExitCode, endNow, exitWith, markEnded, isEnded } from './output/exit-code.ts';
import { commandCalled, isHidden, namesFor } from './commands.ts';
import { Stopped } from './interruption.ts';
import { keepFolders } from './keep.ts';
import {
  Exited,
  FolderGone,
  OutputClosed,
  reportError,
  Unawaited,
  Uncaught,
  runningCode,
} from './output/report-error.ts';
import { Console } from 'node:console';
import { claimStandardOutput, outputWritten, terminalWidth } from './output/output.ts';
import { reworded } from './output/parser-errors.ts';
import { startSentinel } from './output/sentinel.ts';
import { showPrinting } from '../kernel/user-code/console-capture.ts';
import { consoleMethods } from '../kernel/user-code/event-console.ts';

/** The width of help that is not printed to a terminal. */
const HELP_WIDTH = 100;

const helpWidth = (): number => Math.min(terminalWidth() ?? HELP_WIDTH, HELP_WIDTH);

/** The parser's messages quote the command line, so they are made printable. */
const printing = {
  writeOut: (text: string) => void process.stdout.write(reflowed(text, helpWidth())),
  getOutHelpWidth: () => helpWidth(),
  writeErr: (text: string) => void process.stderr.write(printableLines(text)),
  outputError: (text: string, write: (text: string) => void) => write(reworded(text)),
};

const program = new Command('culprit')
  .configureOutput(printing)
  .description('Find the interleaving that breaks a distributed system, and keep only the events that matter.')
  .version(version)
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  culprit init
  culprit hunt ./lock.system.ts
  culprit check ./lock.system.ts
  culprit replay
  culprit replay .culprit/mutual-exclusion-3f2a.trace
  culprit minimize .culprit/mutual-exclusion-3f2a.trace
  culprit view .culprit/mutual-exclusion-3f2a.min.trace
  culprit explain .culprit/mutual-exclusion-3f2a.min.trace
  culprit diff .culprit/mutual-exclusion-3f2a.trace .culprit/mutual-exclusion-9c01.trace
  culprit step ./lock.system.ts
  culprit export .culprit/mutual-exclusion-3f2a.trace --to mermaid
  culprit network .culprit/blackholes-57c1.trace --path 31
  culprit import events.trace
  culprit doctor ./lock.system.ts
  culprit clean --list
  culprit worker redis://127.0.0.1

Exit codes: 0 nothing found, 1 violation or problem, 2 wrong use or bad input, 3 no answer although one was required,
130 stopped by Ctrl-C before there was an answer (143 by SIGTERM). A second Ctrl-C ends the command at once.`,
  );

// Code of a system that belongs to no event can fail at any time; it must not look like a failure of culprit.
process.on('unhandledRejection', (reason) => end(isOf(reason, CulpritError) ? reason : new Unawaited(reason)));
process.on('uncaughtException', (error) => end(isOf(error, CulpritError) ? error : new Uncaught(error)));

/** Node's exit code if an awaited promise can never settle. */
const UNSETTLED = 13;

// A system that ends the process must not look like a hunt that found nothing.
process.on('exit', (code) => {
  // A system that replaced a global may keep our last promise from settling. Everything is printed by then.
  if (isEnded() && (code === 0 || code === UNSETTLED)) process.exitCode = chosenExitCode();
  if (!isEnded()) process.exitCode = reportError(new Exited(code, runningCode()));
});

// The reader of a pipe, as in `culprit … | head`, may close it early: that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOSPC') end(new FileProblem('standard output', 'written', error, 'Write to another place.'));
  if (error.code !== 'EPIPE') end(new OutputClosed(error.message));
  endNow(chosenExitCode());
});

function end(error: unknown): never {
  endNow(reportError(error));
}

async function addCommands(asked: string): Promise<void> {
  if (asked === '--version' || asked === '-V') return;
  for (const name of namesFor(asked)) {
    const command = await commandCalled(name);
    if (executing.has(name)) command.option('-v, --verbose', VERBOSE, false);
    if (keeping.has(name)) command.option('--keep <folder>', KEEP_HELP);
    program.addCommand(command.exitOverride().configureOutput(printing), { hidden: isHidden(name) });
  }
}

/** Commands that execute systems. */
const executing = new Set(['hunt', 'check', 'replay', 'minimize', 'explain', 'step', 'doctor']);
/** Commands that can keep the folders of real programs. */
const keeping = new Set(['hunt', 'replay', 'minimize', 'step']);
const KEEP_HELP = 'keep the folders of real programs here; without it they are removed';
/** Commands that load systems. */
const loading = new Set([...executing, 'view', 'export', 'elsewhere']);
const VERBOSE =
  'print the output of the system to standard error as it happens; the trace records the output of handlers in any case';

program.hook('preAction', (_program, command) => {
  mustBeSomewhere();
  if (loading.has(command.name())) {
    startSentinel();
    // A terminal shows both streams.
    if (!process.stdout.isTTY) claimStandardOutput();
  }
  const { keep } = command.opts<{ keep?: string }>();
  if (keep !== undefined) keepFolders(keep);
  if (command.opts()['verbose'] === true) showPrinting();
});

function mustBeSomewhere(): void {
  try {
    process.cwd();
  } catch {
    throw new FolderGone();
  }
}

consoleToStandardError();
try {
  await addCommands(process.argv[2] ?? '');
  await program.parseAsync();
  mustHaveBuiltins('the system');
} catch (error) {
  // The work may continue for long, so the process is ended.
  if (error instanceof Stopped) endNow(error.exitCode);
  exitWith(reportError(error));
}
markEnded();
// A timer or server of the system would keep the process alive.
await outputWritten();
endNow(chosenExitCode());

/** Standard output belongs to the results of a command, so output of a module during loading goes to standard error. */
export function consoleToStandardError(): void {
  const errors = new Console(process.stderr);
  Object.assign(console, Object.fromEntries(consoleMethods.map((method) => [method, errors[method]])));
}
