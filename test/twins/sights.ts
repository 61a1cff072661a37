import { check, defineSystem, type CheckOptions } from 'culprit';
import type { CheckReport, ProcessView, Sampled, World } from 'culprit/kernel';
import { Random, type AnyBehavior, type Context, type Invariant, type Oracle } from 'culprit/kernel';
import { deeds, type Feature } from './deeds.ts';

/** The visible data of `deeds` besides counts: parts that come and go, are deep, or keep an order. */
interface Shown {
  count: number;
  turns: number;
  /** Made again each time. */
  deep?: { n: number; list: number[] };
  log: Map<string, number>;
  /** Keys that come and go. */
  bag: { x?: number; y: number };
  odd?: boolean;
  wide?: undefined;
}

/** After every event, the visible data follows from the count. */
function show(state: Shown): void {
  const { count } = state;
  state.deep = { n: count % 3, list: Array.from({ length: count % 2 }, () => count) };
  state.log ??= new Map();
  if (count % 2 === 0) state.log.set(`k${count}`, 1);
  state.bag ??= { x: 1, y: 1 };
  // `x` moves behind `y`.
  if (count === 1 || count === 2) {
    delete state.bag.x;
    state.bag.x = 1;
  }
  if (count % 2 === 1) state.odd = true;
  else delete state.odd;
  if (count >= 3) state.wide = undefined;
  else delete state.wide;
}

/** The same behavior, with more visible data. */
function showing(given: AnyBehavior, spawns: boolean): AnyBehavior {
  const then = (state: object, result: void | Promise<void>): void | Promise<void> =>
    result === undefined ? show(state as Shown) : result.then(() => show(state as Shown));
  const before = ({ count, turns }: Shown, ctx: Context<unknown>): void => {
    if (count === 2) ctx.history.call(turns);
    if (spawns && count % 2 === 1) ctx.spawn('child');
  };
  return {
    ...given,
    start(ctx) {
      const state = given.start(ctx) as Shown;
      show(state);
      return state;
    },
    receive(state, message, ctx) {
      before(state as Shown, ctx);
      return then(state, given.receive(state, message, ctx));
    },
    timer: (state, timer, ctx) => then(state, given.timer?.(state, timer, ctx)),
    wrote: (state, key, ctx) => then(state, given.wrote?.(state, key, ctx)),
  };
}

const child: AnyBehavior = { start: () => ({ count: 0, turns: 0 }), receive() {} };

/** The same, with everything in a map. */
function inMap(given: AnyBehavior): AnyBehavior {
  const within = (state: object, act: (own: object) => unknown): void => {
    const map = state as Map<string, unknown>;
    const own = Object.fromEntries(map);
    act(own);
    for (const [key, value] of Object.entries(own)) map.set(key, value);
  };
  return {
    start: (ctx) => new Map(Object.entries(given.start(ctx))),
    receive: (state, message, ctx) => within(state, (own) => given.receive(own, message, ctx)),
    timer: (state, timer, ctx) => within(state, (own) => given.timer?.(own, timer, ctx)),
    wrote: (state, key, ctx) => within(state, (own) => given.wrote?.(own, key, ctx)),
  };
}

type Seen = ProcessView<Shown>;

/** A world, and two of its processes, which are read only on request. */
interface Eyes {
  readonly world: World;
  readonly one: Seen;
  readonly other: Seen;
}

type Look = (eyes: Eyes) => unknown;

const countOf = ({ state }: Seen): number =>
  (state instanceof Map ? (state as Map<string, number>).get('count') : state?.count) ?? -1;
const isOdd = (seen: Seen): boolean => countOf(seen) % 2 === 1;

