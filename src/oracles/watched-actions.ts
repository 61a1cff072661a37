import { TrackedWorld, type ReadSet } from './tracked-world.ts';
import type { Action } from '../kernel/declaration.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The same system, whose actions tell what they look at. */
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
