import { nearest } from '../kernel/options/did-you-mean.ts';
import type { AnyBehavior } from '../kernel/behavior.ts';
import type { Faults, Transport } from '../kernel/declaration.ts';
import {
  anything,
  byName,
  callback,
  count,
  either,
  field,
  flag,
  list,
  notNegative,
  object,
  oneOf,
  text,
  type Field,
  type FieldsOf,
} from '../kernel/options/fields.ts';
import type { Sampled } from './invariant.ts';
import { pace, weights } from '../kernel/options/options.ts';
import type { AnyPhrases } from './phrases.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { ReductionRules } from './reduction-rules.ts';
import type { Trigger } from './workload.ts';
import type { World } from '../kernel/world.ts';
import type { AnyDefinition, MinimizeHints } from './definition.ts';

/**
 * An object with functions that we call. One of a class may have fields of its own, so only what we call is looked at. Any other
 * may have data of its own, but a function, or a name that is nearly one of ours, is meant for us.
 */
const calledByUs = <T>(is: string, fields: FieldsOf<T>, needed: readonly (keyof T & string)[]): Field => {
  const known = Object.keys(fields);
  const classy = field(is, (given) => needed.every((name) => typeof (given as T)[name] === 'function'));
  const isOwn = ([name, value]: [string, unknown]): boolean =>
    !known.includes(name) && typeof value !== 'function' && nearest(name, known) === undefined;
  return either((given) => {
    if (isOfClass(given)) return classy;
    const own = Object.entries(given ?? {}).filter(isOwn);
    return object<T>(is, { ...Object.fromEntries(own.map(([name]) => [name, anything])), ...fields }, needed);
  });
};

function isOfClass(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const prototype: unknown = Object.getPrototypeOf(given);
  // Test runners have an `Object` of their own: its prototype has nothing behind it either.
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

const BEHAVIOR = 'a behavior, an object with the functions start and receive';

export const behaviorField = calledByUs<AnyBehavior>(
  BEHAVIOR,
  {
    start: callback,
    receive: callback,
    timer: callback,
    wrote: callback,
    returned: callback,
    blocking: flag,
    view: callback,
    close: callback,
    host: anything,
    code: anything,
  },
  ['start', 'receive'],
);

const transportFields = object<Transport>("'fifo', 'unordered', or an object with order, toAbsent, onCrash and onCut", {
  order: oneOf(['fifo', 'unordered']),
  toAbsent: oneOf(['drop', 'keep', 'return']),
  onCrash: object<Transport['onCrash']>('an object with to, from and notice', {
    to: oneOf(['drop', 'keep']),
    from: oneOf(['drop', 'keep']),
    notice: anything,
  }),
  onCut: oneOf(['hold', 'drop']),
});

const transportField = either((given) => (typeof given === 'string' ? oneOf(['fifo', 'unordered']) : transportFields));

const TIMERS = "'any', or an object with skewMs";
const timersField = either((given) =>
  typeof given === 'object' && given !== null
    ? object<{ skewMs: number }>(TIMERS, { skewMs: notNegative }, ['skewMs'])
    : field(TIMERS, (value) => value === 'any'),
);

const INVARIANT = 'a function, or { every: 100, holds: (world) => … } with a whole number of events';
const invariantField = either((given) =>
  typeof given === 'object' && given !== null
    ? object<Sampled<World>>(INVARIANT, { every: count(1), holds: callback }, ['every', 'holds'])
    : field(INVARIANT, (value) => typeof value === 'function'),
);

const oracleField = calledByUs<Oracle>(
  'linearizable(…), progress(…), or an object with the function judge',
  { judge: callback, end: callback, begin: callback, ignoresOrder: flag, fairRounds: count(1) },
  ['judge'],
);

const functions = (what: string): Field => byName(`an object of functions, ${what} by name`, callback);

const triggerField = object<Trigger>(
  'an object such as { after: (event) => …, do: crash(…) }',
  { before: callback, after: callback, do: anything },
  [],
);

/** What a system may be made of. What depends on several fields is looked at where it is resolved. */
export const definitionField: Field = object<AnyDefinition>(
  'an object with processes',
  {
    name: text,
    processes: byName('an object of behaviors by name', behaviorField),
    kinds: functions('kinds'),
    transport: transportField,
    timers: timersField,
    pace,
    faults: object<Faults>('an object with crashes, restarts, partitions, losses or duplicates', {
      crashes: notNegative,
      restarts: notNegative,
      partitions: notNegative,
      losses: notNegative,
      duplicates: notNegative,
    }),
    weights,
    workload: list('a list, such as [send(…), untilQuiet(), generate(…)]', anything),
    triggers: list('a list of triggers', triggerField),
    actions: functions('actions'),
    sometimes: functions('marks'),
    invariants: byName('an object of functions, invariants by name', invariantField),
    oracles: byName('an object of oracles by name', oracleField),
    minimize: object<MinimizeHints>('an object of hints', {
      mask: list('a list of names of fields', text),
      fingerprint: callback,
      atom: callback,
      keep: callback,
      shrink: callback,
      clock: callback,
    }),
    reduce: object<ReductionRules>('an object of rules', {
      message: callback,
      crash: callback,
      recovery: callback,
      rejoin: callback,
      touches: callback,
      symmetric: list('a list of lists of names', list('a list of names', text)),
    }),
    phrases: object<AnyPhrases>('an object with message, timer or state', {
      message: callback,
      timer: callback,
      state: callback,
    }),
  },
  ['processes'],
);
