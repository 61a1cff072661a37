import { mustBeSystem, mustBeTrace } from '../system/must-be.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';
import { steppedOrigin } from './origin.ts';
import { Stepping } from './stepping.ts';

/**
 * Runs a script of `culprit step` along a trace, and returns the lines that it prints. Throws a `CulpritError` at the
 * first command that fails.
 */
export async function stepAlong(system: System, trace: Trace, script: readonly string[]): Promise<string[]> {
  mustBeSystem('stepAlong', system);
  mustBeTrace('stepAlong', trace);
  const { parameters, seed } = trace.header;
  const origin = steppedOrigin(resolveSystem(system, parameters), { seed });
  const stepping = await Stepping.begin({ origin, recording: trace.events.map(eventOf), out: '.culprit' });
  try {
    const shown = stepping.opening();
    for (const line of script) shown.push(...(await stepping.enter(line)).lines);
    return shown;
  } finally {
    await stepping.close();
  }
}
