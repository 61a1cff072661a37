import { Glance, type Looks } from './tracked-world.ts';
import type { Action } from '../kernel/declaration.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The same system, whose actions tell what they look at. */
export function watchedActions(system: ResolvedSystem, looks: Looks): ResolvedSystem {
  const { declaration } = system;
  const actions = new Map(
    [...declaration.actions].map(([name, action]): [string, Action] => [
      name,
      (world, payload) => action(new Glance(world, looks), payload),
    ]),
  );
  return { ...system, declaration: { ...declaration, actions } };
}
