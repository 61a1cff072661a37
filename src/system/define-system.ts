import { badAnswer } from '../kernel/user-code/answer.ts';
import type { AnyBehavior, Behavior } from '../kernel/behavior.ts';
import { definitionSite } from './definition-site.ts';
import { checkBehavior, checkDefinition, checkParameters } from './check-definition.ts';
import type { PlainState } from './plain-state.ts';
import type { AnyDefinition, Definition, Kinds, Parameters, System } from './definition.ts';

/**
 * Types a behavior by its state and messages, and returns it unchanged.
 *
 * @example
 * const counter = behavior({
 *   start: () => ({ count: 0 }),
 *   receive(state, message: 'add' | 'clear') {
 *     state.count = message === 'add' ? state.count + 1 : 0;
 *   },
 * });
 */
export function behavior<S extends PlainState<S>, M, T extends string = string, Sent = M, N extends string = string>(
  of: Behavior<S, M, T, Sent, N>,
): Behavior<S, M, T, Sent, N> {
  checkBehavior('behavior', of);
  return of;
}

/** The type of a parameter, widened from its default: any number for `3`. */
type Values<D extends Parameters> = {
  readonly [K in keyof D]: D[K] extends number ? number : D[K] extends boolean ? boolean : string;
};

function systemFrom(answer: unknown): System {
  if (typeof answer === 'object' && answer !== null && 'culprit' in answer && answer.culprit === 'system')
    return answer as System;
  throw badAnswer('the function that defines the system', answer, 'Return defineSystem({ processes, … }).');
}

/**
 * Defines a system. With parameters, the second argument defines the system for their values.
 *
 * @example
 * defineSystem({
 *   processes: { lock, 'client-1': client, 'client-2': client },
 *   workload: [crash('client-1')],
 *   invariants: { one: (world) => world.up(client).filter(({ state }) => state.holds).length < 2 || 'two clients hold it' },
 * });
 */
export function defineSystem<P extends Readonly<Record<string, AnyBehavior>>, K extends Kinds = Record<never, never>>(
  definition: Definition<P, K>,
): System;

export function defineSystem<D extends Parameters>(
  parameters: D,
  define: (values: Values<D>) => System,
): System<Values<D>>;

export function defineSystem(first: unknown, withValues?: (values: never) => System): System {
  const none: Parameters = {};
  const place = definitionSite();
  if (withValues !== undefined) checkParameters(first, withValues);
  // The signatures check the types; from here on the kernel passes states and messages through unseen.
  else checkDefinition(first);
  if (withValues === undefined)
    return { culprit: 'system', parameters: none, define: () => first as AnyDefinition, ...place };
  return {
    culprit: 'system',
    parameters: first as Parameters,
    define: (values) => systemFrom(withValues(values as never)).define(none),
    ...place,
  };
}
