import { TrackedWorld, type ReadSet } from './tracked-world.ts';
import type { Action } from '../kernel/declaration.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The same system, whose actions report what they read. */
export function watchedActions(system: ResolvedSystem, looks: ReadSet): ResolvedSystem {
  const { declaration } = system;
  const actions = new Map(
    [...declaration.actions].map(([name, action]): [string, Action] => [
      name,
      (world, payload) => action(new TrackedWorld(world, looks), payload),
    ]),
  );
  return { ...system, declaration: { ...declaration, actions } };
}
