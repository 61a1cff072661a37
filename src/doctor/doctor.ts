import type { Check, CheckResult, ExecuteElsewhere, Patient } from './check.ts';
import { elsewhere } from './other-process.ts';
import { firstPass } from './first-pass.ts';
import { leaks } from './leaks.ts';
import { described, load } from './load.ts';
import { nodeVersion } from './node-version.ts';
import { repeats } from './repeats.ts';
import { faults, marks, messages, processes } from './vacuity.ts';
import { traces } from './traces.ts';
import { untouched } from './world-mutation.ts';
import { workload } from './workload.ts';
import { CulpritError } from '../error.ts';
import { HANDLER_MS } from '../kernel/drive.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { modulePath } from '../files/module-path.ts';
import { callback, count, text } from '../kernel/options/fields.ts';
import { handlerFields, optionsOf, settings } from '../kernel/options/options.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { Parameter, System } from '../system/definition.ts';

export interface DoctorOptions {
  /** The first seed, 0 where nothing is said; each execution takes the next. */
  readonly seed?: number;
  /** How many executions to look at. */
  readonly executions?: number;
  /** How many events an execution may have. */
  readonly eventsMax?: number;
  /** How much CPU time a handler may have before it is taken to hang, in milliseconds; 5,000 if not said. */
  readonly handlerMs?: number;
  /** Shows what the system prints, on standard error as it happens. Without it, what a handler prints is in the trace alone. */
  readonly verbose?: boolean;
  /** Values for the system's parameters. */
  readonly set?: Readonly<Record<string, Parameter>>;
  /** The file that exports the system, from the folder of its package: traces of it are replayed. */
  readonly module?: string;
  /** Where hunts keep traces. */
  readonly directory?: string;
  /** Makes the same executions in another process. */
  readonly executeElsewhere?: ExecuteElsewhere;
  /** Gets each result as soon as it is known. */
  readonly onResult?: (result: CheckResult) => void;
}

const defaults = { seed: 0, executions: 200, eventsMax: 1_000, handlerMs: HANDLER_MS, directory: '.culprit' };

export const doctorOptions = optionsOf<DoctorOptions>('doctor', {
  seed: count(0),
  executions: count(1),
  eventsMax: count(1),
  ...handlerFields,
  set: settings,
  module: text,
  directory: text,
  executeElsewhere: callback,
  onResult: callback,
});

type DoctorBounds = typeof defaults & DoctorOptions;

/** In this order: what is wrong with the first explains much of what the later find. */
const checks: readonly Check[] = [
  repeats,
  leaks,
  untouched,
  elsewhere,
  marks,
  faults,
  processes,
  messages,
  workload,
  traces,
];

/**
 * Looks a system over: whether it is deterministic, what it calls that culprit does not control, and whether everything
 * that is declared takes part. Takes the system, or a function that loads it: then what happens while it is loaded is
 * seen, too.
 */
export async function doctor(
  system: System | (() => Promise<System>),
  options: DoctorOptions = {},
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
  const pass = await firstPass(loaded.system, bounds);
  yield pass.result;
  if (pass.result.level !== 'ok') {
    yield { check: 'executions', level: 'skipped', message: 'the other checks need executions that finish' };
    return;
  }
  const { directory, executeElsewhere } = bounds;
  const { file } = loaded.source;
  const module = bounds.module ?? (file === undefined ? undefined : modulePath(file));
  const patient: Patient = { ...loaded, ...pass, executeElsewhere, module, directory };
  const results: CheckResult[] = [];
  for (const check of checks) {
    const found = await checked(check, patient, results);
    results.push(...found);
    yield* found;
  }
}

/** Every execution has been made before: that one fails now is a difference like any other. */
async function checked(check: Check, patient: Patient, soFar: readonly CheckResult[]): Promise<CheckResult[]> {
  try {
    return await check(patient, soFar);
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    const message = `determinism: re-execution fails: ${error.message}`;
    return [{ check: 'determinism', level: 'problem', message, next: error.next }];
  }
}
