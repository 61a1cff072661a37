import fc from 'fast-check';
import { describe, expectTypeOf, test } from 'vitest';
import {
  act,
  behavior,
  check,
  crash,
  cut,
  defineSystem,
  doctor,
  fromClass,
  generate,
  heal,
  hunt,
  minimize,
  pause,
  search,
  send,
  start,
  untilQuiet,
  type Behavior,
  type Context,
  type HuntOptions,
  type Io,
  type System,
} from 'culprit';
import { strategyCalled, type AnyBehavior, type PassName, type StrategyName } from 'culprit/kernel';
import type { External, Trace } from 'culprit/trace';

/** The compiler checks this file (`npm run check`): a line marked as an error must be one, and every other line must be none. */

type Request = { type: 'acquire' } | { type: 'release' };
type Answer = { type: 'granted' };

const lock = behavior<{ holder: string | null }, Request, string, Answer>({
  start: () => ({ holder: null }),
  receive(_state, _message, ctx) {
    ctx.send(ctx.from, { type: 'granted' });
  },
});

const client = behavior<{ holds: boolean }, Answer, 'enough', Request>({
  start: () => ({ holds: false }),
  receive() {},
});

const processes = { lock, 'client-1': client, 'client-2': client };

/** Only the compiler looks at it. */
const unexecuted = (_lines: () => unknown): void => {};

describe('names of processes', () => {
  test('are checked in the workload, where the system declares them', () => {
    const system = defineSystem({
      processes,
      workload: [
        send('lock', { type: 'acquire' }),
        crash('client-1'),
        pause('lock'),
        untilQuiet(),
        cut('lock', ['client-1', 'client-2']),
        heal(),
        heal('lock', 'client-1'),
        start('client-2'),
        act('anything'),
        // @ts-expect-error -- no such process
        send('lokc', { type: 'acquire' }),
        // @ts-expect-error -- no such process
        crash('client-3'),
        // @ts-expect-error -- no such process
        pause('client-3'),
        // @ts-expect-error -- no such process
        start('client-3'),
        // @ts-expect-error -- no such process
        cut('lock', ['client-1', 'client-3']),
        // @ts-expect-error -- no such process
        heal('client-3', 'lock'),
      ],
      triggers: [
        { after: ({ kind }) => kind === 'fire', do: crash('lock') },
        // @ts-expect-error -- no such process
        { after: ({ kind }) => kind === 'fire', do: crash('lokc') },
      ],
      actions: {
        reboot: () => [crash('lock'), start('lock')],
        // @ts-expect-error -- no such process
        typo: () => [crash('lokc')],
      },
    });
    expectTypeOf(system).toEqualTypeOf<System>();
  });

  test('are checked in what is generated', () => {
    const system = defineSystem({
      processes,
      workload: [
        generate(3, [1, fc.constantFrom('client-1', 'client-2').map((name) => crash(name))]),
        generate(3, [1, fc.constant([crash('client-1'), start('client-1')])]),
        // @ts-expect-error -- no such process
        generate(3, [1, fc.constant(crash('client-3'))]),
        // @ts-expect-error -- no such process
        generate(3, [1, fc.constant(crash('lock'))], [1, fc.constant([crash('client-3')])]),
      ],
    });
    expectTypeOf(system).toEqualTypeOf<System>();
  });

  test('are any where the compiler does not know them', () => {
    const names: readonly string[] = ['client-1', 'client-2'];
    const given: readonly External<Request>[] = [crash('lock'), send('client-1', { type: 'release' })];
    defineSystem({ processes, workload: [...names.map((name) => crash(name)), ...given] });
    defineSystem({ processes, workload: [1, 2].map((n) => crash(`client-${n}`)) });
    defineSystem({ processes, workload: [{ kind: 'crash', process: 'lock' }] });
    const many: Readonly<Record<string, AnyBehavior>> = Object.fromEntries(names.map((name) => [name, client]));
    defineSystem({ processes: many, workload: [crash('client-1')] });
    // A process that joins may have any name.
    const joined = [start('new', 'client'), crash('new')];
    expectTypeOf(
      defineSystem({ processes, kinds: { client: () => client }, workload: joined }),
    ).toEqualTypeOf<System>();
  });

  test('go with the messages that the process takes', () => {
    const system = defineSystem({
      processes,
      workload: [
        send('client-1', { type: 'granted' }),
        // @ts-expect-error -- the lock takes no answers
        send('lock', { type: 'granted' }),
        // @ts-expect-error -- no process takes this
        send('lock', { type: 'grab' }),
        // Given the type of its message, `send` does not know the name.
        send<Request>('client-1', { type: 'acquire' }),
      ],
    });
    expectTypeOf(system).toEqualTypeOf<System>();
  });
});

