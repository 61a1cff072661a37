import { act, behavior, crash, cut, defineSystem, heal, restart, send, type System } from 'culprit';
import { Random, type AnyBehavior, type Faults } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { ticking, type Box, type Program } from './ticking.ts';

/*
 * Random systems of black boxes and actors of every shape: boxes that answer at once, late or never, that speak by themselves, on
 * lanes; actors with timers, sleeps and asks; losses, duplicates, holds, cuts, crashes and restarts, also by actions.
 */

interface Talk {
  readonly hops: number;
  readonly word: number;
}

/** Depends on every message that the process got, and on their order. */
interface Sums {
  sum: number;
  got: number;
}

const take = (sums: Sums, word: number): void => {
  sums.sum = (sums.sum * 31 + word + 1) % 9973;
  sums.got += 1;
};

interface Shape {
  readonly names: readonly string[];
  /** The longest time that a box takes for an answer. */
  readonly mostMs: number;
  /** How often a box speaks by itself, and how far apart. */
  readonly beats: number;
  readonly everyMs: number;
  /** Whether what a box says later depends on what it got meanwhile. */
  readonly isHasty: boolean;
  readonly chance: Chance;
}

/** What happens by chance: so many of a hundred answers of a box are missing. */
export interface Chance {
  readonly missingPercent: number;
  /** Which answers of the last session were missing. */
  draws: string;
}

/** What a process does with a message, decided by what it got so far: to whom it passes it on, on which lane, how much later. */
const reactionTo = ({ hops }: Talk, { sum }: Sums, { names, mostMs }: Shape) => ({
  to: names[sum % names.length] as string,
  message: { hops: hops - 1, word: sum % 11 },
  options: sum % 3 === 0 ? { lane: 'bulk' } : {},
  afterMs: (sum * 7) % (mostMs + 1),
  // Some are never answered.
  isSilent: hops <= 0 || sum % 8 === 0,
});

function box(shape: Shape): AnyBehavior {
  const { names, beats, everyMs, isHasty, chance } = shape;
  const lives = new WeakMap<object, Sums>();
  const sumsOf = (self: object): Sums => {
    const known = lives.get(self) ?? { sum: 0, got: 0 };
    lives.set(self, known);
    return known;
  };
  const isMissing = (self: Box): boolean => {
    const isDrawn = self.dice.below(100) < chance.missingPercent;
    chance.draws += `${self.self} ${isDrawn ? 'misses' : 'answers'}, `;
    return isDrawn;
  };
  const program: Program = {
    start(self) {
      if (self.self === names[0] && self.lives === 1) chance.draws = '';
      for (let beat = 1; beat <= beats; beat++)
        self.after(beat * everyMs, () => {
          const word = isHasty ? sumsOf(self).sum % 11 : beat;
          self.send(names[beat % names.length] as string, { hops: 1, word });
        });
    },
    receive(self, message) {
      const sums = sumsOf(self);
      take(sums, (message as Talk).word);
      if (sums.sum % 2 === 0) self.reply({ hops: 0, word: sums.sum % 11 });
      if (sums.sum % 5 === 0) self.observe('sum', sums.sum);
      const { to, message: next, options, afterMs, isSilent } = reactionTo(message as Talk, sums, shape);
      if (isSilent || isMissing(self)) return;
      const answer = (): void => {
        const word = isHasty ? (next.word + sums.sum) % 11 : next.word;
        self.send(to, { ...next, word }, options);
        // Several events at once: only then can one be held back until another.
        if (sums.sum % 3 !== 0) for (const name of names) self.send(name, { hops: 0, word }, { lane: 'news' });
      };
      if (afterMs === 0) answer();
      else self.after(afterMs, answer);
    },
    view: (self) => ({ ...sumsOf(self) }),
  };
  return ticking(program);
}

interface Habits {
  readonly hasTimers: boolean;
  readonly hasSleeps: boolean;
  readonly asks: boolean;
}

