import type { External } from '../trace/event.ts';
import { externalsFrom } from './user-code/answer.ts';
import type { Action } from './declaration.ts';
import type { LiveWorld } from './live-world.ts';
import { SystemThrew, UnknownAction } from './errors.ts';

/** The externals that a declared action amounts to in this world; undefined if it cannot happen here. */
export function consequencesOf(
  world: LiveWorld,
  { action: name, payload }: Extract<External, { kind: 'act' }>,
): readonly External[] | undefined {
  const action = world.declaration.actions.get(name);
  if (action === undefined) throw new UnknownAction(name, [...world.declaration.actions.keys()]);
  const answer = asked(action, world, name, payload);
  return answer === null ? undefined : externalsFrom(`the action ${name}`, answer);
}

function asked(action: Action, world: LiveWorld, name: string, payload: unknown): unknown {
  try {
    return action(world, payload as never);
  } catch (error) {
    throw new SystemThrew(`the action ${name}`, error);
  }
}
