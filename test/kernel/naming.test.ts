import type { Context } from 'culprit';
import { behavior, crash, cut, cutOneWay, heal, healOneWay, restart, send, start, stop } from 'culprit';
import type { Declaration, Session, Timing, Transport } from 'culprit/kernel';
import { noFaults, Simulation } from 'culprit/kernel';
import type { External, Internal } from 'culprit/trace';
import { hex, toPortable } from 'culprit/trace';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../twins/equivalence.ts';
import { after, equivalenceClass, interleavings, LANE, root, successors } from '../twins/equivalence.ts';
import { anyTransport } from '../twins/random-system.ts';
import { idle, open, perform, relay, words } from '../twins/scripted.ts';
import { worldOf } from '../twins/snapshot.ts';

/** Executions have the same name exactly if they are equivalent: the slow twin compares them event by event. */

interface Seen {
  readonly seen: string[];
}

/** Passes messages on to random others until they are used up; sometimes sets timers, writes and spawns. */
const gossipOn = (lanes: boolean) =>
  behavior<Seen, number>({
    start(ctx) {
      maySetTimer(ctx);
      return { seen: [] };
    },
    receive(state, left, ctx) {
      state.seen.push(`${left} from ${ctx.from} at ${ctx.nowMs}`);
      if (left > 0) for (let copies = ctx.random.below(3); copies > 0; copies--) pass(left - 1, ctx, lanes);
      if (left > 1 && ctx.random.below(4) === 0) ctx.spawn('worker');
      maySetTimer(ctx);
    },
    timer(state, _timer, ctx) {
      state.seen.push(`timer at ${ctx.nowMs}`);
      pass(0, ctx, lanes);
      void ctx.disk.write('k', ctx.nowMs);
    },
    wrote(state, key) {
      state.seen.push(`wrote ${key}`);
    },
    returned(state, left, to) {
      state.seen.push(`${left} back from ${to}`);
    },
  });

function pass(left: number, ctx: Context<number>, lanes: boolean): void {
  const lane = lanes ? ctx.random.pick([undefined, LANE]) : undefined;
  ctx.send(ctx.random.pick([...ctx.peers, ...ctx.peers, JOINER]), left, { lane });
}

function maySetTimer(ctx: Context<number>): void {
  if (ctx.random.below(3) === 0) ctx.setTimer('t', ctx.random.pick([5, 10, 10.5]));
}

const processes = ['p', 'q', 'r'];
const JOINER = 'x';

const declare = (transport: Transport, timers: Timing, lanes: boolean): Declaration => ({
  processes: new Map(processes.map((name) => [name, gossipOn(lanes)])),
  kinds: new Map([['worker', () => gossipOn(lanes)]]),
  actions: new Map(),
  transport,
  timers,
  faults: { ...noFaults, losses: 1, duplicates: 1 },
});

const someone = fc.constantFrom(...processes);
const message = fc.tuple(someone, fc.nat(2)).map(([to, left]): External => send(to, left));
const fault = fc.oneof(
  someone.map((name) => [crash(name), restart(name)]),
  someone.map((name) => [stop(name)]),
  fc.constant([start(JOINER, 'worker')]),
  fc
    .uniqueArray(someone, { minLength: 2, maxLength: 2 })
    .chain(([a = '', b = '']) =>
      fc.constantFrom<External[]>(
        [cut(a, b), heal()],
        [cutOneWay(a, b), healOneWay(a, b)],
        [cut(a, b), healOneWay(b, a), cutOneWay(b, a)],
        [cut(a, b, { lane: LANE }), heal(a, b, { lane: LANE })],
        [cut(a, b, { lane: LANE }), cutOneWay(a, b), heal()],
      ),
    ),
);
const workload = fc
  .tuple(fc.array(message, { minLength: 1, maxLength: 3 }), fc.array(fault, { maxLength: 2, size: 'max' }))
  .map(([messages, faults]) => [...messages, ...faults.flat()]);

/** The length and the steps of the prefix before every interleaving of the rest is tried. */
const walk = fc.array(fc.nat(), { maxLength: 12, size: 'max' });

interface Beginning {
  readonly seed: number;
  readonly transport: Transport;
  readonly externals: readonly External[];
  readonly tampering: number;
  readonly steps: readonly number[];
  /** Whether messages use a lane besides the default one. */
  readonly lanes: boolean;
}

const beginnings: fc.Arbitrary<Beginning> = fc.record({
  seed: fc.nat(),
  transport: anyTransport,
  externals: workload,
  tampering: fc.constantFrom(0, 0, 1),
  steps: walk,
  lanes: fc.boolean(),
});

function begun({ seed, transport, externals, tampering, steps, lanes }: Beginning, timing: Timing): Node {
  const session = Simulation.open(declare(transport, timing, lanes), seed);
  for (const name of processes) void session.perform(start(name));
  return steps.reduce<Node>(
    (node, step) => {
      const next = successors(node);
      return next[step % next.length] ?? node;
    },
    root(session, externals, tampering),
  );
}