const actor = (shape: Shape, { hasTimers, hasSleeps, asks }: Habits): AnyBehavior =>
  behavior<Sums, Talk>({
    start(ctx) {
      if (hasTimers) ctx.setTimer('beat', shape.mostMs + 3);
      return { sum: 0, got: 0 };
    },
    async receive(state, message, ctx) {
      take(state, message.word);
      const { to, message: next, options, afterMs, isSilent } = reactionTo(message, state, shape);
      if (isSilent) return;
      if (hasTimers && state.sum % 4 === 0) ctx.setTimer('beat', afterMs);
      if (hasTimers && state.sum % 7 === 0) ctx.cancelTimer('beat');
      if (hasSleeps && state.sum % 2 === 0) await ctx.sleep(afterMs);
      if (!asks || to === ctx.self || state.sum % 3 !== 0) return ctx.send(to, next, options);
      try {
        take(state, (await ctx.ask(to, next, { ...options, timeoutMs: 1 + afterMs })).word);
      } catch {
        take(state, 7);
      }
    },
    timer(state, _timer, ctx) {
      take(state, 5);
      if (state.got < 30)
        ctx.send(shape.names[state.sum % shape.names.length] as string, { hops: 2, word: state.sum % 11 });
    },
  });

const FAULTS = ['crashes', 'restarts', 'partitions', 'losses', 'duplicates', 'holds'] as const;

function randomFaults(random: Random): Partial<Faults> {
  if (random.below(3) === 0) return { holds: 3 + random.below(3) };
  const faults: Partial<Record<keyof Faults, number>> = {};
  for (const fault of FAULTS) if (random.below(2) === 0) faults[fault] = 1 + random.below(2);
  return faults;
}

function randomInput(random: Random, names: readonly string[]): External[] {
  const [one, other] = [random.pick(names), random.pick(names)];
  const talk = send(one, { hops: random.below(5), word: random.below(11) });
  if (random.below(10) === 0) return [crash(one), restart(one)];
  if (random.below(10) === 0 && one !== other) return [cut([one], [other]), talk, heal([one], [other])];
  return [random.below(8) === 0 ? act('outage', one) : talk];
}

/** A process crashes, and the first of the others gets a message. */
const outage =
  (names: readonly string[]) =>
  (_world: unknown, name: string): External[] => [
    crash(name),
    restart(name),
    send(names.find((other) => other !== name) as string, { hops: 2, word: 9 }),
  ];

/**
 * A random system. It is violated when the sum of a process has a certain value, which few executions lead to. What its boxes do is
 * decided by what they get, and when, and by chance.
 */
export function randomBlackBoxes(seed: number, chance: Chance = { missingPercent: 0, draws: '' }): System {
  const random = Random.seeded(seed, 0x626f_7865);
  const boxes = Array.from({ length: 1 + random.below(2) }, (_, at) => `box${at + 1}`);
  const actors = Array.from({ length: 1 + random.below(3) }, (_, at) => `actor${at + 1}`);
  const names = [...boxes, ...actors];
  const [mostMs, everyMs] = [random.pick([0, 5, 20, 60]), random.pick([5, 20, 33])];
  const shape: Shape = { names, mostMs, everyMs, beats: random.below(4), isHasty: random.below(3) === 0, chance };
  const isOneIn = (many: number): boolean => random.below(many) === 0;
  const habits = (): Habits => ({ hasTimers: isOneIn(2), hasSleeps: isOneIn(3), asks: isOneIn(2) });
  const processes: Record<string, AnyBehavior> = {};
  for (const name of boxes) processes[name] = box(shape);
  for (const name of actors) processes[name] = actor(shape, habits());
  const divisor = 13 + random.below(20);
  return defineSystem({
    processes,
    actions: { outage: outage(names) },
    faults: randomFaults(random),
    transport: {
      order: random.pick(['fifo', 'unordered']),
      onCut: random.pick(['hold', 'drop']),
      onCrash: { to: random.pick(['drop', 'keep']), from: random.pick(['drop', 'keep']) },
      toAbsent: random.pick(['drop', 'keep', 'return']),
    },
    pace: { roundMs: random.pick([1, 5, 10, 20, 50]), quietMs: 100 + random.below(100), executionMs: 3000 },
    workload: Array.from({ length: 2 + random.below(6) }, () => randomInput(random, names)).flat(),
    invariants: {
      noCertainSum: (world) =>
        names.every((name) => {
          const { sum = 1, got = 0 } = (world.process(name).state ?? {}) as Partial<Sums>;
          return got < 3 || sum % divisor !== 0;
        }),
    },
  });
}
