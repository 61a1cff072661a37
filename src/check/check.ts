import { Checker } from './checker.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import type { SavedCheck } from './checkpoint.ts';
import { boundsOf, checkOptions, type CheckOptions, type CommandOptions } from './options.ts';
import type { CheckReport } from './report.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';

/**
 * Explores every execution within the bounds that differs in more than the order of independent events.
 *
 * @example
 * const { verdict } = await check(system, { faults: { crashes: 1 }, seconds: 60 });
 */
export async function check<S extends System>(
  system: S,
  options: CheckOptions<S['parameters']> = {},
): Promise<CheckReport> {
  mustBeSystem('check', system);
  return await checkWith(system, checkOptions.checked(options));
}

/** The same, with options that have been checked. */
export async function checkWith(system: System, options: CommandOptions): Promise<CheckReport> {
  const bounds = boundsOf(options);
  return await showingPrinting(bounds.verbose, () => new Checker(system, bounds).run());
}

/** The identity of a check: a checkpoint can be resumed only by a check with the same identity. */
export const aboutCheck = (system: System, options: CheckOptions): SavedCheck['about'] =>
  new Checker(system, boundsOf(options)).about;