/** Names and equivalence classes correspond one to one, and equal names mean equal worlds. */
class Partition {
  private readonly seen = new Map<string, string>();

  /** The problem, if any. */
  add(session: Session, equivalence: string): string | undefined {
    const name = hex(session.name());
    // Notes name which of two causes took a message, but it changes nothing.
    const { notes: _notes, ...world } = worldOf(session);
    return (
      this.once(`class of ${name}`, equivalence) ??
      this.once(`world of ${name}`, JSON.stringify(toPortable(world, 'the world'))) ??
      this.once(`name of ${equivalence}`, name)
    );
  }

  private once(key: string, value: string): string | undefined {
    const before = this.seen.get(key) ?? value;
    this.seen.set(key, value);
    return before === value ? undefined : `${key}:\n${before}\n${value}`;
  }
}

describe('names are equal exactly if executions are equivalent', () => {
  test.each<[string, Timing]>([
    ['timers at any moment', 'any'],
    ['virtual time', { skewMs: 0 }],
    ['virtual time with skew', { skewMs: 6 }],
  ])('%s', (_what, timing) => {
    const property = fc.property(beginnings, (beginning) => {
      const partition = new Partition();
      for (const node of interleavings(begun(beginning, timing), 400)) {
        const problem = partition.add(node.session, equivalenceClass(node, beginning.transport, timing));
        expect(problem).toBeUndefined();
      }
    });
    fc.assert(property, { numRuns: 60, plugins: [fc.interruptAfterTimeLimit(4000)] });
  });
});

test('events of different processes commute: same identities, same name, same world', () => {
  const property = fc.property(beginnings, (beginning) => {
    const { session } = begun(beginning, 'any');
    for (const [first, second] of pairs(session.enabled)) {
      if (first.process === second.process) continue;
      const [there, back] = [after(session, first, second), after(session, second, first)];
      expect(worldOf(there)).toEqual(worldOf(back));
      expect(identities(there)).toEqual(identities(back));
    }
  });
  fc.assert(property, { numRuns: 100, plugins: [fc.interruptAfterTimeLimit(4000)] });
});

const pairs = <T>(of: readonly T[]): (readonly [T, T])[] =>
  of.flatMap((a, at) => of.slice(at + 1).map((b) => [a, b] as const));

const identities = ({ recording }: Session): string[] => recording.events.since(0).map(hex).sort();

describe('exact counts, by brute force', () => {
  /** Every complete execution, and the number of names. */
  function count(session: Session, externals: readonly External[] = []): { executions: number; names: number } {
    const names: string[] = [];
    for (const { session: execution } of interleavings(root(session, externals), Infinity)) {
      const isOver =
        execution.enabled.length === 0 && execution.recording.events.length >= session.world.length + externals.length;
      if (isOver && externals.every((external) => execution.refusal(external) !== undefined))
        names.push(hex(execution.name()));
    }
    return { executions: names.length, names: new Set(names).size };
  }

  /** Sends its list at once: `['x', 'y']` is a message to x, then one to y. */
  const sender = (...to: readonly string[]) =>
    behavior<object, string>({
      start(ctx) {
        to.forEach((name, at) => ctx.send(name, `${ctx.self} ${at}`));
        return {};
      },
      receive() {},
    });

  function sent(members: Record<string, ReturnType<typeof sender>>): Session {
    const session = open({ processes: members });
    for (const name of Object.keys(members)) void session.perform(start(name));
    return session;
  }

  test('n messages from n senders to one node: n!', () => {
    const senders = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`s${at}`, sender('node')]));
    expect(count(sent({ node: idle, ...senders(3) }))).toEqual({ executions: 6, names: 6 });
    expect(count(sent({ node: idle, ...senders(5) }))).toEqual({ executions: 120, names: 120 });
  });

  test('FIFO channels of lengths 2, 3 and 1 to one node: 6! / (2! 3! 1!)', () => {
    const members = { node: idle, a: sender('node', 'node'), b: sender('node', 'node', 'node'), c: sender('node') };
    expect(count(sent(members))).toEqual({ executions: 60, names: 60 });
  });

  test('two independent receivers: 3! · 3! names in 6! executions', () => {
    const both = sender('x', 'y');
    expect(count(sent({ x: idle, y: idle, a: both, b: both, c: both }))).toEqual({ executions: 720, names: 36 });
  });

  test('ping-pong: 1', async () => {
    const session = open({ processes: { a: relay, b: relay } });
    await perform(session, start('a'), start('b'), send('a', 'b a b a stop'));
    expect(count(session)).toEqual({ executions: 1, names: 1 });
  });

  test('starts of independent processes: 1 in 3!', () => {
    const session = open({ processes: { a: idle, b: idle, c: idle } });
    expect(count(session, [start('a'), start('b'), start('c')])).toEqual({ executions: 6, names: 1 });
  });
});

