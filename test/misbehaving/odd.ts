import { expect, test } from 'vitest';
import { behavior, CulpritError, defineSystem, generate, search, send, type System, type World } from 'culprit';
import type { AnyBehavior, Context } from 'culprit/kernel';

/**
 * User code that misbehaves, and the expected report: the violation, or the error and the next step. Every report names
 * process and event, and never blames culprit. Modules that misbehave while they are loaded, and processes that are
 * ended or kept from ending, are elsewhere: they need a command.
 */
export type Misbehaviors = Readonly<Record<string, readonly [system: System, ...said: string[]]>>;

export const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
export const trap = (): never => {
  throw new Error('trap');
};
export const proxy = (): unknown => new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap, ownKeys: trap });
export const bare = (): unknown => Object.create(null);
export const unreadable = (): Error => Object.defineProperty(new Error('x'), 'message', { get: trap });
export const circular = (): Error => {
  const error = new Error('x');
  error.cause = error;
  return error;
};
export const deep = (): object => {
  let data: object = {};
  for (let depth = 0; depth < 50_000; depth++) data = { data };
  return data;
};

export const idle = behavior<object, unknown>({ start: () => ({}), receive() {} });
type Ctx = Context<unknown>;

/** A process that does this when it gets a message. */
export const handling = (receive: (ctx: Ctx, state: object) => unknown): System =>
  defineSystem({
    processes: {
      a: behavior<object, unknown>({
        start: () => ({}),
        receive: (state, _message, ctx) => receive(ctx, state) as void,
      }),
    },
    workload: [send('a', 'x')],
  });
export const throwing = (thrown: () => unknown): System =>
  handling(() => {
    throw thrown();
  });
export const starting = (state: () => unknown): System =>
  defineSystem({ processes: { a: behavior<object, unknown>({ start: () => state() as object, receive() {} }) } });
export const judging = (invariant: (world: World) => unknown): System =>
  defineSystem({ processes: { a: idle }, invariants: { odd: invariant as () => boolean } });
export const judgingThrows = (thrown: () => unknown): System =>
  judging(() => {
    throw thrown();
  });
export const drawing = (draw: () => unknown): System =>
  defineSystem({ processes: { a: idle }, workload: [generate(3, [1, { generate: draw } as never])] });
export const called = (...names: readonly string[]): System =>
  defineSystem({
    processes: Object.fromEntries(names.map((name): [string, AnyBehavior] => [name, idle])),
    workload: names.map((name) => send(name, 'x')),
    invariants: { quiet: ({ last }) => last?.kind !== 'deliver' || `${last.process} got something` },
  });

export const PLAIN =
  'States, messages and disk values are primitives, arrays, plain objects, Map and Set, with ordinary fields: keep the data, leave out the behavior.';
export const FEWER = 'Keep fewer or shorter data: small systems show most bugs.';
export const ONLY_HANDLERS = 'Fix the exception. (Exceptions are violations only inside handlers.)';
export const AT_ONCE = 'Fix it: invariants, oracles, waits and generators must return quickly.';
export const INVARIANT =
  'An invariant returns what it finds. A process that is down has no state: ask world.up(…), or use `?.`.';
export const SPELLING = 'Check the spelling, or declare the process in `processes` or its kind in `kinds`.';

/** One test for each: the CPU limit of handlers is short if the code does not return. */
export const testAll = (table: Misbehaviors): void =>
  test.each(Object.entries(table))('%s', async (name, [system, ...said]) => {
    expect(await reportOf(system, name.includes('loops forever') ? 100 : 20_000)).toEqual(said);
  });

/** The first lines of the report. */
async function reportOf(system: System, handlerMs: number): Promise<string[]> {
  const lines = (text: string): string => (text.length > 200 ? `${text.slice(0, 80)}… ${text.slice(-40)}` : text);
  try {
    const { findings, executions } = await search(system, { executions: 2, eventsMax: 150, handlerMs });
    const [finding] = findings;
    if (finding === undefined) return [`nothing found in ${executions} executions`];
    const { verdict } = finding.trace;
    return verdict.verdict === 'violated' ? [lines(`${verdict.oracle}: ${verdict.message}`)] : [];
  } catch (error) {
    if (error instanceof CulpritError) return [lines(error.message.split('\n')[0] as string), error.next];
    throw error;
  }
}
