#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../version.ts';
import { huntCommand } from './hunt.ts';
import { reportError } from './report-error.ts';
import { replayCommand } from './replay.ts';

const program = new Command('culprit')
  .description('Find the interleaving that breaks a distributed system, and keep only the events that matter.')
  .version(version)
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  culprit hunt ./lock.system.ts
  culprit replay .culprit/mutual-exclusion-3f2a.trace

Exit codes: 0 nothing found, 1 violation, 2 wrong use or bad input.`,
  )
  .addCommand(huntCommand())
  .addCommand(replayCommand());

for (const command of program.commands) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
