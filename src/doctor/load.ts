import { CulpritError } from '../error.ts';
import { CallLog, type SourceCall } from '../determinism/call-log.ts';
import { watching } from '../determinism/watch.ts';
import { BadParameter, resolveSystem, type ResolvedSystem } from '../system/resolve.ts';
import type { Parameter, System } from '../system/definition.ts';
import { plural } from '../text/plural.ts';
import type { CheckResult } from './check.ts';

export interface Loaded {
  readonly source: System;
  readonly system: ResolvedSystem;
  /** Calls of uncontrolled functions during loading. */
  readonly loading: readonly SourceCall[];
  readonly reload: (() => Promise<System>) | undefined;
}

/** Loads and defines the system under observation; reports the problem if that fails. */
export async function load(
  given: System | (() => Promise<System>),
  set: Readonly<Record<string, Parameter>> | undefined,
): Promise<Loaded | CheckResult> {
  const noting = new CallLog();
  const reload = typeof given === 'function' ? given : undefined;
  try {
    return await watching(noting, async () => {
      noting.caller = 'the module, while it was loaded';
      const source = typeof given === 'function' ? await given() : given;
      noting.caller = 'the definition of the system';
      return { source, system: resolveSystem(source, set), loading: noting.calls, reload };
    });
  } catch (error) {
    // An unknown parameter is a mistake of the caller, not of the system.
    if (!(error instanceof CulpritError) || error instanceof BadParameter) throw error;
    return { check: 'system', level: 'problem', message: `system: ${error.message}`, next: error.next };
  }
}

/** The parts of the system, counted, and what counts when executions are compared. */
export function described({ declaration, invariants, parameters, hints }: ResolvedSystem): CheckResult[] {
  const { size } = declaration.processes;
  const parts = `${size} process${size === 1 ? '' : 'es'}, ${plural(invariants.size, 'invariant')}`;
  const values = Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`);
  return [
    { check: 'system', level: 'ok', message: `system: loads and defines ${parts}` },
    ...(values.length === 0
      ? []
      : [{ check: 'parameters', level: 'ok', message: `parameters: ${values.join(', ')}` } as const]),
    ...(hints.comparison === undefined
      ? []
      : [{ check: 'comparison', level: 'ok', message: `comparison: ${hints.comparison}` } as const]),
  ];
}
