import { expect, test } from 'vitest';
import { begunBy, type Subject } from '../../../test/twins/begun.ts';
import { declared } from '../../../test/twins/declared.ts';
import type { AnyBehavior, Context } from '../../kernel/behavior.ts';
import { defaultTransport, noFaults } from '../../kernel/declaration.ts';
import { crash, cut, heal, restart, send } from '../../system/externals.ts';
import { drive } from '../../kernel/drive.ts';
import type { Session } from '../../kernel/ports.ts';
import { Random } from '../../kernel/data/random.ts';
import { until, untilDeliveries, untilQuiet, type PlanItem } from '../../system/workload.ts';
import { hex } from '../../trace/digest.ts';
import { emptyReadSet } from '../../oracles/tracked-world.ts';
import { DepthFirst } from './depth-first.ts';
import { Worlds, type WorldsOptions } from './worlds.ts';

interface Awaiting extends Subject {
  readonly awaits?: boolean;
}

/**
 * What suspended code knows counts as all that happened to its process, so that what comes of the same world need not have
 * the same digests: there, what can be seen of a world has to do.
 */
const viewOf = ({ declaration, awaits }: Awaiting, session: Session): string =>
  awaits === true
    ? [...declaration.processes.keys()]
        .map((name) => session.world.process(name))
        .map(({ state, disk, restarts }) => JSON.stringify([state, [...disk], restarts]))
        .join()
    : hex(session.worldDigest(false));

async function explored(subject: Awaiting, order: WorldsOptions['order'], eventsMax: number) {
  const worlds: string[] = [];
  const finished: string[] = [];
  const search = new Worlds({
    ...begunBy(subject),
    order,
    eventsMax,
    worldsMax: Infinity,
    reads: emptyReadSet(),
    visitor: {
      arrived: (session) => void worlds.push(viewOf(subject, session)),
      ended: (session) => finished.push(viewOf(subject, session)) > 0,
    },
  });
  await drive(search.run());
  return { worlds, finished, search };
}

const asSet = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** The worlds of all interleavings: slow and obvious. Undefined where there are too many. */
async function everyWorld(subject: Awaiting, eventsMax = Infinity) {
  const worlds = new Set<string>();
  const finished = new Set<string>();
  let steps = 0;
  let isCut = false;
  let longest = 0;
  const visitor = {
    arrived(session: Session) {
      worlds.add(viewOf(subject, session));
      steps += 1;
      longest = Math.max(longest, session.world.length);
      return steps < STEPS_MAX && longest < LENGTH_MAX;
    },
    ended(session: Session, ending: string) {
      isCut ||= ending === 'bound';
      if (ending === 'finished') finished.add(viewOf(subject, session));
      return true;
    },
  };
  await drive(new DepthFirst({ ...begunBy(subject), eventsMax, visitor }).run());
  if (steps >= STEPS_MAX || longest >= LENGTH_MAX) return undefined;
  return { worlds: [...worlds].sort(), finished: [...finished].sort(), isCut };
}

/** So many steps are made for a comparison, in executions of at most so many events. */
const STEPS_MAX = 1_000;
const LENGTH_MAX = 30;

const NAMES = ['a', 'b', 'c'];

interface State {
  count: number;
}

/** Does what tables say: messages that make others, timers, writes. */
function tableOf(random: Random, awaits: boolean): AnyBehavior {
  const deeds = Array.from({ length: 18 }, () => ({
    does: random.below(6),
    to: random.pick(NAMES),
    says: random.below(2),
  }));
  const happen = (state: State, what: number, left: number, ctx: Context<unknown>): void => {
    state.count = (state.count * 2 + what + 1) % 3;
    const { does, to, says } = deeds[NAMES.indexOf(ctx.self) * 6 + what * 3 + state.count] as (typeof deeds)[number];
    if (does < 3 && left > 0) ctx.send(to, { says, left: left - 1 });
    if (does === 3) ctx.setTimer('t', 5);
    if (does === 4) void ctx.disk.write('k', says);
  };
  return {
    start: (ctx) => ({ count: Number(ctx.disk.peek('k') ?? 0) }),
    async receive(state, message, ctx) {
      const { says, left } = message as { says: number; left: number };
      happen(state as State, says, left, ctx);
      if (awaits) await ctx.sleep(1);
    },
    timer: (state, _timer, ctx) => happen(state as State, 0, 0, ctx),
  };
}

function someSystem(seed: number): Awaiting {
  const random = Random.seeded(seed, 3);
  const awaits = seed % 8 === 0;
  const table = tableOf(random, awaits);
  const process: AnyBehavior = awaits ? table : { ...table, receive: (...args) => void table.receive(...args) };
  const transport = {
    ...defaultTransport,
    order: random.pick(['fifo', 'unordered'] as const),
    toAbsent: random.pick(['drop', 'keep', 'return'] as const),
    onCut: random.pick(['hold', 'drop'] as const),
  };
  const faults = { ...noFaults, losses: random.below(2), duplicates: random.below(4) === 0 ? 1 : 0 };
  const [one, other] = [random.pick(NAMES), random.pick(NAMES)];
  const disturbances: readonly PlanItem[][] = [
    [],
    [crash(one), restart(one)],
    [cut('a', 'b'), heal('a', 'b')],
    [untilDeliveries(1 + random.below(2)), crash(other)],
    [untilQuiet(), send(other, { says: 0, left: 0 })],
    [until((world) => (world.process('a').state as State | undefined)?.count === 1), crash('b')],
  ];
  const sends = [send(one, { says: 1, left: 1 }), send(other, { says: 0, left: 1 })];
  return {
    declaration: declared({ a: process, b: process, c: process }, { transport, faults }),
    threads: [sends, random.pick(disturbances)],
    awaits,
  };
}

test('the worlds of small systems are those of all interleavings', async () => {
  let whole = 0;
  for (let seed = 0; seed < 30; seed++) {
    const subject = someSystem(seed);
    for (const eventsMax of [6 + (seed % 4), Infinity]) {
      const every = await everyWorld(subject, eventsMax);
      if (every === undefined) continue;
      const broad = await explored(subject, 'breadth', eventsMax);
      const deep = await explored(subject, 'depth', eventsMax);
      for (const { worlds, finished, search } of [broad, deep]) {
        expect([seed, asSet(worlds), asSet(finished)]).toEqual([seed, every.worlds, every.finished]);
        expect(search.worlds).toBe(worlds.length);
        // What some executions only come to at the bound may be nearer to the start in others.
        expect(search.isCutByEvents && !every.isCut).toBe(false);
      }
      expect([deep.search.worlds, deep.search.isCutByEvents]).toEqual([
        broad.search.worlds,
        broad.search.isCutByEvents,
      ]);
      if (!every.isCut) whole += 1;
    }
  }
  expect(whole).toBe(19);
});
