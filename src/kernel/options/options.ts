import { CulpritError } from '../../error.ts';
import type { Faults, Pace, WaitingSettings } from '../declaration.ts';
import {
  amount,
  byName,
  checked,
  count,
  field,
  flag,
  notNegative,
  object,
  oneOf,
  type Field,
  type FieldsOf,
} from './fields.ts';
import { whyBadWeights, type Weights } from './weights.ts';

/** An option that there is not, or with a value it cannot have. */
export class BadOption extends CulpritError {
  readonly code = 'BAD_OPTION';
}

/** The options that a function takes as its last argument. It takes no others. */
export interface Options<T> {
  readonly who: string;
  readonly schema: Field;
  /** Returns the given options without undefined fields. Throws if they are not valid. */
  checked(given: T): T;
}

/** The options of a function that is called so. Each option of the type has a field: otherwise it does not compile. */
export function optionsOf<T extends object>(
  who: string,
  fields: FieldsOf<T>,
  needed: readonly (keyof T & string)[] = [],
): Options<T> {
  const schema = object('an object of options', fields, needed);
  return { who, schema, checked: (given) => checked(given, schema, { who, noun: 'option', error: BadOption }) };
}

/** How many faults of each kind the environment may add. */
export const faultBudgets: FieldsOf<Faults> = {
  crashes: notNegative,
  restarts: notNegative,
  partitions: notNegative,
  losses: notNegative,
  duplicates: notNegative,
  holds: notNegative,
  pauses: notNegative,
};

/** How fast the environment acts, where events appear by themselves. */
export const pace: Field = object<Pace>('an object with roundMs, quietMs and executionMs', {
  roundMs: notNegative,
  quietMs: notNegative,
  executionMs: amount,
});

/** How replays wait, where events appear by themselves. */
export const waiting: Field = object<WaitingSettings>(
  'an object with firstEpsilonMs, epsilonMs, restarts, unexpected, peek and peekMs',
  {
    firstEpsilonMs: notNegative,
    epsilonMs: notNegative,
    restarts: count(0),
    unexpected: oneOf(['pass', 'hold']),
    peek: oneOf(['none', 'replay']),
    peekMs: notNegative,
  },
);

/** How much CPU time a handler may have, and whether its output is shown. */
export const handlerFields = { handlerMs: count(1), verbose: flag };

/** Values for the parameters of a system. The system knows their names and types. */
export const settings: Field = byName(
  'an object of parameters',
  field('a text, a number, or true or false', (value) => ['string', 'number', 'boolean'].includes(typeof value)),
);

/** Not asked whether it is an `AbortSignal`: test runners have their own. */
export const signal: Field = field(
  'an AbortSignal',
  (value) => typeof value === 'object' && value !== null && 'aborted' in value && typeof value.aborted === 'boolean',
);

export const weights: Field = byName(
  'an object of weights by kinds of event',
  field('a number, 0 or more', () => true),
);

export function checkWeights(given: Weights): void {
  const wrong = whyBadWeights(given);
  if (wrong !== undefined) throw new BadOption(...wrong);
}
