import { resolveSystem, type ResolvedSystem } from '../system/resolve.ts';
import { traceDifference, type Difference } from '../trace/difference.ts';
import type { CheckResult, DoctorSubject } from './check.ts';
import { plural } from '../text/plural.ts';
import { diagnose, leakText, remedyOf, REORDERED, stateOutside, type Leak } from '../determinism/diagnose.ts';

/**
 * Executes every seed again in reverse order, so that other executions come before it than the first time: data that an
 * execution leaves behind shows in the next one.
 */
export async function repeats(subject: DoctorSubject): Promise<CheckResult[]> {
  const { system, executions, traces } = subject;
  for (const [seed, first] of [...traces].toReversed()) {
    const difference = traceDifference(first, await executions.execute(system, seed));
    if (difference !== undefined) return [await notTheSame(subject, seed, difference)];
  }
  const message = `determinism: ${plural(traces.size, 'execution')} repeated exactly, in a different order`;
  return [{ check: 'determinism', level: 'ok', message }];
}

async function notTheSame(subject: DoctorSubject, seed: number, difference: Difference): Promise<CheckResult> {
  const { system, executions } = subject;
  const found = await diagnose(system, executions.again(seed));
  const [first = stateOutside] = found.leaks;
  const leaks = first === stateOutside ? [await whereKept(subject)] : found.leaks;
  const order = difference.reordered ? REORDERED : '';
  return {
    check: 'determinism',
    level: 'problem',
    message:
      `determinism: seed ${seed} did not repeat exactly. Event ${difference.event}: ${difference.what}${order} ` +
      `Likely leak: ${leaks.map(leakText).join('; ')}`,
    next: remedyOf(first),
    leaks,
  };
}

/**
 * Finds where data is kept: whether the first execution is reproduced by the same system, by defining the system again,
 * or only by loading its module again.
 */
async function whereKept(subject: DoctorSubject): Promise<Leak> {
  const { source, system, reload } = subject;
  if (await beginsAsTheFirstTime(subject, system)) return stateOutside;
  if (await beginsAsTheFirstTime(subject, resolveSystem(source, system.parameters)))
    return {
      kind: 'state',
      name: 'state in the definition of the system: a fresh definition behaves like the first one',
    };
  if (reload !== undefined && (await beginsAsTheFirstTime(subject, resolveSystem(await reload(), system.parameters))))
    return { kind: 'state', name: 'state in a module: a fresh import behaves like the first one' };
  return stateOutside;
}

async function beginsAsTheFirstTime({ traces, executions }: DoctorSubject, system: ResolvedSystem): Promise<boolean> {
  const [[seed, first] = []] = traces;
  if (seed === undefined || first === undefined) return false;
  return traceDifference(first, await executions.execute(system, seed)) === undefined;
}
