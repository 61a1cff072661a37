import { behavior, crash, cut, defineSystem, heal, restart, type System, send } from 'culprit';
import { resolveSystem, targetOf, Random, Simulation } from 'culprit/kernel';
import type { Session, Timing } from 'culprit/kernel';
import { hex, toPortable, type External, type Internal } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { crowd, crowdStarts, nextInCrowd } from '../twins/crowd.ts';

type Message = { type: 'add'; n: number } | { type: 'seen' };

/** Adds up its messages: the order does not affect the sum, but the list. */
const adder = (keeps: 'sum' | 'list') =>
  behavior<{ sum: number; list: number[] }, Message>({
    start: () => ({ sum: 0, list: [] }),
    receive(state, message, ctx) {
      if (message.type !== 'add') return;
      state.sum += message.n;
      if (keeps === 'list') state.list.push(message.n);
      if (message.n === 2) ctx.setTimer('later', 10);
      if (message.n === 3) void ctx.disk.write('three', state.sum);
      if (message.n === 1) ctx.reply({ type: 'seen' });
    },
  });

const sender = (...numbers: number[]) =>
  behavior<{ seen: boolean }, Message>({
    start(ctx) {
      for (const n of numbers) ctx.send('adder', { type: 'add', n });
      return { seen: false };
    },
    receive(state) {
      state.seen = true;
    },
  });

const systems = (['fifo', 'unordered'] as const).flatMap((transport) =>
  (['sum', 'list'] as const).map((keeps) => ({
    name: `${keeps}, ${transport}`,
    system: defineSystem({
      processes: { adder: adder(keeps), a: sender(1, 2), b: sender(3, 1) },
      transport,
      faults: { crashes: 1, restarts: 1 },
    }),
  })),
);

/** Everything that decides the future, as text: slow and obvious. */
function twin({ world }: Session, isFifo: boolean): string {
  const contents = world.pending.map(({ cause: _cause, hi: _hi, lo: _lo, ...content }) => content as object);
  const said = contents.map((content) => JSON.stringify(toPortable(withoutTimes(content), 'pending')));
  const onLinks = world.pending.map((event, at) => ({ link: linkOf(event), text: said[at] ?? '' }));
  const links = [...new Set(onLinks.map(({ link }) => link))].sort();
  return JSON.stringify([
    ['adder', 'a', 'b'].map((name) => {
      const { up, state, restarts, disk } = world.process(name);
      return toPortable({ name, up, state, restarts, disk }, 'a process');
    }),
    links.map((link) => {
      const texts = onLinks.filter((item) => item.link === link).map(({ text }) => text);
      return [link, isFifo && link !== 'timers' ? texts : texts.sort()];
    }),
    world.cutLinks,
  ]);
}

const linkOf = (event: Internal): string =>
  event.kind === 'deliver' ? `${event.from} ${event.process}` : event.kind === 'fire' ? 'timers' : event.process;

/** Deadlines and request numbers depend on the time of the request, which no code can see. */
function withoutTimes(content: object): object {
  const { sentMs: _sent, deadlineMs: _deadline, request: _request, ...rest } = content as Record<string, unknown>;
  return rest;
}

const opened = (system: System): Session => targetOf(resolveSystem(system)).open(1);

/** Every world that is reachable within this many events, by every path. */
function everyWorld(session: Session, depth: number, visit: (session: Session) => void): void {
  visit(session);
  if (depth === 0) return;
  for (const event of [...session.enabled, ...session.faults()]) {
    const fork = session.fork?.() as Session;
    void fork.perform(event);
    everyWorld(fork, depth - 1, visit);
  }
}