test('the place of a cut counts among the deliveries of its link; among others it does not', async () => {
  async function nameAfter(...steps: readonly (External | string)[]): Promise<string> {
    const session = open({ processes: { a: relay, b: idle, c: idle } });
    await perform(session, start('a'), start('b'), start('c'), send('a', 'b hi'), send('c', 'yo'), 'deliver a b hi');
    await perform(session, ...steps);
    return hex(session.name());
  }
  const before = await nameAfter(cutOneWay('a', 'b'), healOneWay('a', 'b'), 'deliver b hi', 'deliver c yo');
  const between = await nameAfter('deliver c yo', cutOneWay('a', 'b'), healOneWay('a', 'b'), 'deliver b hi');
  const behind = await nameAfter('deliver b hi', cutOneWay('a', 'b'), healOneWay('a', 'b'), 'deliver c yo');
  expect(before).toBe(between);
  expect(before).not.toBe(behind);
});

test('messages kept for a stopped receiver take no new places: a copy is behind as many as before', async () => {
  async function nameAfter(...steps: readonly (External | string)[]): Promise<string> {
    const transport = { toAbsent: 'keep' } as const;
    const session = open({ processes: { a: relay, b: idle }, transport, faults: { duplicates: 1 } });
    await perform(session, start('a'), start('b'), send('a', 'b hi'), ...steps);
    await perform(session, { kind: 'duplicate', target: hex(session.enabled[0] as Internal) });
    return hex(session.name());
  }
  const before = await nameAfter('deliver a b hi', stop('b'), restart('b'));
  const behind = await nameAfter(stop('b'), restart('b'), 'deliver a b hi');
  expect(before).toBe(behind);
});

describe('executions with different worlds have different names', () => {
  /** The remaining events in order after these steps, and the name. */
  async function led(session: Session, ...steps: readonly (External | string)[]) {
    await perform(session, ...steps);
    return { name: hex(session.name()), left: session.world.pending.map(words) };
  }

  const returning = { toAbsent: 'return', onCrash: { to: 'keep', from: 'keep' } } as const;

  test('a message was under way to a process that crashed, or met it crashed and returned', async () => {
    const system = () => open({ processes: { a: relay, b: idle }, transport: returning });
    const begin = [start('a'), start('b'), send('a', 'b hi')];
    const kept = await led(system(), ...begin, 'deliver a b hi', crash('b'));
    const returned = await led(system(), ...begin, crash('b'), 'deliver a b hi');
    expect(kept.left).not.toEqual(returned.left);
    expect(kept.name).not.toBe(returned.name);
  });

  test('a message returned before its sender crashed, or found no sender to return to', async () => {
    const system = () => open({ processes: { a: relay, b: idle }, transport: returning });
    const begin = [start('a'), start('b'), send('a', 'b hi'), 'deliver a b hi'];
    const returned = await led(system(), ...begin, stop('b'), crash('a'));
    const gone = await led(system(), ...begin, crash('a'), stop('b'));
    expect(returned.left).not.toEqual(gone.left);
    expect(returned.name).not.toBe(gone.name);
  });

  test('a copy stands before a later message in its FIFO channel, or behind it', async () => {
    const system = () => open({ processes: { a: relay, b: idle }, faults: { duplicates: 1 } });
    const begin = [start('a'), start('b'), send('a', 'b one'), send('a', 'b two'), 'deliver a b one'];
    const [early, late] = [system(), system()];
    await perform(early, ...begin);
    await perform(late, ...begin);
    const one = early.world.pending.find(({ process }) => process === 'b') as Internal;
    const copy: External = { kind: 'duplicate', target: hex(one) };
    const before = await led(early, copy, 'deliver a b two');
    const behind = await led(late, 'deliver a b two', copy);
    expect(before.left).not.toEqual(behind.left);
    expect(before.name).not.toBe(behind.name);
  });

  test('virtual time is not rounded', async () => {
    const clock = behavior<{ at: number }, string>({
      start: () => ({ at: 0 }),
      receive(state, _message, ctx) {
        state.at = ctx.nowMs;
      },
    });
    const alarm = (ms: number) =>
      behavior<object, string>({
        start(ctx) {
          ctx.setTimer('t', ms);
          return {};
        },
        receive() {},
      });
    const system = () => open({ processes: { p: alarm(10.25), q: alarm(10.75), r: clock }, timers: { skewMs: 0 } });
    const begin = [start('p'), start('q'), start('r'), send('r', 'now')];
    const [early, late] = [system(), system()];
    await perform(early, ...begin, 'fire p t', 'deliver r now', 'fire q t');
    await perform(late, ...begin, 'fire p t', 'fire q t', 'deliver r now');
    expect(early.world.process('r').state).not.toEqual(late.world.process('r').state);
    expect(early.name()).not.toEqual(late.name());
  });
});
