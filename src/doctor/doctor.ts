import type { Check, CheckResult, ExecuteElsewhere, DoctorSubject } from './check.ts';
import { otherProcess } from './other-process.ts';
import { firstPass } from './first-pass.ts';
import { leaks } from './leaks.ts';
import { described, load } from './load.ts';
import { nodeVersion } from './node-version.ts';
import { quiescence } from './quiescence.ts';
import { speed } from './speed.ts';
import { rates } from './rates.ts';
import { repeats } from './repeats.ts';
import { faults, marks, messages, processes } from './vacuity.ts';
import { traces } from './traces.ts';
import { worldMutation } from './world-mutation.ts';
import { workload } from './workload.ts';
import { CulpritError } from '../error.ts';
import { HANDLER_MS } from '../kernel/drive.ts';
import { whyNotGuaranteed } from '../kernel/guarantees.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { modulePath } from '../files/module-path.ts';
import { callback, count, text } from '../kernel/options/fields.ts';
import { handlerFields, optionsOf, settings, signal } from '../kernel/options/options.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { Parameters, Settings, System } from '../system/definition.ts';

/** The options of `doctor`. */
export interface DoctorOptions<D extends Parameters = Parameters> {
  /** The first seed, 0 by default; each execution takes the next. */
  readonly seed?: number;
  /** The number of executions; 200 by default, and 10 where events appear by themselves. */
  readonly executions?: number;
  /** The maximum number of events in one execution. */
  readonly eventsMax?: number;
  /** The CPU time limit of a handler in milliseconds; 5,000 by default. */
  readonly handlerMs?: number;
  /** Prints the system's output to standard error as it happens. Otherwise a handler's output is only in the trace. */
  readonly verbose?: boolean;
  /** Values for the system's parameters. */
  readonly set?: Settings<D>;
  /** The file that exports the system, relative to the folder of its package: its saved traces are replayed. */
  readonly module?: string;
  /** The folder of saved traces. */
  readonly directory?: string;
  /** Makes the same executions in another process. */
  readonly executeElsewhere?: ExecuteElsewhere;
  /** Ends the executions of a system that is not controlled: then the promise rejects, and no session is left. */
  readonly signal?: AbortSignal;
  /** Receives each result as soon as it is known. */
  readonly onResult?: (result: CheckResult) => void;
}

const defaults = { seed: 0, eventsMax: 1_000, handlerMs: HANDLER_MS, directory: '.culprit' };

export const doctorOptions = optionsOf<DoctorOptions>('doctor', {
  seed: count(0),
  executions: count(1),
  eventsMax: count(1),
  ...handlerFields,
  set: settings,
  module: text,
  directory: text,
  executeElsewhere: callback,
  signal,
  onResult: callback,
});

type DoctorBounds = typeof defaults & DoctorOptions;

/** The default number of executions. Where events appear by themselves, each of them takes as long as the events do. */
const EXECUTIONS = { controlled: 200, uncontrolled: 10 };

/** The checks of a system that is not repeatable: the others compare executions that must be equal. */
const statistical: readonly Check[] = [rates, quiescence, speed, marks, faults, processes, messages, workload, traces];

/** In this order: a problem of an early check explains many results of later ones. */
const checks: readonly Check[] = [
  repeats,
  leaks,
  worldMutation,
  otherProcess,
  marks,
  faults,
  processes,
  messages,
  workload,
  traces,
];

/**
 * Checks whether a system is fit to be tested: whether it is deterministic, which uncontrolled functions it calls, and
 * whether executions exercise everything that it declares. Takes the system, or a function that loads it: then loading
 * is checked too.
 *
 * @example
 * const problems = (await doctor(system)).filter(({ level }) => level !== 'ok');
 */
export async function doctor<S extends System>(
  system: S | (() => Promise<S>),
  options: DoctorOptions<S['parameters']> = {},
): Promise<readonly CheckResult[]> {
  if (typeof system !== 'function') mustBeSystem('doctor', system);
  const bounds = { ...defaults, ...doctorOptions.checked(options) };
  return await showingPrinting(bounds.verbose, async () => {
    const results: CheckResult[] = [];
    for await (const result of examined(system, bounds)) {
      results.push(result);
      options.onResult?.(result);
    }
    return results;
  });
}

async function* examined(system: System | (() => Promise<System>), bounds: DoctorBounds): AsyncGenerator<CheckResult> {
  yield nodeVersion();
  const loaded = await load(system, bounds.set);
  if ('level' in loaded) {
    yield loaded;
    return;
  }
  yield* described(loaded.system);
  const { guarantees, declaration } = loaded.system;
  const { executions = EXECUTIONS[guarantees.controlled ? 'controlled' : 'uncontrolled'] } = bounds;
  const pass = await firstPass(loaded.system, { ...bounds, executions });
  yield pass.result;
  if (pass.result.level !== 'ok') {
    yield { check: 'executions', level: 'skipped', message: 'the other checks need executions that finish' };
    return;
  }
  const { directory, executeElsewhere } = bounds;
  const { file } = loaded.source;
  const module = bounds.module ?? (file === undefined ? undefined : modulePath(file));
  const subject: DoctorSubject = { ...loaded, ...pass, executeElsewhere, module, directory };
  const lacking = whyNotGuaranteed('repeatable', declaration);
  if (lacking !== undefined) yield unrepeatable(lacking);
  const results: CheckResult[] = [];
  for (const check of lacking === undefined ? checks : statistical) {
    const found = await checked(check, subject, results);
    results.push(...found);
    yield* found;
  }
}

const unrepeatable = (lacking: string): CheckResult => ({
  check: 'determinism',
  level: 'skipped',
  message: `determinism: leaks, observers and other processes are examined in a repeatable system; ${lacking}`,
});

/** Every execution succeeded before, so an error now is a difference between executions. */
async function checked(check: Check, subject: DoctorSubject, soFar: readonly CheckResult[]): Promise<CheckResult[]> {
  try {
    return await check(subject, soFar);
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    const message = `determinism: re-execution fails: ${error.message}`;
    return [{ check: 'determinism', level: 'problem', message, next: error.next }];
  }
}
