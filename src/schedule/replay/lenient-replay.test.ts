import { describe, expect, test } from 'vitest';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import { defaultTransport, noFaults, type Declaration } from '../../kernel/declaration.ts';
import { act, send, start } from '../../system/externals.ts';
import type { Pause, Session } from '../../kernel/ports.ts';
import { Simulation } from '../../kernel/simulation.ts';
import { hex } from '../../trace/digest.ts';
import { isInternal, type Deliver, type Event, type External, type Internal } from '../../trace/event.ts';
import { LenientReplay, type LenientReplayOptions } from './lenient-replay.ts';
import { Matcher } from './match.ts';

interface Talk {
  readonly type: string;
  readonly n: number;
}

/** Sends on request: `{ type: 'say', n }` makes it send three messages of one type to `b`. */
const a: AnyBehavior = {
  start: () => ({}),
  receive(_state, message, ctx) {
    const { n } = message as Talk;
    for (const part of [1, 2, 3]) ctx.send('b', { type: n === 9 ? 'other' : 'word', n, part });
  },
};
const b: AnyBehavior = {
  start(ctx) {
    ctx.setTimer('t', 1);
    ctx.setTimer('u', 1);
    return {};
  },
  receive() {},
};

const declaration = (order: 'fifo' | 'unordered'): Declaration => ({
  processes: new Map([
    ['a', a],
    ['b', b],
  ]),
  kinds: new Map(),
  actions: new Map([['say', (): External[] => [send('a', { type: 'say', n: 1 }), send('a', { type: 'say', n: 2 })]]]),
  transport: { ...defaultTransport, order },
  timers: 'any',
  faults: { ...noFaults, losses: 9, duplicates: 9, holds: 9 },
});

const open = (order: 'fifo' | 'unordered'): Session => Simulation.open(declaration(order), 1);
const say = (n: number): External => send('a', { type: 'say', n });
const starts = [start('a'), start('b')];

function words(event: Event): string {
  if (event.kind === 'fire') return `fire ${event.timer}`;
  if (event.kind !== 'deliver') return event.kind;
  const { type, n, part } = event.message as Talk & { part?: number };
  return `${event.process} gets ${type} ${n}${part === undefined ? '' : `.${part}`}`;
}

/** An execution by hand: externals as they are, events by their words. */
function made(order: 'fifo' | 'unordered', ...steps: readonly (External | string)[]): Session {
  const session = open(order);
  for (const step of steps) {
    const found = typeof step === 'string' ? session.enabled.find((event) => words(event) === step) : step;
    if (found === undefined) throw new Error(`${JSON.stringify(step)} is not enabled`);
    void session.perform(found);
  }
  return session;
}

const eventsOf = ({ recording }: Session): Event[] => recording.events.since(0);

/** What happens where a schedule is followed. */
function followed(
  order: 'fifo' | 'unordered',
  schedule: readonly Event[],
  options: Partial<LenientReplayOptions> = {},
): { readonly happened: string[]; readonly ambiguities: readonly number[] } {
  const session = open(order);
  const matcher = new Matcher((message) => message);
  const following = new LenientReplay(schedule, {
    matcher,
    likeness: 'content',
    absent: 'skip',
    choices: undefined,
    targets: new Map(),
    ...options,
  });
  for (let step = following.next(session); step !== undefined; step = following.next(session))
    void session.perform(step as Exclude<typeof step, Pause>);
  return { happened: eventsOf(session).slice(2).map(words), ambiguities: following.ambiguities };
}

/** Without the event that the words name, the first time. */
const without = (events: readonly Event[], left: string): Event[] =>
  events.filter((_event, at) => at !== events.findIndex((event) => words(event) === left));

describe('what cannot happen', () => {
  const events = eventsOf(
    made(
      'unordered',
      ...starts,
      say(1),
      'a gets say 1',
      'b gets word 1.2',
      say(2),
      'a gets say 2',
      'b gets word 2.1',
      'fire t',
    ),
  );
  const rest = events.filter((event) => words(event) !== 'a gets say 1');

  test('is passed over', () => {
    expect(followed('unordered', rest).happened).toEqual(['send', 'send', 'a gets say 2', 'b gets word 2.1', 'fire t']);
  });

  test('ends it, where that is wanted', () => {
    expect(followed('unordered', rest, { absent: 'stop' }).happened).toEqual(['send']);
  });
});

