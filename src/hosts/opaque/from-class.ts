import type { Context, Environment, OpaqueBehavior } from '../../kernel/behavior.ts';
import { isPromise } from '../../kernel/handling.ts';
import { callback, checked, object, type Field } from '../../kernel/options/fields.ts';
import { BadSystem } from '../../system/check-definition.ts';
import type { PlainState } from '../../system/plain-state.ts';
import { shownAnswer } from '../../kernel/user-code/answer.ts';
import { ioOf, Timers, type Io } from './io.ts';

/** A class whose objects can be processes. */
export type Class<T extends object> = abstract new (...args: never) => T;

/** A class whose objects know processes by the names `N`. */
type ClassKnowing<T extends object, N extends string> = abstract new (io: Io<N>) => T;

/** How the objects of a class take part in a system. */
export interface FromClassOptions<T extends object, V extends object, M, N extends string = string> {
  /** Makes the object, at the start of the process and after each crash. By default: `new Class(io)`. */
  readonly create?: (io: Io<N>) => T | Promise<T>;
  /**
   * Passes a message on to the object. It may return a promise, but need not. `reply` answers a message that its sender asked
   * with `ask`, now or at a later event.
   */
  readonly receive: (object: T, message: M, from: N | Environment, reply: (answer: unknown) => void) => unknown;
  /** What invariants, stories and traces see of the object: plain data. */
  readonly view: (object: T) => V;
}

/** An object of a user's class, in one life of its process. */
interface Life<T extends object> {
  readonly object: T;
  readonly timers: Timers;
  /** Set when the process has crashed or stopped, or the execution is over. */
  readonly ending: { isOver: boolean };
}

/** A process that runs a class as it is: it gets its clock, timers, random numbers, storage and network from `io`. */
export type ClassBehavior<T extends object, V extends object, M, N extends string = string> = OpaqueBehavior<
  Life<T>,
  V,
  M,
  string,
  N
>;

const optionsField: Field = object<FromClassOptions<object, object, unknown>>(
  'an object with receive and view',
  { create: callback, receive: callback, view: callback },
  ['receive', 'view'],
);

/**
 * Makes a class a process of a system.
 *
 * @example
 * class Counter {
 *   count = 0;
 *   constructor(readonly io: Io) {}
 * }
 * const counter = fromClass(Counter, {
 *   receive: (object, amount: number) => void (object.count += amount),
 *   view: ({ count }) => ({ count }),
 * });
 */
export function fromClass<T extends object, V extends PlainState<V>, M, N extends string = string>(
  type: Class<T> | ClassKnowing<T, N>,
  options: FromClassOptions<T, V, M, N>,
): ClassBehavior<T, V, M, N> {
  checkGiven(type, options);
  const { create = (io) => new (type as new (io: Io<N>) => T)(io), receive, view } = options;
  return {
    start: (ctx) => livedBy(ctx as Context<unknown, string, unknown, N>, create),
    receive: (life, message, ctx) => {
      const reply = (answer: unknown): void => (life.ending.isOver ? undefined : ctx.reply(answer as M));
      return settledBy(receive(life.object, message, ctx.from, reply));
    },
    timer: (life, timer) => settledBy(life.timers.fire(timer)),
    view: ({ object: subject }) => view(subject),
    close: ({ ending }) => {
      ending.isOver = true;
    },
    code: { start: (options.create ?? type) as (...args: never) => unknown, receive },
  };
}

function livedBy<T extends object, N extends string>(
  ctx: Context<unknown, string, unknown, N>,
  create: (io: Io<N>) => T | Promise<T>,
): Life<T> | Promise<Life<T>> {
  const timers = new Timers(ctx);
  const ending = { isOver: false };
  const made = create(ioOf(ctx, timers, () => ending.isOver));
  const life = (subject: T): Life<T> => ({ object: subject, timers, ending });
  return isPromise(made) ? made.then(life) : life(made);
}

/** A promise that a method returns is awaited; what else it returns does not matter. */
const settledBy = (returned: unknown): void | Promise<void> =>
  isPromise(returned) ? Promise.resolve(returned).then(() => undefined) : undefined;

function checkGiven(type: unknown, options: unknown): void {
  if (typeof type !== 'function')
    throw new BadSystem(
      `fromClass takes a class, not ${shownAnswer(type)}.`,
      'Give fromClass(Node, { receive: (node, message, from) => …, view: (node) => … }).',
    );
  checked(options as object, optionsField, { who: `fromClass(${type.name})`, noun: 'option', error: BadSystem });
}
