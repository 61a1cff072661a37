import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Oracle, Session, Target } from '../kernel/ports.ts';
import { alternatives } from './passes/ambiguities.ts';
import type { CandidateSchedule, Failing } from './pass.ts';
import { noRules, type Rules } from './rules.ts';
import { resolveSystem } from '../system/resolve.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import { targetOf } from '../hosts/target.ts';
import { digestText } from '../trace/digest.ts';
import { externalOf, isInternal, type Deliver, type Event } from '../trace/event.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import { TrialRunner } from './trial-runner.ts';

const rules: Rules = { ...noRules, processes: ['a'] };

/** Two processes that send each other numbers, over a network that keeps no order. */
interface Shape {
  /** What the first sends when it starts. */
  readonly first: readonly Said[];
  /** The reply, by message and number of earlier messages. */
  readonly reactions: readonly (readonly Said[])[];
  /** What may not be: that what the second has heard comes to `rest`, modulo `modulus`. */
  readonly modulus: number;
  readonly rest: number;
  /** Which of the enabled events happen, one after the other. */
  readonly picks: readonly number[];
  /** Which of those are dropped. */
  readonly dropped: readonly boolean[];
  readonly likeness: 'type' | 'place';
}

interface Said {
  readonly type: string;
  readonly value: number;
}

type Message = Said & { readonly left: number };

const said = fc.record({ type: fc.constantFrom('m', 'n'), value: fc.nat(3) });

const shapes: fc.Arbitrary<Shape> = fc.record({
  first: fc.array(said, { minLength: 2, maxLength: 4 }),
  reactions: fc.array(fc.array(said, { maxLength: 2 }), { minLength: 1, maxLength: 4 }),
  modulus: fc.integer({ min: 3, max: 40 }),
  rest: fc.nat(12),
  picks: fc.array(fc.nat(5), { minLength: 3, maxLength: 7 }),
  dropped: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
  likeness: fc.constantFrom('type', 'place'),
});

function targetOfShape({ first, reactions }: Shape): Target {
  const process = (begin: readonly Said[]) =>
    behavior<{ seen: number[] }, Message>({
      start(ctx) {
        for (const message of begin) ctx.send('b', { ...message, left: 2 });
        return { seen: [] };
      },
      receive({ seen }, { value, left }, ctx) {
        seen.push(value);
        const back = reactions[(value + seen.length) % reactions.length] ?? [];
        if (left === 0) return;
        for (const { type, value: more } of back)
          ctx.send(ctx.from, { type, value: (value + more + seen.length) % 5, left: left - 1 });
      },
    });
  const system = defineSystem({ processes: { a: process(first), b: process([]) }, transport: 'unordered' });
  return targetOf(resolveSystem(system));
}

const oracleOf = ({ modulus, rest }: Shape): Oracle => ({
  judge(world): Verdict {
    const b = world.up().find(({ name }) => name === 'b') as { state?: { seen: number[] } } | undefined;
    const sum = (b?.state?.seen ?? []).reduce((total, value) => (total * 7 + value + 1) % 1_000_003, 0);
    if (sum === 0 || sum % modulus !== rest) return HOLDS;
    return { kind: 'violated', oracle: 'sum', message: 'it is', processes: ['b'], fingerprint: 'sum' };
  },
});

/** An execution by these picks, and what is left of it. */
function schedules(shape: Shape): { readonly whole: readonly Event[]; readonly kept: readonly Event[] } {
  const session = targetOfShape(shape).open(1);
  for (const process of ['b', 'a']) void session.perform({ kind: 'start', process });
  for (const pick of shape.picks) {
    const { enabled } = session;
    if (enabled.length > 0) void session.perform(enabled[pick % enabled.length] as (typeof enabled)[number]);
  }
  const whole = session.recording.events.since(0).slice();
  return { whole, kept: whole.filter((event, at) => !isInternal(event) || shape.dropped[at] !== true) };
}

/** The slow twin: tries every event of the same kind in the place of each event. */
function canFail(shape: Shape, schedule: readonly Event[], session: Session, at: number): boolean {
  if (oracleOf(shape).judge(session.world, session.world.last).kind === 'violated') return true;
  const wanted = schedule[at];
  if (wanted === undefined) return false;
  const copy = (): Session => session.fork?.() as Session;
  if (!isInternal(wanted)) {
    const next = copy();
    void next.perform(externalOf(wanted));
    return canFail(shape, schedule, next, at + 1);
  }
  const instead = standIns(session, wanted as Deliver, shape.likeness);
  if (instead.length === 0) return canFail(shape, schedule, session, at + 1);
  return instead.some((event) => {
    const next = copy();
    void next.perform(event);
    return canFail(shape, schedule, next, at + 1);
  });
}

