import { Command } from 'commander';
import { doctor } from '../doctor/doctor.ts';
import type { CheckResult } from '../doctor/check.ts';
import { modulePath } from '../files/module-path.ts';
import { plural } from '../text/plural.ts';
import { executeInOtherProcess } from './other-process.ts';
import { Interruption, Stopped } from './interruption.ts';
import { existingFile, loadSystem } from '../system/load-system.ts';
import { resolveSystem } from '../system/resolve.ts';
import { labeled, printLines } from './output/lines.ts';
import { printJson } from './output/output.ts';
import { exitWith } from './output/exit-code.ts';
import { atLeast, collectSetting } from './settings.ts';

interface Options {
  readonly seed: number;
  readonly executions?: number;
  readonly set: Readonly<Record<string, string>>;
  readonly json: boolean;
}

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('check that a system is deterministic and that executions exercise everything it declares')
    .argument('<system>', 'a module that exports a system by default')
    .option('--seed <n>', 'first seed; each execution uses the next one', atLeast(0), 0)
    .option('-n, --executions <n>', 'number of executions (200; 10 where processes act by themselves)', atLeast(1))
    .option('-s, --set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--json', 'print one JSON object instead', false)
    .addHelpText(
      'after',
      '\nExample:\n  culprit doctor ./lock.system.ts\n\nExit codes: 0 no problem (warnings allowed), 1 a problem, 130 if Ctrl-C stopped it before it\nfound a problem (143 after SIGTERM).',
    )
    .action(run);

async function run(path: string, { seed, executions, set, json }: Options): Promise<void> {
  const module = modulePath(existingFile(path));
  if (!json)
    printLines([`doctor    ${path}, from seed ${seed}${executions === undefined ? '' : `, ${executions} executions`}`]);
  const startedMs = performance.now();
  const results: CheckResult[] = [];
  const interruption = new Interruption();
  let isControlled = true;
  const examined = doctor(
    async () => {
      const { system } = await loadSystem(path);
      interruption.listen();
      isControlled = resolveSystem(system, set).guarantees.controlled;
      return system;
    },
    {
      seed,
      ...(executions === undefined ? {} : { executions }),
      set,
      signal: interruption.signal,
      module,
      executeElsewhere: executeInOtherProcess(path, set),
      onResult(result) {
        results.push(result);
        if (!json) print(result);
      },
    },
  );
  const stopped = await stopOf(interruption.unlessStopped(examined));
  // Processes that act by themselves may outlive culprit: their sessions are closed first.
  if (stopped !== undefined && !isControlled) await examined.catch(() => undefined);
  const seconds = (performance.now() - startedMs) / 1000;
  const count = (level: CheckResult['level']): number => results.filter((result) => result.level === level).length;
  const counted = { problems: count('problem'), warnings: count('warning'), seconds };
  const interrupted = stopped !== undefined;
  if (json) printJson('doctor', { results, ...counted, interrupted });
  else printTotals(counted, interrupted ? results.length : undefined);
  if (stopped !== undefined) throw counted.problems > 0 ? new Stopped(1) : stopped;
  if (counted.problems > 0) exitWith(1);
}

/** Undefined if the work is complete. */
async function stopOf(work: Promise<unknown>): Promise<Stopped | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
}

const print = ({ level, message, next }: CheckResult): void =>
  printLines([...labeled(level, message), ...(next === undefined ? [] : labeled('next', next))]);

interface Counted {
  readonly problems: number;
  readonly warnings: number;
  readonly seconds: number;
}

/** A doctor that was stopped cannot say that all is well. */
function printTotals({ problems, warnings, seconds }: Counted, stoppedAfter: number | undefined): void {
  const counts = [plural(problems, 'problem'), plural(warnings, 'warning')].join(', ');
  if (stoppedAfter !== undefined) {
    const result = `stopped after ${plural(stoppedAfter, 'result')} (${counts}), ${seconds.toFixed(1)} s`;
    printLines(['', `unknown   ${result}: the remaining checks did not run`]);
    return;
  }
  printLines(['', `${problems === 0 ? 'healthy   ' : 'unwell    '}${counts}, ${seconds.toFixed(1)} s`]);
}
