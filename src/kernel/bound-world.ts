import { CulpritError, isOf } from '../error.ts';
import type { AnyBehavior } from './behavior.ts';
import type { World } from './world.ts';

/** A method of a world was called without the world. */
export class UnboundMethod extends CulpritError {
  readonly code = 'UNBOUND_METHOD';

  constructor(method: string) {
    super(`${method} of a world was called without its world.`, `Call it as world.${method}(…).`);
  }
}

/**
 * Calls a function of the system with a world. One that takes methods out of the world, as `({ process }) => …` does, is called
 * once more, with a world whose methods can be taken out. Other functions do not pay for it.
 */
export function askAbout<T>(world: World, ask: (world: World) => T): T {
  try {
    return ask(world);
  } catch (error) {
    if (!isOf(error, UnboundMethod)) throw error;
    return ask(withBoundMethods(world));
  }
}

/** The same world, with methods that work without it. */
export const withBoundMethods = (world: World): World =>
  Object.create(world, {
    process: { value: (name: string) => world.process(name) },
    up: { value: boundUp(world) },
    operations: { value: (events?: number) => world.operations(events) },
  }) as World;

/** Cast: a function for all overloads, which do the same. */
export const boundUp = (world: World): World['up'] =>
  ((behavior?: AnyBehavior) => (behavior === undefined ? world.up() : world.up(behavior))) as World['up'];
