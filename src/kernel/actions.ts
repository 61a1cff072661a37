import type { External } from '../trace/event.ts';
import { externalsFrom } from './user-code/answer.ts';
import type { Action } from './declaration.ts';
import type { LiveWorld } from './live-world.ts';
import { SystemThrew, UnknownAction } from './errors.ts';

/** The externals that a declared action amounts to in this world. */
export function consequencesOf(
  world: LiveWorld,
  { action: name, payload }: Extract<External, { kind: 'act' }>,
): readonly External[] {
  const action = world.declaration.actions.get(name);
  if (action === undefined) throw new UnknownAction(name, [...world.declaration.actions.keys()]);
  return externalsFrom(`the action ${name}`, asked(action, world, name, payload));
}

function asked(action: Action, world: LiveWorld, name: string, payload: unknown): unknown {
  try {
    return action(world, payload as never);
  } catch (error) {
    throw new SystemThrew(`the action ${name}`, error);
  }
}