describe('the digest of a world', () => {
  test.each(systems)('is the same exactly for worlds that nothing tells apart: $name', ({ name, system }) => {
    const session = opened(system);
    for (const external of resolveSystem(system).plan(1).items) void session.perform(external as External);
    const byDigest = new Map<string, string>();
    const byTwin = new Map<string, string>();
    let visits = 0;
    const differences: unknown[] = [];
    everyWorld(session, 6, (world) => {
      visits += 1;
      const digest = hex(world.worldDigest());
      const text = twin(world, name.endsWith('fifo'));
      const [known, knownDigest] = [byDigest.get(digest) ?? text, byTwin.get(text) ?? digest];
      if (known !== text || knownDigest !== digest) differences.push([known, text, knownDigest, digest]);
      byDigest.set(digest, text);
      byTwin.set(text, digest);
    });
    expect(differences).toEqual([]);
    expect(byDigest.size).toBe(byTwin.size);
    // Most worlds are reached in several ways: otherwise the test would mean little.
    expect(visits).toBeGreaterThan(3 * byDigest.size);
  });

  const cutAndHealed = systems[0]?.system as System;

  test('includes cut links', () => {
    const session = opened(cutAndHealed);
    const before = hex(session.worldDigest());
    void session.perform(cut('a', 'b'));
    expect(session.world.cutLinks).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
    expect(hex(session.worldDigest())).not.toBe(before);
    void session.perform(heal());
    expect(session.world.cutLinks).toEqual([]);
  });

  test('does not depend on the past, except on the number of restarts', () => {
    const started = (...externals: External[]): string => {
      const session = opened(cutAndHealed);
      for (const external of externals) void session.perform(external);
      return hex(session.worldDigest());
    };
    const add = send('adder', { type: 'add', n: 5 });
    const [first, second] = [
      { kind: 'start', process: 'a' },
      { kind: 'start', process: 'adder' },
    ] as const;
    expect(started(first, second)).toBe(started(second, first));
    expect(started(second, add)).not.toBe(started(second));
    expect(started(second, crash('adder'), restart('adder'))).not.toBe(started(second));
  });

  test('includes time as soon as a handler has read it', () => {
    const clock = (reads: boolean) =>
      behavior<object, Message>({
        start(ctx) {
          ctx.repeatTimer('tick', 10);
          return {};
        },
        receive: () => undefined,
        timer(_state, _timer, ctx) {
          if (reads) void ctx.nowMs;
        },
      });
    const afterTicks = (reads: boolean, ticks: number): string => {
      const session = opened(defineSystem({ processes: { clock: clock(reads) } }));
      void session.perform({ kind: 'start', process: 'clock' });
      for (let at = 0; at < ticks; at++) void session.perform(session.enabled[0] as Internal);
      return hex(session.worldDigest());
    };
    expect(afterTicks(false, 1)).toBe(afterTicks(false, 2));
    expect(afterTicks(true, 1)).not.toBe(afterTicks(true, 2));
  });

  test('includes earlier time on request, with that of pending events', () => {
    const slow = behavior<object, Message>({
      start: () => ({}),
      receive(_state, message, ctx) {
        if (message.type === 'add') ctx.setTimer('later', message.n);
        else ctx.send('b', { type: 'seen' });
      },
    });
    const after = (...numbers: number[]): Session => {
      const session = opened(defineSystem({ processes: { a: slow, b: slow } }));
      void session.perform({ kind: 'start', process: 'a' });
      for (const n of numbers) {
        void session.perform(send('a', { type: 'add', n }));
        void session.perform(session.enabled.find(({ kind }) => kind === 'deliver') as Internal);
      }
      return session;
    };
    expect(after(1, 5).clockRead).toBe(false);
    expect(hex(after(1, 5).worldDigest())).toBe(hex(after(1, 7).worldDigest()));
    expect(hex(after(1, 5).worldDigest(true))).not.toBe(hex(after(1, 7).worldDigest(true)));
    expect(hex(after(1, 5).worldDigest(true))).toBe(hex(after(2, 5).worldDigest(true)));
  });

  describe('if processes join', () => {
    const joining = defineSystem({
      processes: { a: sender() },
      kinds: { worker: () => sender(), writer: () => writer },
      transport: { toAbsent: 'keep' },
    });
    const writer = behavior<object, Message>({
      start: () => ({}),
      receive(_state, message, ctx) {
        ctx.send('late', message);
      },
    });
    const after = (...externals: External[]): string => {
      const session = opened(joining);
      for (const external of externals) {
        void session.perform(external);
        for (const event of session.enabled) if (external.kind === 'send') void session.perform(event);
      }
      return hex(session.worldDigest());
    };
    const join = (process: string, of: string): External => ({ kind: 'start', process, of });

    test('includes their order, which is the order of every list of processes', () => {
      const [one, two] = [join('w-1', 'worker'), join('w-2', 'worker')];
      expect(after(one, two)).toBe(after(one, two));
      expect(after(one, two)).not.toBe(after(two, one));
    });

    test('includes the order, per sender, of messages that are kept for them', () => {
      const tell = (to: string, n: number): External => send(to, { type: 'add', n });
      const both = [join('w-1', 'writer'), join('w-2', 'writer')];
      expect(after(...both, tell('w-1', 1), tell('w-1', 2))).not.toBe(after(...both, tell('w-1', 2), tell('w-1', 1)));
      expect(after(...both, tell('w-1', 1), tell('w-2', 2))).toBe(after(...both, tell('w-2', 2), tell('w-1', 1)));
    });
  });
});

/** The digests are kept with processes and channels until these change. */
test.each<Timing>(['any', { skewMs: 7 }])(
  'does not depend on when it was asked for before, timers %j',
  async (timers) => {
    const transport = {
      order: 'fifo',
      toAbsent: 'keep',
      onCrash: { to: 'drop', from: 'keep' },
      onCut: 'hold',
    } as const;
    const declaration = crowd({ timers, transport, awaits: true });
    const asked = Simulation.open(declaration, 1);
    const random = Random.seeded(1, 1);
    const steps: (Internal | External)[] = [];
    const digests: string[] = [];
    for (let at = 0; at < 160; at++) {
      const step = crowdStarts[at] ?? nextInCrowd(asked, random, { pauses: true });
      steps.push(step);
      await asked.perform(step);
      digests.push(hex(asked.worldDigest(at % 3 === 0, at % 2 === 0)));
    }
    for (let length = 20; length <= steps.length; length += 20) {
      const unasked = Simulation.open(declaration, 1);
      for (const step of steps.slice(0, length)) await unasked.perform(step);
      const at = length - 1;
      expect(hex(unasked.worldDigest(at % 3 === 0, at % 2 === 0))).toBe(digests[at]);
    }
  },
);
