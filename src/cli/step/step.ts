import { Command } from 'commander';
import { readBytes } from '../../files/access.ts';
import { existingFile, loadSystem } from '../../system/load-system.ts';
import { steppedOrigin } from '../../step/origin.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { isGzip, loadTrace } from '../../files/trace-file.ts';
import type { Trace } from '../../trace/format.ts';
import { eventOf } from '../../trace/codec.ts';
import { undeliveredOf } from '../../trace/undelivered.ts';
import { atLeast, collectSetting } from '../settings.ts';
import { stepFrom } from './session.ts';
import { executes, moduleOf, SYSTEM_OPTION } from '../trace-module.ts';

interface Options {
  readonly seed?: number;
  readonly events: number;
  readonly set: Readonly<Record<string, string>>;
  readonly system?: string;
  readonly out: string;
}

export const stepCommand = (): Command =>
  new Command('step')
    .description('choose each event yourself, in an interactive session or from a script of its commands')
    .argument('<system or trace>', 'a module that exports a system by default, or a trace file to start from')
    .option('--seed <n>', 'random seed for workload, handlers and random steps', atLeast(0))
    .option('--events <n>', 'maximum events of an unbounded run', atLeast(1), 1_000)
    .option('-s, --set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--system <module>', SYSTEM_OPTION)
    .option('-o, --out <folder>', 'folder for the saved session', '.culprit')
    .addHelpText('after', executes('With a trace, runs'))
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
In the session, \`help\` lists the commands. If standard input is not a terminal, culprit reads it as a script: it prints each
command with its effect, and exits with 1 if the execution ends in a violation, 2 if a command is wrong.

Examples:
  culprit step ./lock.system.ts
  culprit step .culprit/mutual-exclusion-3f2a.min.trace
  culprit step ./lock.system.ts < scenario.txt`;

async function run(path: string, options: Options): Promise<void> {
  const trace = isTraceFile(existingFile(path)) ? loadTrace(path) : undefined;
  const module = trace === undefined ? path : (options.system ?? moduleOf(trace, path, 'step'));
  const loaded = await loadSystem(module);
  const system = resolveSystem(loaded.system, { ...trace?.header.parameters, ...options.set });
  const seed = options.seed ?? trace?.header.seed ?? 0;
  const origin = steppedOrigin(system, { module: loaded.module, seed, eventsMax: options.events });
  const beginning = {
    origin,
    recording: trace?.events.map(eventOf),
    undelivered: trace && undeliveredOf(trace),
    out: options.out,
  };
  await stepFrom(
    beginning,
    `step      ${loaded.module}, seed ${origin.seed}${trace === undefined ? '' : following(path, trace)}`,
  );
}

const following = (path: string, { events }: Trace): string =>
  `, following ${path} (${events.length} events: \`next\`)`;

/**
 * A file named like a trace is never run as a module. Other files count as traces if they begin like one, or are
 * compressed.
 */
function isTraceFile(file: string): boolean {
  if (/\.trace(\.gz)?$/.test(file)) return true;
  const bytes = readBytes(file, 'Give the path of a module or of a trace.').subarray(0, BEGINNING.length);
  return isGzip(bytes) || bytes.toString() === BEGINNING;
}

const BEGINNING = '{"trace":';