describe('what stands in', () => {
  const events = eventsOf(made('unordered', ...starts, say(1), say(2), 'a gets say 1', 'b gets word 1.2', 'fire t'));
  const other = events.map((event) =>
    words(event) === 'a gets say 1'
      ? (made('unordered', ...starts, say(1), say(2)).enabled.find((one) => words(one) === 'a gets say 2') as Internal)
      : event,
  );

  test('is something of the same type, the most like it first', () => {
    expect(followed('unordered', other).happened).toEqual(['send', 'send', 'a gets say 2', 'fire t']);
    const { happened, ambiguities } = followed('unordered', other, { likeness: 'type' });
    expect(happened).toEqual(['send', 'send', 'a gets say 2', 'b gets word 2.2', 'fire t']);
    expect(ambiguities).toEqual([3]);
  });

  test('is another of them, where that was chosen', () => {
    // Where choices are made, the event itself is the first of them; of the others the oldest, then the youngest.
    const word = (choices: readonly number[], settled = 0): string | undefined =>
      followed('unordered', other, { likeness: 'type', choices, settled }).happened.at(-2);
    expect([[], [0, 1], [0, 2]].map((choices) => word(choices))).toEqual([
      'b gets word 2.1',
      'b gets word 2.3',
      'b gets word 2.2',
    ]);
    expect(word([1])).toBe('b gets word 1.2');
    // What is settled is no choice: the first is then the one that follows.
    expect(word([1], 5)).toBe('b gets word 2.3');
  });

  test('is whatever is next in its place, where that counts', () => {
    const nine = eventsOf(made('fifo', ...starts, say(9), say(1), 'a gets say 9', 'b gets other 9.1'));
    const one = made('fifo', ...starts, say(9), say(1)).enabled.find(
      (event) => words(event) === 'a gets say 1',
    ) as Internal;
    const schedule = nine.map((event) => (words(event) === 'a gets say 9' ? one : event));
    expect(followed('fifo', schedule, { likeness: 'type' }).happened).toEqual(['send', 'send', 'a gets say 1']);
    const placed = followed('fifo', schedule, { likeness: 'place' });
    expect(placed.happened).toEqual(['send', 'send', 'a gets say 1', 'b gets word 1.1']);
  });

  test('is any timer of the process, where its place counts', () => {
    const twice = eventsOf(made('fifo', ...starts, 'fire t'));
    const schedule = [...twice, twice.at(-1) as Event];
    expect(followed('fifo', schedule, { likeness: 'type' }).happened).toEqual(['fire t']);
    expect(followed('fifo', schedule, { likeness: 'place' }).happened).toEqual(['fire t', 'fire u']);
  });
});

describe('a repair', () => {
  const events = eventsOf(made('fifo', ...starts, say(1), 'a gets say 1', 'b gets word 1.1', 'b gets word 1.2'));

  test('delivers what stands in front', () => {
    const nine = eventsOf(
      made(
        'fifo',
        ...starts,
        say(9),
        say(1),
        'a gets say 9',
        'a gets say 1',
        'b gets other 9.1',
        'b gets other 9.2',
        'b gets other 9.3',
        'b gets word 1.1',
      ),
    );
    const schedule = without(without(nine, 'b gets other 9.1'), 'b gets other 9.2');
    expect(followed('fifo', schedule).happened).toEqual(['send', 'send', 'a gets say 9', 'a gets say 1']);
    for (const absent of ['repair', 'unblock'] as const) {
      expect(followed('fifo', schedule, { absent, likeness: 'type' }).happened).toEqual([
        'send',
        'send',
        'a gets say 9',
        'a gets say 1',
        'b gets other 9.1',
        'b gets other 9.2',
        'b gets other 9.3',
        'b gets word 1.1',
      ]);
    }
  });

  test('lets the sender do what makes it send, unless it may only unblock', () => {
    const schedule = without(events, 'a gets say 1');
    expect(followed('fifo', schedule, { likeness: 'type' }).happened).toEqual(['send']);
    expect(followed('fifo', schedule, { absent: 'unblock', likeness: 'type' }).happened).toEqual(['send']);
    expect(followed('fifo', schedule, { absent: 'repair', likeness: 'type' }).happened).toEqual([
      'send',
      'a gets say 1',
      'b gets word 1.1',
      'b gets word 1.2',
    ]);
  });
});

