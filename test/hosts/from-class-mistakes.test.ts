import { describe, expect, test } from 'vitest';
import { CulpritError, defineSystem, fromClass, search, send, type Io } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';

/** A class that does as a test says. */
class Subject {
  constructor(
    readonly io: Io,
    readonly act: (io: Io) => unknown,
  ) {}
}

const made = (act: (io: Io) => unknown, view: (object: Subject) => object = () => ({})): AnyBehavior =>
  fromClass(Subject, {
    create: (io) => new Subject(io, act),
    receive: (object) => object.act(object.io),
    view,
  });

const idle = made(() => undefined);
const system = (a: AnyBehavior) =>
  defineSystem({ processes: { b: idle, a }, workload: [send('b', 'first'), send('a', 'go')] });

const oh = (): never => {
  throw new Error('oh');
};

describe('an exception is a violation of the process in which it happened:', () => {
  const ways: [string, (io: Io) => unknown, string][] = [
    ['in a method', oh, 'deliver'],
    ['in a promise that a method returns', () => Promise.resolve().then(oh), 'deliver'],
    ['in a promise that no method returns', () => void Promise.resolve().then(oh), 'deliver'],
    ['in the callback of a timer', (io) => io.setTimeout(oh, 10), 'fire'],
    ['in a promise of the callback of a timer', (io) => io.setTimeout(() => Promise.resolve().then(oh), 10), 'fire'],
    ['after a sleep', (io) => void io.sleep(10).then(oh), 'complete'],
    ['after a write', (io) => io.storage.write('key', 1).then(oh), 'complete'],
  ];

  test.each(ways)('%s', async (_where, act, kind) => {
    const { findings } = await search(system(made(act)), { executions: 5 });
    const [found] = findings;
    expect(found?.trace.verdict).toMatchObject({
      verdict: 'violated',
      oracle: 'noUncaughtException',
      message: 'a threw Error: oh',
      processes: ['a'],
    });
    expect(found?.trace.events.at(-1)).toMatchObject({ kind, process: 'a' });
  });

  test('in create', async () => {
    const a = fromClass(Subject, { create: oh, receive: () => undefined, view: () => ({}) }) as AnyBehavior;
    const { findings } = await search(system(a), { executions: 1 });
    expect(findings[0]?.trace.verdict).toMatchObject({ message: 'a threw Error: oh' });
    expect(findings[0]?.trace.events.at(-1)).toMatchObject({ kind: 'start', process: 'a' });
  });
});

describe('a view that is no plain data is named, with its process and event:', () => {
  class Account {}
  const loop = new Map<string, unknown>();
  loop.set('loop', loop);

  const problem = async (view: (object: Subject) => object): Promise<string> => {
    const error: unknown = await search(system(made(() => undefined, view))).catch((thrown: unknown) => thrown);
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof CulpritError)) throw new Error('nothing is wrong');
    return `${cause.code}: ${cause.message} ${cause.next}`;
  };

  const hint =
    'Return data from `view` and nothing else: primitives, arrays, plain objects, Map and Set, such as { role, log: [...log] }.';

  test.each<[string, (object: Subject) => unknown, string]>([
    ['an exception', oh, 'SYSTEM_THREW: the view of a after event 2 threw: Error: oh'],
    [
      'a number',
      () => 7,
      'BAD_VIEW: a: its view after event 2 is 7, which invariants cannot look at. Return an object of plain data from `view`, such as { role, log: [...log] }.',
    ],
    [
      'nothing',
      () => undefined,
      'BAD_VIEW: a: its view after event 2 is undefined, which invariants cannot look at. Return an object of plain data from `view`, such as { role, log: [...log] }.',
    ],
    [
      'what io gives, which only events may use',
      ({ io }) => ({ stored: io.storage.peek('key') }),
      'BUSY_VIEW: a: its view after event 2 used ctx.disk (in a class: io.storage), which only code of an event may use. Return data from `view` that the object has. Invariants see the storage without it: world.process("a").disk.get(key).',
    ],
    [
      'the object itself',
      () => new Account(),
      `NOT_PLAIN_DATA: a: the view after event 2 is an instance of Account, which is not plain data. ${hint}`,
    ],
    [
      'an object of a class in it',
      () => ({ accounts: [new Account()] }),
      `NOT_PLAIN_DATA: a: the view after event 2.accounts.0 is an instance of Account, which is not plain data. ${hint}`,
    ],
    [
      'a function',
      () => ({ oh }),
      `NOT_PLAIN_DATA: a: the view after event 2.oh is the function oh, which is not plain data. ${hint}`,
    ],
    [
      'a promise',
      () => ({ later: Promise.resolve() }),
      `NOT_PLAIN_DATA: a: the view after event 2.later is an instance of Promise, which is not plain data. ${hint}`,
    ],
  ])('%s', async (_what, view, expected) => {
    expect(await problem(view as (object: Subject) => object)).toContain(expected);
  });

  test('but a Map that holds itself is plain data', async () => {
    const { findings, executions } = await search(
      system(
        made(
          () => undefined,
          () => ({ loop }),
        ),
      ),
      { executions: 3 },
    );
    expect([findings, executions]).toEqual([[], 3]);
  });
});

test('what fromClass is given is checked', () => {
  const wrong = (...given: unknown[]): string => {
    try {
      (fromClass as (...args: unknown[]) => unknown)(...given);
    } catch (error) {
      return (error as CulpritError).message;
    }
    return 'nothing is wrong';
  };
  const options = { receive: () => undefined, view: () => ({}) };
  expect(wrong(new Subject({} as Io, oh), options)).toMatch(/^fromClass takes a class, not /);
  expect(wrong(Subject)).toMatch(/^fromClass\(Subject\) /);
  expect(wrong(Subject, { view: options.view })).toMatch(/^fromClass\(Subject\) .*receive/);
  expect(wrong(Subject, { ...options, views: oh })).toBe('fromClass(Subject) has no option views: did you mean view?');
  expect(wrong(Subject, { ...options, view: 7 })).toMatch(/view.*7/);
});

test('processes of a kind join later, and their objects are made then', async () => {
  class Worker {
    readonly #io: Io;
    readonly #task: unknown;
    constructor(io: Io, task: unknown) {
      this.#io = io;
      this.#task = task;
      io.send('boss', { done: task });
    }
    get seen(): object {
      return { name: this.#io.self, task: this.#task };
    }
  }
  const boss: AnyBehavior = {
    start(ctx) {
      for (const task of [1, 2]) ctx.spawn('worker', task);
      return { done: [] as unknown[] };
    },
    receive(state, message) {
      (state as { done: unknown[] }).done.push(message);
    },
  };
  const worker = (task: unknown): AnyBehavior =>
    fromClass(Worker, {
      create: (io) => new Worker(io, task),
      receive: () => undefined,
      view: ({ seen }) => seen,
    });
  const shown = new Set<string>();
  const { findings } = await search(
    defineSystem({
      processes: { boss },
      kinds: { worker },
      invariants: {
        shows(world) {
          for (const { name, state } of world.up()) if (name !== 'boss') shown.add(JSON.stringify(state));
          return true;
        },
      },
    }),
    { executions: 5 },
  );
  expect(findings).toEqual([]);
  expect([...shown].sort()).toEqual(['{"name":"boss/worker-1","task":1}', '{"name":"boss/worker-2","task":2}']);
});
