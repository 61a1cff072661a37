import { behavior, defineSystem, delay, lose, send } from 'culprit';
import type { AnyBehavior, ArrivalFault } from 'culprit/kernel';
import type { Event } from 'culprit/trace';
import { expect, test } from 'vitest';
import { eventsOf } from '../../test/twins/one-execution.ts';
import { ticking } from '../../test/twins/ticking.ts';
import { resolveSystem } from '../system/resolve.ts';

type Message = { type: 'go' } | { type: 'item'; n: number };

const ITEMS = 4;
const TICKS = 9;

/** Sends four numbers to the receiver. */
const sender = behavior<object, Message>({
  start: () => ({}),
  receive(_state, _message, ctx) {
    for (let n = 1; n <= ITEMS; n++) ctx.send('receiver', { type: 'item', n });
  },
});

const speaker = ticking({
  receive: (box) => {
    for (let n = 1; n <= ITEMS; n++) box.send('receiver', { type: 'item', n });
  },
});

const receiver = behavior<object, Message>({ start: () => ({}), receive() {} });

/** A clock for the others: virtual time passes by its timer. */
const ticker = behavior<{ left: number }, Message>({
  start(ctx) {
    ctx.setTimer('tick', 100);
    return { left: TICKS };
  },
  receive() {},
  timer(state, name, ctx) {
    state.left -= 1;
    if (state.left > 0) ctx.setTimer(name, 100);
  },
});

const isItem = ({ kind, process }: Event): boolean => kind === 'deliver' && process === 'receiver';

const itemsOf = (events: readonly Event[]): number[] =>
  events.flatMap((event) => (event.kind === 'deliver' && isItem(event) ? [(event.message as { n: number }).n] : []));

const systemOf = (sends: AnyBehavior, faults: readonly ArrivalFault[]) =>
  defineSystem({
    processes: { sender: sends, receiver, ticker },
    timers: { skewMs: 0 },
    triggers: faults.map((fault) => ({ before: isItem, do: fault })),
    workload: [send('sender', { type: 'go' })],
  });

const seeds = [1, 2, 3, 4, 5];

test.each([
  ['controlled', sender],
  ['by itself', speaker],
])(
  'of two equal triggers the second loses the second message of a process that is %s, and nothing else is lost',
  async (_how, sends) => {
    for (const seed of seeds) {
      const events = await eventsOf(systemOf(sends, [lose(), lose()]), seed);
      expect(itemsOf(events)).toEqual([3, 4]);
      expect(events.filter(({ kind }) => kind === 'lose')).toHaveLength(2);
    }
  },
);

test('where every event is controlled, a message and those behind it wait until virtual time has passed', async () => {
  for (const seed of seeds) {
    const events = await eventsOf(systemOf(sender, [delay(250), delay(400)]), seed);
    expect(itemsOf(events)).toEqual([1, 2, 3, 4]);
    const [first = 0, second = 0] = events.flatMap((event, at) => (isItem(event) ? [at] : []));
    const ticksBefore = (at: number): number => events.slice(0, at).filter(({ kind }) => kind === 'fire').length;
    const sent = events.findIndex((event) => event.kind === 'deliver' && event.process === 'sender');
    // Time passes in steps of 100 ms.
    expect(ticksBefore(first)).toBeGreaterThanOrEqual(Math.min(TICKS, ticksBefore(sent) + 3));
    expect(ticksBefore(second)).toBeGreaterThanOrEqual(Math.min(TICKS, ticksBefore(first) + 4));
    expect(events.some(({ kind }) => kind === 'hold' || kind === 'delay')).toBe(false);
  }
});

test('beside a process that acts by itself, a delay is an event', async () => {
  const events = await eventsOf(systemOf(speaker, [delay(250)]), 1);
  expect(itemsOf(events)).toEqual([1, 2, 3, 4]);
  const delayed = events.findIndex(({ kind }) => kind === 'delay');
  expect(events[delayed]).toMatchObject({ kind: 'delay', ms: 250 });
  const [first] = events.filter(isItem);
  expect((first?.atMs ?? 0) - (events[delayed]?.atMs ?? 0)).toBeGreaterThanOrEqual(250);
});

test('a message that has arrived cannot be lost', () => {
  const system = defineSystem({
    processes: { receiver },
    triggers: [{ after: isItem, do: lose() as never }],
  });
  expect(() => resolveSystem(system)).toThrow('trigger 1 is to lose a message that has arrived.');
});
