import { behavior, defineSystem } from 'culprit';
import {
  targetOf,
  Random,
  resolveSystem,
  send,
  start,
  type ResolvedSystem,
  type Session,
  type Timing,
} from 'culprit/kernel';
import type { External } from 'culprit/trace';
import type { Measured } from '../row.ts';
import { best, inTurns, ratio } from '../timing.ts';

const SIZES = [10, 50, 200, 1_000] as const;
const MOST = 10_000;
const EVENTS = 50_000;
const FORKS = 2_000;
const DIGESTS = 1_000;
const ROUNDS = 7;
/** So many messages wander about for each process. */
const MESSAGES = 2;

/** Each process sends to so many others. */
const NEIGHBORS = 8;

const names = Array.from({ length: MOST }, (_, at) => `n${at}`);

/** A node counts messages and passes them on; every second one moves its timer, as a heartbeat does. */
const node = (nodes: number, at: number) =>
  behavior<{ count: number }, number, 'election'>({
    start(ctx) {
      ctx.setTimer('election', 50 + ctx.random.below(50));
      return { count: 0 };
    },
    receive(state, hops, ctx) {
      state.count += 1;
      ctx.send(names[(at + 1 + ((state.count * 31 + hops * 17) % NEIGHBORS)) % nodes] as string, hops + 1);
      if (state.count % 2 === 0) ctx.setTimer('election', 50 + (hops % 50));
    },
    timer(_state, timer, ctx) {
      ctx.setTimer(timer, 50);
    },
  });

function system(nodes: number, timers: Timing): ResolvedSystem {
  const processes = Object.fromEntries(names.slice(0, nodes).map((name, at) => [name, node(nodes, at)]));
  return resolveSystem(defineSystem({ processes, timers }));
}

const starts: readonly External[] = names.map((name) => start(name));
const messages: readonly External[] = Array.from({ length: MOST * MESSAGES }, (_, at) =>
  send(names[Math.floor(at / MESSAGES)] as string, at),
);

function opened(resolved: ResolvedSystem, nodes: number): Session {
  const session = targetOf(resolved).open(1);
  for (let at = 0; at < nodes; at++) void session.perform(starts[at] as External);
  return session;
}

/** A session in which messages wander about. */
function busy(resolved: ResolvedSystem, nodes: number): Session {
  const session = opened(resolved, nodes);
  for (let at = 0; at < nodes * MESSAGES; at++) void session.perform(messages[at] as External);
  return session;
}

function perform(session: Session, events: number): void {
  const random = Random.seeded(1, 1);
  for (let left = events; left > 0; left--) void session.perform(random.pick(session.enabled));
}

/** What more processes cost: an event, a fork or an opening of a large system. */
export async function scale(): Promise<Measured[]> {
  return [
    ...(await growth('timers fire any time', 'any')),
    ...(await growth('timers in virtual time', { skewMs: 0 })),
    await openingOfMost(),
  ];
}

async function growth(name: string, timers: Timing): Promise<Measured[]> {
  const crowds = SIZES.map((nodes) => new Crowd(nodes, timers));
  const events = await eachOf(crowds, ({ session }) => perform(session, EVENTS));
  const forks = await eachOf(crowds, ({ session }) => forkOnly(session));
  const deliveries = await eachOf(crowds, ({ session }) => forkAndDeliver(session));
  const openings = await eachOf(crowds, (crowd) => opened(crowd.system, crowd.nodes));
  const digests = await eachOf(crowds, ({ session }) => digestEach(session));
  const [few, , many] = events as [number[], number[], number[]];
  return [
    ...crowds.flatMap(({ nodes }, at): Measured[] => {
      const row = (metric: string, times: number[][], per: number, unit: string, target?: string): Measured => ({
        case: `${name}, ${nodes.toLocaleString('en')} processes`,
        metric,
        value: best(times[at] as number[]) / per,
        unit,
        ...(target !== undefined && nodes === 200 ? { target } : {}),
      });
      return [
        row('event', events, EVENTS / 1e6, 'ns'),
        row('open', openings, 1, 'ms'),
        row('fork', forks, FORKS / 1e3, 'us', '<= 10'),
        row('fork and deliver', deliveries, FORKS / 1e3, 'us'),
        row('fork, deliver and world digest', digests, DIGESTS / 1e3, 'us'),
      ];
    }),
    { case: name, metric: 'event, 200 processes to 10', value: ratio(many, few), unit: 'x', target: '<= 1.5' },
  ];
}

/** A system of that many nodes, and a session of it in the middle of an execution. */
class Crowd {
  readonly system: ResolvedSystem;
  readonly session: Session;

  constructor(
    readonly nodes: number,
    timers: Timing,
  ) {
    this.system = system(nodes, timers);
    this.session = busy(this.system, nodes);
    perform(this.session, 40 * nodes);
  }
}

async function eachOf(crowds: readonly Crowd[], work: (crowd: Crowd) => unknown): Promise<number[][]> {
  const contenders = Object.fromEntries(crowds.map((crowd) => [`${crowd.nodes} nodes`, () => void work(crowd)]));
  const times = await inTurns(ROUNDS, contenders);
  return crowds.map((crowd) => times[`${crowd.nodes} nodes`] as number[]);
}

function forkOnly(session: Session): void {
  for (let left = FORKS; left > 0; left--) forked(session);
}

function forkAndDeliver(session: Session): void {
  const deliveries = session.enabled.filter(({ kind }) => kind === 'deliver');
  for (let at = 0; at < FORKS; at++) void forked(session).perform(deliveries[at % deliveries.length] as never);
}

/** As a search does that goes by worlds. */
function digestEach(session: Session): void {
  const deliveries = session.enabled.filter(({ kind }) => kind === 'deliver');
  for (let at = 0; at < DIGESTS; at++) {
    const twin = forked(session);
    void twin.perform(deliveries[at % deliveries.length] as never);
    twin.worldDigest();
  }
}

function forked(session: Session): Session {
  const twin = session.fork?.();
  if (twin === undefined) throw new Error('nothing is suspended, and yet there is no fork');
  return twin;
}

async function openingOfMost(): Promise<Measured> {
  const most = system(MOST, { skewMs: 0 });
  const { open } = await inTurns(3, { open: () => void opened(most, MOST).enabled });
  return {
    case: `${MOST.toLocaleString('en')} processes`,
    metric: 'open',
    value: best(open),
    unit: 'ms',
    target: '<= 1000',
  };
}
