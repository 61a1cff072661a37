import { deeds, type Feature, type RandomSystem } from './deeds.ts';
import { everyExecution, type Ends } from './every-execution.ts';

/**
 * Calls back with random systems and their exhaustive results, if those have no more than this many configurations.
 * Returns the number of compared systems.
 */
export async function onRandomSystems(
  feature: Feature,
  { seeds, nodesMax }: { readonly seeds: number; readonly nodesMax: number },
  compare: (system: RandomSystem, all: Ends, seed: number) => Promise<void>,
): Promise<number> {
  let compared = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const system = deeds(feature, seed);
    const all = await everyExecution(system.declaration, system.scripts, nodesMax);
    if (all === undefined) continue;
    await compare(system, all, seed);
    compared += 1;
  }
  return compared;
}
