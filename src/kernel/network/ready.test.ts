import { behavior, defineSystem, start } from 'culprit';
import { Random, resolveSystem, Simulation, type AnyBehavior, type Timing } from 'culprit/kernel';
import { digestText, hex, type Internal } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { crowd, crowdStarts, nextInCrowd } from '../../../test/twins/crowd.ts';
import { tickingHost } from '../../../test/twins/ticking.ts';
import { isSameChannel } from '../../trace/event-subject.ts';
import { LiveWorld } from '../live-world.ts';
import { allEnabled } from './enabled.ts';

const EVENTS = 250;
/** Of so many events of a list, one is looked for, another one after each event. */
const SAMPLED = 31;
const transports = (['fifo', 'unordered'] as const).flatMap((order) =>
  (['drop', 'keep', 'return'] as const).map((toAbsent) => ({
    order,
    toAbsent,
    onCrash: { to: 'drop', from: 'keep' } as const,
    onCut: 'hold' as const,
  })),
);

const names = new WeakMap<Internal, string>();

/** The digest of an event, as text. Most events of a list were in the list before. */
function nameOf(event: Internal): string {
  const known = names.get(event);
  if (known !== undefined) return known;
  const name = hex(event);
  names.set(event, name);
  return name;
}

/** Whether two lists have the same names, each of them once. */
function isSame(some: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [new Set(some), new Set(others)];
  return (
    one.size === some.length &&
    other.size === others.length &&
    one.size === other.size &&
    some.every((name) => other.has(name))
  );
}

/** The lists after each event of an execution. */
class Lists {
  readonly texts: string[] = [];
  /** The events after which the list was not what the world allows. */
  readonly wrong: number[] = [];
  longest = 0;

  async after(session: Simulation, event: Parameters<Simulation['perform']>[0]): Promise<void> {
    await session.perform(event);
    const { world, enabled } = session;
    if (!(world instanceof LiveWorld)) throw new Error('the world is not the one that the kernel changes');
    const found = enabled.map(nameOf);
    if (!isSame(found, allEnabled(world).map(nameOf))) this.wrong.push(world.length);
    this.compare(session, enabled);
    this.longest = Math.max(this.longest, found.length);
    this.texts.push(found.join());
  }

  /** Compares what a session says of one process or channel with a look at all events. */
  private compare(session: Simulation, enabled: readonly Internal[]): void {
    const sorted = (events: readonly Internal[]): string => events.map(nameOf).sort().join();
    for (let at = this.texts.length % SAMPLED; at < enabled.length; at += SAMPLED) {
      const event = enabled[at] as Internal;
      const isLike = (other: Internal): boolean => isSameChannel(other, event);
      const isRight =
        session.find({ ...event }) === event &&
        session.find({ ...event, lo: event.lo ^ 1 }) === undefined &&
        sorted(session.enabledLike(event)) === sorted(enabled.filter(isLike)) &&
        sorted(session.enabledAt(event.process)) ===
          sorted(enabled.filter(({ process }) => process === event.process)) &&
        (event.kind !== 'deliver' ||
          sorted(session.pendingLike(event)) === sorted(session.world.pending.filter(isLike)));
      if (!isRight) this.wrong.push(session.world.length);
    }
  }
}

/** Performs events by chance; forks now and then, and continues with either of the two. */
async function listsOf(opened: Simulation, seed: number, how: { lanes: boolean; pauses: boolean }): Promise<Lists> {
  const lists = new Lists();
  const random = Random.seeded(seed, 7);
  let session = opened;
  for (const first of crowdStarts) await lists.after(session, first);
  for (let at = 0; at < EVENTS; at++) {
    const twin = at % 20 === 0 ? session.fork?.() : undefined;
    if (twin !== undefined) {
      for (let more = 0; more < 3; more++) await lists.after(twin, nextInCrowd(twin, random, how));
      if (random.below(2) === 0) session = twin;
    }
    await lists.after(session, nextInCrowd(session, random, how));
  }
  return lists;
}

describe('after every event the list has what the world allows, in the order that seeds have always meant', () => {
  // A digest of all lists. A seed means another execution where one of these changes.
  test.each<readonly [Timing, boolean, string, 'plain' | 'lanes' | 'pauses']>([
    ['any', false, 'ad68466805f754a3', 'plain'],
    ['any', true, '9de07206235c7371', 'plain'],
    [{ skewMs: 0 }, false, '68c3492a067de73c', 'plain'],
    [{ skewMs: 0 }, true, 'c927d56d53f61340', 'plain'],
    [{ skewMs: 7 }, false, '1672dc3d4a104e90', 'plain'],
    [{ skewMs: 7 }, true, 'cb1721684ad4e92d', 'plain'],
    ['any', false, '1efb8e106ab2e9cf', 'lanes'],
    [{ skewMs: 7 }, true, '4929e2c70c5ac369', 'lanes'],
    ['any', true, '4b4ec5a14adda70d', 'pauses'],
    [{ skewMs: 7 }, true, 'd8d1237394d0375b', 'pauses'],
  ])('timers %j, handlers that await: %j, digest %s, %s', async (timers, awaits, digest, more) => {
    const [lanes, pauses] = [more === 'lanes', more === 'pauses'];
    const texts: string[] = [];
    for (const transport of transports) {
      for (let seed = 1; seed <= 2; seed++) {
        const lists = await listsOf(Simulation.open(crowd({ timers, transport, awaits, lanes }), seed), seed, {
          lanes,
          pauses,
        });
        expect(lists.wrong).toEqual([]);
        // As long as that the list of a large world is updated part by part.
        expect(lists.longest).toBeGreaterThan(64);
        texts.push(...lists.texts);
      }
    }
    expect(hex(digestText(texts.join()))).toBe(digest);
  });
});

describe('where the session has a clock', () => {
  const CLIENTS = 100;
  const clients = Array.from({ length: CLIENTS }, (_, at) => `client ${at}`);
  /** Its handlers are over when their promises are. */
  const server: AnyBehavior = {
    host: tickingHost,
    start: async () => ({}),
    receive: async () => undefined,
    view: () => ({}),
    close: () => undefined,
  };
  const client = (at: number): AnyBehavior =>
    behavior({
      start(ctx) {
        ctx.setTimer('again', at + 1);
        ctx.send('server', at);
        return {};
      },
      receive: () => undefined,
      timer: (_state, _name, ctx) => ctx.send('server', 'again'),
    });

  test('a large list has the timers that became due, and the messages of a process that has reacted', async () => {
    const processes = { server, ...Object.fromEntries(clients.map((name, at) => [name, client(at)])) };
    const session = Simulation.open(resolveSystem(defineSystem({ processes })).declaration, 1);
    const lists = new Lists();
    for (const name of ['server', ...clients]) await lists.after(session, start(name));
    // Nothing happens but that time passes.
    const due = (): number => session.enabled.filter(({ kind }) => kind === 'fire').length;
    const before = due();
    await session.wait?.({ ms: 3 });
    expect(due()).toBeGreaterThan(before);
    const random = Random.seeded(1, 7);
    for (let at = 0; at < EVENTS && session.enabled.length > 0; at++)
      await lists.after(session, session.enabled[random.below(session.enabled.length)] as Internal);
    expect(lists.wrong).toEqual([]);
    expect(lists.longest).toBeGreaterThan(64);
    await session.close();
  });
});