test('what a process takes and what it sends are two types', () => {
  behavior<object, Request, 'again', Answer>({
    start(ctx) {
      expectTypeOf(ctx).toEqualTypeOf<Context<Request, 'again', Answer>>();
      return {};
    },
    async receive(_state, message, ctx) {
      expectTypeOf(message).toEqualTypeOf<Request>();
      ctx.reply({ type: 'granted' });
      expectTypeOf(await ctx.ask('client', { type: 'granted' })).toEqualTypeOf<Request>();
      // @ts-expect-error -- a request is taken, and not sent
      ctx.send('client', { type: 'acquire' });
    },
    returned(_state, message) {
      expectTypeOf(message).toEqualTypeOf<Answer>();
    },
  });
  expectTypeOf<Behavior<object, Request>>().toEqualTypeOf<Behavior<object, Request, string, Request>>();
  defineSystem({
    processes,
    invariants: {
      typed(world) {
        expectTypeOf(world.up(client)[0]?.state.holds).toEqualTypeOf<boolean | undefined>();
        return true;
      },
    },
  });
});

describe('names of processes that a behavior knows', () => {
  type Name = 'lock' | 'client-1' | 'client-2';

  const known = behavior<{ holder: Name | null }, Request, string, Answer, Name>({
    start: () => ({ holder: null }),
    async receive(state, _message, ctx) {
      expectTypeOf(ctx).toEqualTypeOf<Context<Request, string, Answer, Name>>();
      ctx.send('client-1', { type: 'granted' });
      ctx.send(ctx.from, { type: 'granted' });
      for (const peer of ctx.peers) ctx.send(peer, { type: 'granted' });
      if (ctx.from === 'environment') return;
      state.holder = ctx.from;
      await ctx.ask(ctx.from, { type: 'granted' });
      // @ts-expect-error -- no such process
      ctx.send('client-3', { type: 'granted' });
      // @ts-expect-error -- no such process
      await ctx.ask('client-3', { type: 'granted' });
      // @ts-expect-error -- any name
      ctx.send(String(ctx.step), { type: 'granted' });
      // @ts-expect-error -- no such process
      if (ctx.from === 'client-3') state.holder = null;
    },
    returned(_state, _message, to) {
      expectTypeOf(to).toEqualTypeOf<Name>();
    },
  });

  test('come from the annotated context, where the rest is inferred', () => {
    const inferred = behavior({
      start: () => ({ count: 0 }),
      receive(state, message: Request, ctx: Context<Request, string, Request, Name>) {
        expectTypeOf(state).toEqualTypeOf<{ count: number }>();
        ctx.send('lock', message);
        // @ts-expect-error -- no such process
        ctx.send('lokc', message);
      },
    });
    expectTypeOf(inferred).toEqualTypeOf<Behavior<{ count: number }, Request, string, Request, Name>>();
  });

  test('must be declared by the system', () => {
    const declared = defineSystem({ processes: { lock: known, 'client-1': client, 'client-2': client } });
    expectTypeOf(declared).toEqualTypeOf<System>();
    // @ts-expect-error -- the lock knows a second client
    defineSystem({ processes: { lock: known, 'client-1': client } });
    const shadowed = behavior<object, Request, string, Request, 'lock' | `client-${number}`>({
      start: () => ({}),
      receive() {},
    });
    // A pattern is a name that the compiler does not know.
    defineSystem({ processes: { lock: shadowed, client: shadowed } });
    // @ts-expect-error -- there is no lock
    defineSystem({ processes: { lokc: shadowed } });
    defineSystem({ processes: { one: known }, kinds: { client: () => client } });
    const many: Readonly<Record<string, AnyBehavior>> = { known };
    defineSystem({ processes: many });
    const records: Readonly<Record<string, typeof known>> = { known };
    defineSystem({ processes: records });
  });

  test('are checked in classes', () => {
    class Client {
      holds = false;
      constructor(io: Io<Name>) {
        io.send('lock', { type: 'acquire' });
        // @ts-expect-error -- no such process
        io.send('lokc', { type: 'acquire' });
        // @ts-expect-error -- no such process
        void io.ask('lokc', { type: 'acquire' });
      }
    }
    const view = ({ holds }: Client): { holds: boolean } => ({ holds });
    const constructed = fromClass(Client, { receive: () => {}, view });
    const created = fromClass(Client, {
      create: (io: Io<Name>) => new Client(io),
      receive(_object, _message: Answer, from) {
        expectTypeOf(from).toEqualTypeOf<Name | 'environment'>();
      },
      view,
    });
    const declared = defineSystem({ processes: { lock, 'client-1': constructed, 'client-2': created } });
    expectTypeOf(declared).toEqualTypeOf<System>();
    // @ts-expect-error -- the client knows a second one
    defineSystem({ processes: { lock, 'client-1': constructed } });
    // @ts-expect-error -- the client knows a second one
    defineSystem({ processes: { lock, 'client-1': created } });
  });

  test('leave the types of states and messages as they are', () => {
    const system = defineSystem({
      processes: { lock: known, 'client-1': client, 'client-2': client },
      workload: [send('lock', { type: 'acquire' })],
      invariants: {
        typed(world) {
          expectTypeOf(world.process('lock').state).toEqualTypeOf<{ holder: Name | null } | undefined>();
          expectTypeOf(world.up(known)[0]?.state.holder).toEqualTypeOf<Name | null | undefined>();
          return true;
        },
      },
    });
    expectTypeOf(system).toEqualTypeOf<System>();
  });
});

