#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../version.ts';
import { checkCommand } from './check.ts';
import { doctorCommand } from './doctor.ts';
import { elsewhereCommand } from './elsewhere.ts';
import { diffCommand } from './diff.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { huntCommand } from './hunt.ts';
import { CulpritError } from '../error.ts';
import { initCommand } from './init.ts';
import { minimizeCommand } from './minimize.ts';
import { Exited, reportError, Unawaited, Uncaught } from './report-error.ts';
import { replayCommand } from './replay.ts';
import { viewCommand } from './view.ts';
import { stepCommand } from './step.ts';

const program = new Command('culprit')
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
  culprit replay .culprit/mutual-exclusion-3f2a.trace
  culprit minimize .culprit/mutual-exclusion-3f2a.trace
  culprit view .culprit/mutual-exclusion-3f2a.min.trace
  culprit explain .culprit/mutual-exclusion-3f2a.min.trace
  culprit diff .culprit/mutual-exclusion-3f2a.trace .culprit/mutual-exclusion-9c01.trace
  culprit step ./lock.system.ts
  culprit export .culprit/mutual-exclusion-3f2a.trace --to mermaid
  culprit doctor ./lock.system.ts

Exit codes: 0 nothing found, 1 violation or problem, 2 wrong use or bad input, 3 no answer where one was demanded, 130 interrupted.`,
  )
  .addCommand(initCommand())
  .addCommand(huntCommand())
  .addCommand(checkCommand())
  .addCommand(replayCommand())
  .addCommand(minimizeCommand())
  .addCommand(viewCommand())
  .addCommand(explainCommand())
  .addCommand(diffCommand())
  .addCommand(stepCommand())
  .addCommand(exportCommand())
  .addCommand(doctorCommand())
  .addCommand(elsewhereCommand(), { hidden: true });

// Code of a system that belongs to no event can fail at any time; it must not look like our failure.
process.on('unhandledRejection', (reason) => end(reason instanceof CulpritError ? reason : new Unawaited(reason)));
process.on('uncaughtException', (error) => end(error instanceof CulpritError ? error : new Uncaught(error)));

// Nor must a system that ends the process look like one in which nothing was found.
let ended = false;
process.on('exit', (code) => {
  if (!ended) process.exitCode = reportError(new Exited(code));
});

// `culprit … | head` has read enough: that is no failure of anybody's.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') end(error);
  ended = true;
  process.exit();
});

function end(error: unknown): never {
  ended = true;
  process.exit(reportError(error));
}

for (const command of program.commands) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
ended = true;
