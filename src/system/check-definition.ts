import { CulpritError, isOf } from '../error.ts';
import { shownAnswer } from '../kernel/user-code/answer.ts';
import { isPromise } from '../kernel/handling.ts';
import { byName, checked, field } from '../kernel/options/fields.ts';
import { behaviorField, definitionField } from './definition-fields.ts';

/** A system that is not well defined. */
export class BadSystem extends CulpritError {
  readonly code = 'BAD_SYSTEM';
}

/** Refuses what is no definition of a system, with one sentence about the first thing that is wrong. */
export function checkDefinition(given: unknown): void {
  if (typeof given !== 'object' || given === null || isPromise(given))
    throw new BadSystem(
      `a system definition is an object with processes, not ${shownAnswer(given)}.`,
      'Give defineSystem({ processes: { … }, … }).',
    );
  checked(given, definitionField, { who: 'the system', noun: 'field', error: BadSystem });
}

/** Refuses what is no behavior; `who` has it. */
export function checkBehavior(who: string, given: unknown): void {
  try {
    checked(given as object, behaviorField, { who, noun: 'handler', error: BadSystem });
  } catch (error) {
    if (isOf(error, CulpritError)) throw error;
    // A Proxy may throw whatever is asked of it.
    throw new BadSystem(`${who} is ${shownAnswer(given)}.`, 'Give what behavior({ … }) returns.');
  }
}

const parametersField = byName(
  'an object of parameters with their defaults',
  field('a text, a number, or true or false', (value) => ['string', 'number', 'boolean'].includes(typeof value)),
);

/** Refuses what are no parameters, or no function that defines a system for their values. */
export function checkParameters(given: unknown, define: unknown): void {
  if (typeof define !== 'function')
    throw new BadSystem(
      `after the parameters, defineSystem takes a function, not ${shownAnswer(define)}.`,
      'Give defineSystem({ nodes: 3 }, ({ nodes }) => defineSystem({ … })).',
    );
  checked(given as object, parametersField, { who: 'defineSystem', noun: 'parameter', error: BadSystem });
}