describe('states', () => {
  interface Tree {
    readonly value: number;
    readonly children: readonly Tree[];
  }

  test('are plain data', () => {
    interface State {
      tree: Tree;
      byName: Map<string, Set<bigint>>;
      rest: unknown;
      last?: [number, string];
    }
    const begun = (): State => ({ tree: { value: 1, children: [] }, byName: new Map(), rest: null });
    expectTypeOf(behavior({ start: begun, receive(_state, _message: string) {} })).toEqualTypeOf<
      Behavior<State, string>
    >();
    // @ts-expect-error -- a function cannot be copied
    behavior<{ callback: () => void }, string>({ start: () => ({ callback: () => {} }), receive() {} });
    // @ts-expect-error -- nor can one that is deep inside
    behavior<{ jobs: { run?: () => void }[] }, string>({ start: () => ({ jobs: [] }), receive() {} });
    // @ts-expect-error -- nor an object of a class with methods
    behavior<{ at: Date }, string>({ start: () => ({ at: new Date(0) }), receive() {} });
    // @ts-expect-error -- nor a promise in a map
    behavior<{ waiting: Map<string, Promise<void>> }, string>({ start: () => ({ waiting: new Map() }), receive() {} });
    // @ts-expect-error -- nor a symbol, also where the type is inferred
    behavior({ start: () => ({ id: Symbol('x') }), receive() {} });
  });

  test('of classes are plain data in their view', () => {
    class Cell {
      value = 0;
    }
    const cell = fromClass(Cell, { receive: () => {}, view: ({ value }) => ({ value }) });
    expectTypeOf<ReturnType<typeof cell.view>>().toEqualTypeOf<{ value: number }>();
    // @ts-expect-error -- a view without data
    fromClass(Cell, { receive: () => {}, view: ({ value }) => ({ read: () => value }) });
  });
});

test('parameters are set by their names and types', () => {
  const system = defineSystem({ nodes: 3, bug: 'none', strict: true }, () => defineSystem({ processes }));
  unexecuted(() => [
    hunt(system, { set: { nodes: 5, strict: false } }),
    search(system, { set: { bug: 'raft-45' } }),
    check(system, { set: {} }),
    doctor(() => Promise.resolve(system), { set: { nodes: 1 } }),
    // @ts-expect-error -- no such parameter
    hunt(system, { set: { node: 5 } }),
    // @ts-expect-error -- a number
    search(system, { set: { nodes: '5' } }),
    // @ts-expect-error -- no such parameter
    check(system, { set: { node: 5 } }),
    // @ts-expect-error -- a flag
    doctor(system, { set: { strict: 'yes' } }),
  ]);
  const options: HuntOptions<typeof system.parameters> = { set: { nodes: 5 } };
  const any: System = system;
  unexecuted(() => [hunt(system, options), hunt(any, { set: { whatever: 1 } }), hunt(any, { executions: 1 })]);
  expectTypeOf(system.parameters).toEqualTypeOf<{
    readonly nodes: number;
    readonly bug: string;
    readonly strict: boolean;
  }>();
});

test('strategies and passes have names that the compiler knows', () => {
  const system = defineSystem({ processes });
  const trace = {} as Trace;
  unexecuted(() => [
    hunt(system, { strategy: 'pos' }),
    search(system, { strategy: ['random', 'pct:4', 'pctcp'] }),
    strategyCalled('round-robin'),
    minimize(system, trace, { passes: ['provenance', 'externals:type', 'single:place:skip', 'stssched'] }),
    // @ts-expect-error -- no such strategy
    hunt(system, { strategy: 'rendom' }),
    // @ts-expect-error -- only pct and pctcp take a depth
    search(system, { strategy: ['pos:3'] }),
    // @ts-expect-error -- no such strategy
    strategyCalled('best'),
    // @ts-expect-error -- no such pass
    minimize(system, trace, { passes: ['provenence'] }),
    // @ts-expect-error -- no such way of matching
    minimize(system, trace, { passes: ['externals:color'] }),
  ]);
  expectTypeOf<'pct:3'>().toExtend<StrategyName>();
  expectTypeOf<'swaps:place'>().toExtend<PassName>();
});
