/* oxlint-disable no-console -- printing is what is tested */
import { behavior, defineSystem, replay, search, send, type Context, type System } from 'culprit';
import { writeTrace, type Trace } from 'culprit/trace';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

type Print = (ctx: Context<string>) => void | Promise<void>;

/** A process that prints when it gets a message; then an invariant is violated. */
const printing = (print: Print, more: () => void = () => {}): System => {
  const a = behavior({
    start: () => ({ isDone: false }),
    async receive(state, _message: string, ctx: Context<string>) {
      await print(ctx);
      state.isDone = true;
    },
  });
  const invariants = {
    notDone: (world: { up(of: typeof a): readonly { state: { isDone: boolean } }[] }): boolean => {
      more();
      return world.up(a).every(({ state }) => !state.isDone);
    },
  };
  return defineSystem({ processes: { a }, workload: [send('a', 'go')], invariants });
};

const traceOf = async (system: System, verbose = false): Promise<Trace> => {
  const { findings } = await search(system, { executions: 3, verbose });
  return (findings[0] as { trace: Trace }).trace;
};

const logsOf = ({ events }: Trace): string[][] => events.flatMap(({ log }) => (log === undefined ? [] : [log]));

/** The output to standard output, standard error and the console of the test runner. */
function reaching(): string[] {
  const reached: string[] = [];
  const note = (...args: unknown[]): boolean => reached.push(args.join(' ')) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(note),
    vi.spyOn(process.stderr, 'write').mockImplementation(note),
    ...(['log', 'error', 'warn', 'table'] as const).map((name) => vi.spyOn(console, name).mockImplementation(note)),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return reached;
}

describe('prints of a handler are stored with its event:', () => {
  const error = Object.assign(new Error('boom', { cause: new Error('deeper') }), { code: 'X' });

  test.each<[string, Print, string[]]>([
    [
      'console.log',
      () => console.log('%s is %d', 'one', 1, { a: [{ b: new Map([[1, 2]]) }] }),
      ['one is 1 { a: [ { b: Map(1) { 1 => 2 } } ] }'],
    ],
    [
      'every method',
      () => {
        console.info('info');
        console.debug('debug');
        console.warn('warn');
        console.dir({ a: 1 });
        console.assert(false, 'no');
        console.assert(true, 'yes');
      },
      ['info', 'debug', 'warn', '{ a: 1 }', 'Assertion failed: no'],
    ],
    [
      'an error, without where it was',
      () => console.error(error),
      ["Error: boom {\n  code: 'X',\n  [cause]: Error: deeper\n}"],
    ],
    ['console.trace, without where it was', () => console.trace('here'), ['Trace: here']],
    [
      'times, which are not measured',
      () => {
        console.time('t');
        console.timeEnd('t');
      },
      ['t: not measured'],
    ],
    [
      'counts and groups',
      () => {
        console.count();
        console.count();
        console.group('of two');
        console.log('one');
        console.groupEnd();
        console.log('two');
      },
      ['default: 1', 'default: 2', 'of two', '  one', 'two'],
    ],
    [
      'streams',
      () => {
        process.stdout.write('text\n');
        process.stderr.write(new TextEncoder().encode('bytes'));
      },
      ['text', 'bytes'],
    ],
    ['long text, cut', () => console.log('x'.repeat(5_000)), [`${'x'.repeat(4_096)}… (5000 characters in all)`]],
    [
      'what it prints beside ctx.log, in order',
      (ctx) => {
        console.log('one');
        ctx.log('two');
        console.log('three');
      },
      ['one', 'two', 'three'],
    ],
  ])('%s', async (_what, print, expected) => {
    const reached = reaching();
    const system = printing(print);
    const trace = await traceOf(system);
    expect(logsOf(trace)).toEqual([expected]);
    expect(writeTrace(await replay(system, trace))).toBe(writeTrace(trace));
    expect(writeTrace(await traceOf(system))).toBe(writeTrace(trace));
    expect(reached).toEqual([]);
  });

  test('no more than a thousand lines of an event', async () => {
    const [lines = []] = logsOf(
      await traceOf(printing(() => Array.from({ length: 1_200 }, (_, at) => console.log(at)).length as never)),
    );
    expect(lines.length).toBe(1_001);
    expect(lines.slice(-2)).toEqual(['999', '… and more: only the first 1000 lines are kept']);
  });

  test('after an await, with the event that is under way then', async () => {
    const trace = await traceOf(
      printing(async (ctx) => {
        console.log('before');
        await ctx.sleep(5);
        console.log('after');
        await Promise.resolve();
        console.log('still after');
        await new Promise<void>((resolve) => {
          process.stdout.write('written', () => resolve());
        });
        await ctx.disk.write('key', 1);
        console.log('at last');
      }),
    );
    expect(trace.events.map(({ kind, log }) => [kind, log])).toEqual([
      ['start', undefined],
      ['send', undefined],
      ['deliver', ['before']],
      ['complete', ['after', 'still after', 'written']],
      ['complete', ['at last']],
    ]);
  });
});

test('prints outside handlers are printed as usual, also while an execution is under way', async () => {
  const reached = reaching();
  const searching = search(
    printing(async (ctx) => {
      console.log('of the handler');
      await ctx.sleep(1);
    }),
    { executions: 200 },
  );
  console.log('of the test');
  await searching;
  console.log('of the test, later');
  process.stdout.write('written');
  expect(reached).toEqual(['of the test', 'of the test, later', 'written']);
});

test('a console that was replaced after executions is used, and may be restored', async () => {
  const { log } = console;
  await traceOf(printing(() => console.log('x')));
  const said: unknown[] = [];
  console.log = (...args: unknown[]) => void said.push(...args);
  await traceOf(printing(() => console.log('x')));
  console.log('mine');
  console.log = log;
  expect(said).toEqual(['mine']);
  expect(console.log).toBe(log);
  await vi.waitFor(() => expect(Object.getOwnPropertyDescriptor(console, 'log')?.value).toBe(log));
});

describe('verbose', () => {
  test('shows on standard error what the system prints', async () => {
    const reached = reaching();
    await traceOf(
      printing(
        () => console.log('hello'),
        () => console.warn('asked'),
      ),
      true,
    );
    expect(reached.slice(0, 4)).toEqual(['asked\n', 'asked\n', 'asked\n', 'a, event 3: hello\n']);
    expect(new Set(reached)).toEqual(new Set(['asked\n', 'a, event 3: hello\n']));
  });

  test('ends with the call that requested it; prints of an invariant have no event', async () => {
    const reached = reaching();
    const trace = await traceOf(
      printing(
        () => {},
        () => console.warn('asked'),
      ),
    );
    expect(logsOf(trace)).toEqual([]);
    expect(reached).toEqual([]);
  });
});

test('a message is printed with its keys in the same order in a replay', async () => {
  const a = behavior<{ n: number }, { type: string; n: number }>({
    start: () => ({ n: 0 }),
    receive(state, message) {
      console.log(JSON.stringify(message));
      state.n = message.n;
    },
  });
  const invariants = {
    none: (world: { process(name: 'a'): { state?: { n: number } | undefined } }) => world.process('a').state?.n !== 2,
  };
  const system = defineSystem({ processes: { a }, workload: [send('a', { type: 'set', n: 2 })], invariants });
  const trace = await traceOf(system);
  expect(logsOf(trace)).toEqual([['{"n":2,"type":"set"}']]);
  expect(writeTrace(await replay(system, trace))).toBe(writeTrace(trace));
});