describe('a loss', () => {
  /** The second word of the first round is lost, and the first is delivered. */
  const session = made('unordered', ...starts, say(1), say(2), 'a gets say 1');
  const target = session.enabled.find((event) => words(event) === 'b gets word 1.2') as Deliver;
  void session.perform({ kind: 'lose', target: hex(target) });
  const events = eventsOf(session);

  test('hits the message itself', () => {
    const targets = new Map([[hex(target), target]]);
    const { happened, ambiguities } = followed('unordered', events, { targets });
    expect([happened, ambiguities]).toEqual([['send', 'send', 'a gets say 1', 'lose'], []]);
  });

  test('or the one most like it', () => {
    const swapped = events.map((event) => {
      const say2 = made('unordered', ...starts, say(1), say(2)).enabled.find((one) => words(one) === 'a gets say 2');
      return words(event) === 'a gets say 1' ? (say2 as Internal) : event;
    });
    const strategy = followed('unordered', swapped, { likeness: 'type', targets: new Map([[hex(target), target]]) });
    expect(strategy.happened).toEqual(['send', 'send', 'a gets say 2', 'lose']);
    // None says the same.
    const exact = followed('unordered', swapped, { targets: new Map([[hex(target), target]]) });
    expect(exact.happened).toEqual(['send', 'send', 'a gets say 2']);
  });
});

describe('a hold', () => {
  /** The first word of the first round waits until the second round is said. */
  const session = made('unordered', ...starts, say(1), say(2), 'a gets say 1');
  const called = (name: string): Internal => session.enabled.find((event) => words(event) === name) as Internal;
  const [target, until] = [called('b gets word 1.1'), called('a gets say 2')];
  void session.perform({ kind: 'hold', target: hex(target), until: hex(until) });
  void session.perform(until);
  void session.perform(target);
  const events = eventsOf(session);
  const targets = new Map([
    [hex(target), target],
    [hex(until), until],
  ]);

  test('holds the message itself until the event itself', () => {
    expect(followed('unordered', events, { targets }).happened).toEqual([
      'send',
      'send',
      'a gets say 1',
      'hold',
      'a gets say 2',
      'b gets word 1.1',
    ]);
  });

  test('is left out with the message, or with the event that ends it', () => {
    expect(followed('unordered', without(events, 'a gets say 1'), { targets }).happened).toEqual([
      'send',
      'send',
      'a gets say 2',
    ]);
    // Without the second send there is no event that could end it.
    const shorter = events.filter((event) => event.kind !== 'send' || (event.message as Talk).n === 1);
    expect(followed('unordered', shorter, { targets }).happened).toEqual(['send', 'a gets say 1', 'b gets word 1.1']);
  });

  test('ends with the event most like the original one', () => {
    const [, , other] = eventsOf(made('unordered', ...starts, say(3))) as [Event, Event, Event];
    const isSecond = (event: Event): boolean => event.kind === 'send' && (event.message as Talk).n === 2;
    const changed = events.map((event) => (isSecond(event) ? other : event));
    const { happened } = followed('unordered', changed, { targets, likeness: 'type' });
    expect(happened).toEqual(['send', 'send', 'a gets say 1', 'hold', 'a gets say 3', 'b gets word 1.1']);
  });
});

test('what an action brings about comes with it, and is not done again', () => {
  const events = eventsOf(made('unordered', ...starts, act('say'), 'a gets say 2'));
  expect(events.filter((event) => !isInternal(event)).map(words)).toEqual(['start', 'start', 'act', 'send', 'send']);
  expect(followed('unordered', events, { absent: 'stop' }).happened).toEqual(['act', 'send', 'send', 'a gets say 2']);
});
