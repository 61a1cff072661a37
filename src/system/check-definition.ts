import { CulpritError, isOf } from '../error.ts';
import { shownAnswer } from '../kernel/user-code/answer.ts';
import { isPromise } from '../kernel/handling.ts';
import { nearest } from '../text/did-you-mean.ts';
import type { AnyBehavior } from '../kernel/behavior.ts';
import type { DeclaredLink, Faults, PassingRule, Transport } from '../kernel/declaration.ts';
import {
  anything,
  byName,
  callback,
  checked,
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
import { faultBudgets, pace, waiting, weights } from '../kernel/options/options.ts';
import type { GivenFaultRates } from './fault-rates.ts';
import type { AnyPhrases } from './phrases.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { ReductionRules } from './reduction-rules.ts';
import type { ProcessPort, DrawnStation, ProcessTopology, ProcessLink } from '../trace/topology.ts';
import type { Trigger } from './workload.ts';
import type { World } from '../kernel/world.ts';
import type { AnyDefinition, MinimizeHints } from './definition.ts';

/** A system that is not well defined. */
export class BadSystem extends CulpritError {
  readonly code = 'BAD_SYSTEM';
}

/** Throws unless the value is a definition of a system; the message names the first problem. */
export function checkDefinition(given: unknown): void {
  if (typeof given !== 'object' || given === null || isPromise(given))
    throw new BadSystem(
      `a system definition is an object with processes, not ${shownAnswer(given)}.`,
      'Give defineSystem({ processes: { … }, … }).',
    );
  checked(given, definitionField, { who: 'the system', noun: 'field', error: BadSystem });
}

/** Behaviors that passed: one of them may be that of thousands of processes that are spawned. */
const passed = new WeakSet<object>();

/** Throws unless the value is a behavior; `who` owns it. */
export function checkBehavior(who: string, given: unknown): void {
  if (typeof given === 'object' && given !== null && passed.has(given)) return;
  checkHandlers(who, given);
  passed.add(given as object);
}

function checkHandlers(who: string, given: unknown): void {
  try {
    checked(given as object, behaviorField, { who, noun: 'handler', error: BadSystem });
  } catch (error) {
    if (isOf(error, CulpritError)) throw error;
    // A Proxy may throw at any access.
    throw new BadSystem(`${who} is ${shownAnswer(given)}.`, 'Give what behavior({ … }) returns.');
  }
}

const parametersField = byName(
  'an object of parameters with their defaults',
  field('a text, a number, or true or false', (value) => ['string', 'number', 'boolean'].includes(typeof value)),
);

/** Throws unless these are parameters with a function that defines a system for their values. */
export function checkParameters(given: unknown, define: unknown): void {
  if (typeof define !== 'function')
    throw new BadSystem(
      `after the parameters, defineSystem takes a function, not ${shownAnswer(define)}.`,
      'Give defineSystem({ nodes: 3 }, ({ nodes }) => defineSystem({ … })).',
    );
  checked(given as object, parametersField, { who: 'defineSystem', noun: 'parameter', error: BadSystem });
}

/**
 * An object whose functions culprit calls. An instance of a class may have fields of its own, so only the functions
 * that culprit calls are checked. A plain object may carry data, but every function in it, and every name close to one
 * of ours, must be one that culprit calls.
 */
const calledByUs = <T>(is: string, fields: FieldsOf<T>, needed: readonly (keyof T & string)[]): Field => {
  const known = Object.keys(fields);
  const classy = field(is, (given) => needed.every((name) => typeof (given as T)[name] === 'function'));
  const isOwn = ([name, value]: [string, unknown]): boolean =>
    !known.includes(name) && typeof value !== 'function' && nearest(name, known) === undefined;
  const plain = object<T>(is, fields, needed);
  return either((given) => {
    if (isOfClass(given)) return classy;
    const own = Object.entries(given ?? {}).filter(isOwn);
    if (own.length === 0) return plain;
    return object<T>(is, { ...Object.fromEntries(own.map(([name]) => [name, anything])), ...fields }, needed);
  });
};

function isOfClass(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const prototype: unknown = Object.getPrototypeOf(given);
  // Test runners have their own `Object`, whose prototype is the end of the chain as well.
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

const BEHAVIOR = 'a behavior, an object with the functions start and receive';

const behaviorField = calledByUs<AnyBehavior>(
  BEHAVIOR,
  {
    start: callback,
    receive: callback,
    timer: callback,
    wrote: callback,
    returned: callback,
    blocking: flag,
    view: callback,
    setPaused: callback,
    close: callback,
    checkpoint: callback,
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

const pairField = list('a pair of names', text);

const declaredLinkField = object<DeclaredLink>(
  "a pair of names, or an object such as { between: ['n1', 'n2'], onCut: 'drop' }",
  {
    between: pairField,
    lane: text,
    order: oneOf(['fifo', 'unordered']),
    onCut: oneOf(['hold', 'drop']),
    losses: flag,
    duplicates: flag,
    partitions: flag,
    reports: field("true, false or 'first'", (value) => typeof value === 'boolean' || value === 'first'),
  },
  ['between'],
);

const linkField = either((given) => (Array.isArray(given) ? pairField : declaredLinkField));

/** A text with at least one character. */
const named = field('a name', (value) => typeof value === 'string' && value !== '');
const end: FieldsOf<ProcessPort> = { process: named, port: count(0) };
const names = (of: string): Field => list(`a list of names of ${of}`, text);
const pair: Field = field('a pair of ends', (value) => Array.isArray(value) && value.length === 2);

const twoEnds = list('a pair of ends', object<ProcessPort>('an object with process and port', end, ['process']));

const topologyField = object<ProcessTopology>(
  'an object with nodes and links',
  {
    nodes: names('processes'),
    links: list(
      'a list of links',
      object<ProcessLink>(
        "an object such as { ends: [{ process: 's1', port: 1 }, { process: 's2', port: 1 }] }",
        {
          ends: either((given) => (Array.isArray(given) && given.length === 2 ? twoEnds : pair)),
          lane: named,
        },
        ['ends'],
      ),
    ),
    stations: list(
      'a list of stations',
      object<DrawnStation>(
        "an object such as { name: 'h1', process: 's1', port: 2 }",
        { name: named, ...end, addresses: list('a list of addresses', text) },
        ['name', 'process'],
      ),
    ),
    controllers: names('processes'),
  },
  ['nodes', 'links'],
);

const TIMERS = "'any', or an object with skewMs";
const timersField = either((given) =>
  typeof given === 'object' && given !== null
    ? object<{ skewMs: number }>(TIMERS, { skewMs: notNegative }, ['skewMs'])
    : field(TIMERS, (value) => value === 'any'),
);

const oracleField = calledByUs<Oracle>(
  'linearizable(…), progress(…), or an object with the function judge',
  {
    judge: callback,
    end: callback,
    undecidedUntilMs: callback,
    begin: callback,
    ignoresOrder: flag,
    isOfWorld: flag,
    waitsFor: callback,
    fairRounds: count(1),
  },
  ['judge'],
);

const INVARIANT = 'a function, or { every: 100, holds: (world) => … } with a whole number of events';
const invariantField = either((given) =>
  typeof given === 'object' && given !== null && 'judge' in given
    ? oracleField
    : typeof given === 'object' && given !== null
      ? object<Sampled<World>>(INVARIANT, { every: count(1), holds: callback }, ['every', 'holds'])
      : field(INVARIANT, (value) => typeof value === 'function'),
);

const functions = (what: string): Field => byName(`an object of functions, ${what} by name`, callback);

const triggerField = object<Trigger>(
  'an object such as { after: (event) => …, do: crash(…) }',
  { before: callback, after: callback, do: anything },
  [],
);

const passingField = object<PassingRule>(
  'an object such as { name: …, includes: (message) => …, when: … }',
  {
    name: text,
    includes: callback,
    when: oneOf(['always', 'never', 'untouched', 'untouchedNearby']),
    isBackground: flag,
  },
  ['name', 'includes', 'when'],
);

interface CommandFields {
  readonly takes: string;
  readonly does: string;
  readonly inject: unknown;
  readonly show: unknown;
  readonly sameAs: string;
  readonly completes: unknown;
}

const commandField = object<CommandFields>(
  "an object such as { takes: 'name', does: 'greets it', inject: ([name]) => send(name, …) }",
  { takes: text, does: text, inject: callback, show: callback, sameAs: text, completes: callback },
  ['does'],
);

/** The fields of a system definition. `resolveSystem` checks rules that concern several fields. */
const definitionField: Field = object<AnyDefinition>(
  'an object with processes',
  {
    name: text,
    processes: byName('an object of behaviors by name', behaviorField),
    kinds: functions('kinds'),
    transport: transportField,
    timers: timersField,
    pace,
    waiting,
    passing: list('a list of rules', passingField),
    faults: object<Faults>(
      'an object with crashes, restarts, partitions, losses, duplicates, holds or pauses',
      faultBudgets,
    ),
    faultRates: object<GivenFaultRates>('an object with losses, holds or writes', {
      losses: callback,
      holds: callback,
      writes: callback,
    }),
    links: list("a list of pairs of names, such as [['n1', 'n2']]", linkField),
    topology: topologyField,
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
      fails: callback,
      recovers: callback,
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
    commands: byName('an object of commands by name', commandField),
    phrases: object<AnyPhrases>('an object with message, messageName, isRoutine, external, timer, state or changes', {
      message: callback,
      messageName: callback,
      isRoutine: callback,
      external: callback,
      timer: callback,
      state: callback,
      changes: callback,
    }),
  },
  ['processes'],
);