function standIns({ enabled }: Session, wanted: Deliver, likeness: 'type' | 'place'): readonly Deliver[] {
  const there = enabled.filter(
    (event): event is Deliver =>
      event.kind === 'deliver' && event.from === wanted.from && event.process === wanted.process,
  );
  const alike = there.filter(({ message }) => (message as Message).type === (wanted.message as Message).type);
  return alike.length > 0 || likeness === 'type' ? alike : there;
}

const trialsOf = (shape: Shape, oracle = oracleOf(shape)): TrialRunner =>
  new TrialRunner({
    target: targetOfShape(shape),
    oracle,
    seed: 1,
    handlerMs: 1_000,
    contentOf: (message) => message,
    rules,
    repeats: undefined,
    isSame: () => true,
    onOther: () => undefined,
  });

/** Tries all alternatives: whether one fails, and which choices were made on the way. */
async function tryAll(trials: TrialRunner, candidate: CandidateSchedule): Promise<{ fails: boolean; asked: string[] }> {
  const asked: string[] = [];
  const asking = alternatives(candidate, Number.POSITIVE_INFINITY);
  let step = asking.next();
  while (step.done !== true) {
    asked.push((step.value.choices ?? []).join(' '));
    step = asking.next(await trials.test(step.value));
  }
  return { fails: step.value.failing !== undefined, asked };
}

const candidateOf = ({ likeness }: Shape, events: readonly Event[]): CandidateSchedule => ({
  events,
  likeness,
  absent: 'skip',
  targets: new Map(),
});

/** What the passes begin with, as far as it matters here. */
const beginning = (events: readonly Event[]): Failing => ({ events }) as unknown as Failing;

describe('all alternatives of a candidate', () => {
  test('fail where trying everything by hand does, and nothing is tried twice', async () => {
    const failed = { atOnce: 0, later: 0, never: 0 };
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const { kept } = schedules(shape);
        const trials = trialsOf(shape);
        trials.rebase(beginning([]));
        const { fails, asked } = await tryAll(trials, candidateOf(shape, kept));
        expect(fails).toBe(canFail(shape, kept, targetOfShape(shape).open(1), 0));
        expect(new Set(asked).size).toBe(asked.length);
        failed[!fails ? 'never' : asked.length === 1 ? 'atOnce' : 'later'] += 1;
      }),
      { numRuns: 600, seed: 1 },
    );
    expect(failed).toEqual({ atOnce: 69, later: 51, never: 480 });
  });

  test('are the same whether beginnings are shared or not', async () => {
    let [executed, shared] = [0, 0];
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const candidate = candidateOf(shape, schedules(shape).kept);
        const [one, other] = [trialsOf(shape), trialsOf(shape)];
        other.rebase(beginning([]));
        expect(await tryAll(other, candidate)).toEqual(await tryAll(one, candidate));
        expect(other.schedules).toBe(one.schedules);
        executed += one.events;
        shared += other.events;
      }),
      { numRuns: 300, seed: 2 },
    );
    expect(shared).toBeLessThan(executed * 0.6);
  });

  test('are those after what the candidate and the failing execution begin with', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const { whole, kept } = schedules(shape);
        const trials = trialsOf(shape);
        trials.rebase(beginning(whole));
        const { fails } = await tryAll(trials, candidateOf(shape, kept));
        const same = whole.findIndex((event, at) => kept[at] !== event);
        const session = targetOfShape(shape).open(1);
        const common = whole.slice(0, same < 0 ? whole.length : same);
        for (const event of common) void session.perform(isInternal(event) ? event : externalOf(event));
        expect(fails).toBe(canFail(shape, kept, session, common.length));
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});

const nobody = behavior<object, never>({ start: () => ({}), receive() {} });
const system = resolveSystem(defineSystem({ processes: { a: nobody } }));

test('a candidate that did not fail is not executed again, until the violation changes', async () => {
  let sought = 'another';
  const trials = new TrialRunner({
    target: targetOf(system),
    oracle: {
      judge: (world) =>
        world.length === 0
          ? { kind: 'holds' }
          : { kind: 'violated', oracle: 'empty', message: 'a is there', processes: [], fingerprint: 'empty' },
    },
    seed: 1,
    handlerMs: 1_000,
    contentOf: (message) => message,
    rules,
    repeats: undefined,
    isSame: ({ fingerprint }) => fingerprint === sought,
    onOther: () => {},
  });
  const candidate: CandidateSchedule = {
    events: [{ kind: 'start', process: 'a', cause: -1, ...digestText('a') }],
    likeness: 'content',
    targets: new Map(),
  };
  const ask = async () => [(await trials.test(candidate)).failing?.events.length, trials.schedules];

  expect(await ask()).toEqual([undefined, 1]);
  sought = 'empty';
  expect(await ask()).toEqual([undefined, 1]);
  trials.clear();
  expect(await ask()).toEqual([1, 2]);
});
