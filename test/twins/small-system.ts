import { behavior, crash, defineSystem, restart, send, type Context, type Oracle, type System } from 'culprit';
import fc from 'fast-check';

/**
 * Systems so small that their executions can be inspected: processes that count to about three, and do in each event
 * what a table says. Two counts must not occur together, perhaps after a restart.
 */
export interface Table {
  /** By process, by what happens (one of the messages, or the timer), by the count. */
  readonly deeds: readonly (readonly (readonly Deed[])[])[];
  readonly wrong: readonly [one: number, other: number];
  /** The number of restarts of `b` that the violation requires. */
  readonly restarts: number;
  readonly environment: readonly ('send 0' | 'send 1' | 'crash' | 'restart')[];
  readonly order: 'fifo' | 'unordered';
  readonly losses: number;
  /** Whether handlers await their writes. */
  readonly awaits: boolean;
}

interface Deed {
  readonly next: number;
  readonly says: number | undefined;
  readonly setsTimer: boolean;
  /** Counts to two if it is late already. */
  readonly looksAtClock: boolean;
}

const NAMES = ['a', 'b'] as const;
const MESSAGES = 2;
const LATE_MS = 15;

const deedsTo = (counts: number): fc.Arbitrary<Deed> =>
  fc.record({
    next: fc.nat(counts - 1),
    says: fc.option(fc.nat(MESSAGES - 1), { nil: undefined, freq: 1 }),
    setsTimer: fc.nat(3).map((n) => n === 0),
    looksAtClock: fc.nat(5).map((n) => n === 0),
  });

const exactly = <T>(arbitrary: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: length, maxLength: length });

/** The higher they count, the later the violation. */
export const tables = (counts: number): fc.Arbitrary<Table> =>
  fc.record({
    deeds: exactly(exactly(exactly(deedsTo(counts), counts), MESSAGES + 1), NAMES.length),
    wrong: fc.tuple(fc.nat(counts - 1), fc.integer({ min: 1, max: counts - 1 })),
    environment: fc.array(fc.constantFrom('send 0', 'send 1', 'send 0', 'crash', 'restart'), { maxLength: counts }),
    restarts: fc.nat(3).map((n) => (n === 0 ? 1 : 0)),
    order: fc.constantFrom('fifo', 'unordered'),
    losses: fc.nat(1),
    awaits: fc.nat(4).map((n) => n === 0),
  });

/** With further oracles on request. */
export function smallSystem(table: Table, oracles: Readonly<Record<string, Oracle>> = {}): System {
  const { deeds, wrong, restarts, environment, order, losses, awaits } = table;
  const processes = Object.fromEntries(NAMES.map((name, at) => [name, counter(at, deeds[at] ?? [], awaits)]));
  const externals = { 'send 0': send('a', 0), 'send 1': send('b', 1), crash: crash('b'), restart: restart('b') };
  return defineSystem({
    processes,
    transport: order,
    faults: { losses },
    workload: environment.map((what) => externals[what]),
    oracles,
    invariants: {
      counts(world) {
        const [one, other] = NAMES.map((name) => world.process(name).state);
        const isEarly = world.process('b').restarts < restarts;
        return isEarly || one?.count !== wrong[0] || other?.count !== wrong[1] || 'both have come this far';
      },
    },
  });
}

interface State {
  count: number;
}

function counter(at: number, deeds: readonly (readonly Deed[])[], awaits: boolean) {
  const other = NAMES[1 - at] as string;
  const happen = (state: State, what: number, ctx: Context<number>): void => {
    const deed = deeds[what]?.[state.count] as Deed;
    state.count = deed.looksAtClock && ctx.nowMs > LATE_MS ? 2 : deed.next;
    if (deed.says !== undefined) ctx.send(other, deed.says);
    if (deed.setsTimer) ctx.setTimer('later', 10);
  };
  const later = async (state: State, what: number, ctx: Context<number>): Promise<void> => {
    await ctx.disk.write('count', state.count);
    happen(state, what, ctx);
  };
  return behavior<State, number>({
    start(ctx) {
      ctx.setTimer('later', 10);
      if (at === 0) ctx.send(other, 0);
      return { count: 0 };
    },
    receive: awaits ? later : happen,
    timer: (state, _timer, ctx) => happen(state, MESSAGES, ctx),
  });
}