/** Ways to read worlds. Some read more only after they have seen something. */
export const looks: Readonly<Record<string, Look>> = {
  'two counts': ({ one, other }) => [countOf(one), countOf(other)],
  'three counts': ({ world }) => ['a', 'b', 'c'].map((name) => countOf(world.process(name) as Seen)),
  'a second one, at times': (eyes) => isOdd(eyes.one) && countOf(eyes.other),
  'a second field, at times': ({ one, other }) => countOf(one) === 2 && [other.state?.turns, countOf(other)],
  'a third one, at times': (eyes) =>
    isOdd(eyes.one) && countOf(eyes.other) > 1 && countOf(eyes.world.process('c') as Seen),
  'what lies deep': ({ one, other }) => [one.state?.deep?.n, other.state?.deep?.list],
  'a map': ({ one, other }) => [[...(one.state?.log ?? [])], other.state?.log?.size],
  'the order of keys': ({ one, other }) => [Object.keys(one.state?.bag ?? {}), countOf(other)],
  'the fields there are, at times': ({ one, other }) => isOdd(one) && Object.keys(other.state ?? {}),
  'whether there is a field, at times': ({ one, other }) => isOdd(one) && 'odd' in (other.state ?? {}),
  'whether there is an undefined field': ({ one, other }) => [countOf(one), 'wide' in (other.state ?? {})],
  'an own field': ({ one, other }) => [isOdd(one), Object.hasOwn(other.state ?? {}, 'odd')],
  'a state as text': ({ one, other }) => isOdd(one) && JSON.stringify(other.state),
  'a copy of a state': ({ one, other }) => [isOdd(one), { ...other.state }.turns],
  'all fields by name': ({ one, other }) => {
    const names: string[] = [];
    if (isOdd(one)) for (const name in other.state) names.push(name);
    return names;
  },
  'who is up': ({ world, one }) => [world.up().map(({ name }) => name), countOf(one)],
  'who is up, at times': ({ world, one }) => isOdd(one) && world.up().map(({ name }) => name),
  'who is up, alone': ({ world }) => world.up().map(({ name }) => name),
  'whether somebody was spawned, at times': ({ world, one, other }) =>
    isOdd(one) && isThere(world, `${other.name}/child-1`),
  lives: ({ one, other }) => [one.up, one.restarts, other.up],
  disks: ({ one, other }) => [[...one.disk], countOf(other)],
  'the last event': ({ world: { last }, one }) => [last?.kind, last?.process, countOf(one)],
  'the last event, at times': ({ world, one }) => isOdd(one) && world.last?.process,
  'the last event alone': ({ world: { last } }) => [last?.kind, last?.process],
  'the cause of the last event': ({ world: { last } }) => last?.cause,
  'the last event and operations': ({ world }) => [world.last?.process, world.operations().length],
  'how many events': ({ world: { length }, one }) => [length, countOf(one)],
  'what is pending': ({ world: { pending }, one }) => [pending.length, countOf(one)],
  'what is pending, at times': ({ world, one, other }) =>
    isOdd(one) && isOdd(other) && world.pending.map(({ kind }) => kind).toSorted(),
  operations: ({ world, one }) => [world.operations().map(({ process }) => process), countOf(one)],
  links: ({ world: { cutLinks }, one }) => [cutLinks.length, countOf(one)],
};

function isThere(world: World, name: string): boolean {
  try {
    return world.process(name).name === name;
  } catch {
    return false;
  }
}

/** The features of systems besides messages. */
export type Showing = Feature | 'spawns' | 'maps';

/** The reader: an invariant, or a custom oracle, in worlds or at ends. */
export type Asker = 'invariant' | 'oracle' | 'end' | 'sampled';

export interface Sights {
  readonly report: CheckReport;
  /** The observations in any world, unordered. */
  readonly seen: readonly string[];
}

/** All observations in the executions of a check; by `depth`, those are all executions. */
export async function sights(
  [feature, seed]: readonly [Showing, number],
  look: string,
  asker: Asker,
  options: CheckOptions,
): Promise<Sights> {
  const seen = new Set<string>();
  const { declaration, scripts } = deeds(feature === 'spawns' || feature === 'maps' ? 'messages' : feature, seed);
  const made = (given: AnyBehavior): AnyBehavior =>
    feature === 'maps' ? inMap(given) : showing(given, feature === 'spawns');
  const [one, other] = pairOf(seed);
  const see = (world: World): true => {
    const eyes: Eyes = {
      world,
      get one() {
        return world.process(one) as Seen;
      },
      get other() {
        return world.process(other) as Seen;
      },
    };
    seen.add(JSON.stringify((looks[look] as Look)(eyes)));
    return true;
  };
  const asked = askers[asker](see);
  const system = defineSystem({
    processes: Object.fromEntries([...declaration.processes].map(([name, given]) => [name, made(given)])),
    ...(feature === 'spawns' ? { kinds: { child: () => child } } : {}),
    transport: declaration.transport,
    workload: scripts[0]?.items ?? [],
    faults: faultsFor[feature] ?? {},
    invariants: asked.invariants ?? {},
    // If ends are judged, executions with fewer faults are not left out either.
    oracles: {
      ...asked.oracles,
      ...(options.search === 'depth' ? { ends: { judge: () => holds, end: () => holds } } : {}),
    },
  });
  const report = await check(system, options);
  return { report, seen: [...seen].toSorted() };
}

function pairOf(seed: number): [string, string] {
  const random = Random.seeded(seed, 78);
  const names = ['a', 'b', 'c'];
  const one = random.pick(names);
  return [one, random.pick(names.filter((name) => name !== one))];
}

const faultsFor: Partial<Record<Showing, object>> = {
  crashes: { crashes: 1, restarts: 1 },
  awaits: { crashes: 1 },
  cuts: { partitions: 1 },
};

const holds = { kind: 'holds' } as const;

interface Asked {
  readonly invariants?: Record<string, Invariant<World> | Sampled<World>>;
  readonly oracles?: Record<string, Oracle>;
}

const askers: Record<Asker, (see: (world: World) => true) => Asked> = {
  invariant: (see) => ({ invariants: { see } }),
  oracle: (see) => ({ oracles: { see: { judge: (world: World) => (see(world), holds) } } }),
  end: (see) => ({ oracles: { see: { judge: () => holds, end: (world: World) => (see(world), holds) } } }),
  sampled: (see) => ({ invariants: { see: { every: 2, holds: see } } }),
};
