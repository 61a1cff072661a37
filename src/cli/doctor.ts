import { Command } from 'commander';
import { doctor } from '../doctor.ts';
import type { CheckResult } from '../doctor/check.ts';
import { modulePath } from '../module-path.ts';
import { plural } from '../plural.ts';
import { elsewhereOf } from './elsewhere.ts';
import { existingFile, loadSystem } from '../load-system.ts';
import { labelled, say, sayJson } from './output.ts';
import { exitWith } from './exit-code.ts';
import { atLeast, collectSetting } from './settings.ts';
import { style } from './style.ts';

interface Options {
  readonly seed: number;
  readonly executions: number;
  readonly set: Readonly<Record<string, string>>;
  readonly json: boolean;
}

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('look a system over: is it deterministic, and does everything in it take part')
    .argument('<system>', 'a module that exports a system by default')
    .option('--seed <n>', 'the first seed; each execution takes the next', atLeast(0), 0)
    .option('--executions <n>', 'how many executions to look at', atLeast(1), 200)
    .option('--set <name=value>', 'set a parameter of the system', collectSetting, {})
    .option('--json', 'print one JSON object instead, for machines', false)
    .addHelpText(
      'after',
      '\nExample:\n  culprit doctor ./lock.system.ts\n\nExits with 0 where all is well or there are only warnings, 1 where there is a problem.',
    )
    .action(run);

async function run(path: string, { seed, executions, set, json }: Options): Promise<void> {
  const module = modulePath(existingFile(path));
  if (!json) say([`${style.quiet('doctor')}    ${path}, from seed ${seed}, ${executions} executions`]);
  const startedMs = performance.now();
  const results = await doctor(() => loadSystem(path).then(({ system }) => system), {
    seed,
    executions,
    set,
    module,
    executeElsewhere: elsewhereOf(path, set),
    ...(json ? {} : { onResult: print }),
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const count = (level: CheckResult['level']): number => results.filter((result) => result.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (json) sayJson({ results, problems, warnings, seconds });
  else printTotals(problems, warnings, seconds);
  if (problems > 0) exitWith(1);
}

const styles = { ok: style.good, warning: style.doubtful, problem: style.bad, skipped: style.quiet };

function print({ level, message, next }: CheckResult): void {
  say(labelled(level, message, styles[level]));
  if (next !== undefined) say(labelled('next', next, style.quiet));
}

function printTotals(problems: number, warnings: number, seconds: number): void {
  const counts = [plural(problems, 'problem'), plural(warnings, 'warning')].join(', ');
  const verdict = problems === 0 ? style.good('healthy') : style.bad('unwell ');
  say(['', `${verdict}   ${counts}, ${seconds.toFixed(1)} s`]);
}
