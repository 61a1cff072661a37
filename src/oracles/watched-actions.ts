import { TrackedWorld, type ReadSet } from './tracked-world.ts';
import type { Action } from '../kernel/declaration.ts';
import type { External } from '../trace/event.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The same system, whose actions report what they read, and that they cut links. */
export function watchedActions(system: ResolvedSystem, looks: ReadSet, onCut: () => void = () => {}): ResolvedSystem {
  const { declaration } = system;
  const actions = new Map(
    [...declaration.actions].map(([name, action]): [string, Action] => [
      name,
      (world, payload) => {
        const externals = action(new TrackedWorld(world, looks), payload);
        // What users return is checked later.
        if (Array.isArray(externals) && externals.some((external: External | undefined) => external?.kind === 'cut'))
          onCut();
        return externals;
      },
    ]),
  );
  return { ...system, declaration: { ...declaration, actions } };
}
