import { expect, test } from 'vitest';
import { Random } from '../kernel/data/random.ts';
import { defaultPace } from '../kernel/declaration.ts';
import { Pause, type Session } from '../kernel/ports.ts';
import { send, start } from '../system/externals.ts';
import { until, untilQuiet, untilRested, untilRound, type PlanItem } from '../system/workload.ts';
import { RandomChooser } from './choosers/random.ts';
import { RoundDriver } from './round-driver.ts';

const nothing = { length: 0, since: () => [] };

/** A session in which nothing happens by itself, though it might. */
const silent = (nowMs: number): Session =>
  ({
    nowMs,
    enabled: [],
    faults: () => [],
    refusal: () => undefined,
    isBackground: () => false,
    guarantees: { controlled: false },
    recording: { events: nothing, notes: nothing },
    world: { last: undefined, length: 0, delayed: [] },
  }) as unknown as Session;

const pace = { ...defaultPace, roundMs: 100, quietMs: 50 };

const driverOf = (items: readonly PlanItem[]): RoundDriver =>
  new RoundDriver(
    new RandomChooser(Random.seeded(1, 1), {}),
    Random.seeded(1, 2),
    { items, startsFirst: 1, triggers: [] },
    pace,
  );

/** What happens, by `of`, if the driver is asked every 50 ms, and more often while it has something to do. */
function driven<T>(driver: RoundDriver, of: (kind: string, nowMs: number) => T): T[] {
  const happened: T[] = [];
  for (let nowMs = 0; nowMs <= 600; nowMs += 50)
    for (let event = driver.next(silent(nowMs)); event !== undefined; event = driver.next(silent(nowMs))) {
      if (event instanceof Pause) break;
      happened.push(of(event.kind, nowMs));
    }
  return happened;
}

test('an input is a round, and a wait as many as it may last', () => {
  const items = [start('a'), send('a', 1), untilQuiet({ withinMs: 300 }), send('a', 2), untilQuiet()];
  const driver = driverOf(items);
  expect(driver.rounds).toBe(6);
  expect(driven(driver, (kind) => [driver.round, kind])).toEqual([
    [1, 'start'],
    [1, 'send'],
    [4, 'wait'],
    [5, 'send'],
    [6, 'wait'],
  ]);
});

test('time in which somebody else acted counts for no limit', () => {
  const driver = driverOf([start('a'), until(() => false, { withinMs: 300 }), send('a', 1)]);
  const at = (nowMs: number): string | number | undefined => {
    const event = driver.next(silent(nowMs));
    return event instanceof Pause ? event.until.ms : event?.kind;
  };
  expect([at(0), at(100)]).toEqual(['start', 300]);
  driver.leaveOut(pace.executionMs);
  expect([at(pace.executionMs + 200), at(pace.executionMs + 400)]).toEqual([200, 'wait']);
});

test('where the workload says where rounds end, several inputs are one round', () => {
  const round = [send('a', 1), send('a', 2), untilRound];
  expect(driverOf([start('a'), ...round, untilRested({ withinMs: 300 }), ...round]).rounds).toBe(5);
});

test('waits that only space the workload are no events, and take the same time', () => {
  const [first, second, third] = [send('a', 1), send('a', 2), send('a', 3)];
  const timed = (items: readonly PlanItem[]): [string, number][] =>
    driven(driverOf([start('a'), ...items]), (kind, nowMs) => [kind, nowMs]);
  const rounds = timed([first, second, untilRound, untilRested({ withinMs: 300 }), third]);
  expect(rounds).toEqual([
    ['start', 0],
    ['send', 0],
    ['send', 0],
    ['send', 100],
  ]);
  const spaced = timed([first, untilRested({ withinMs: 300 }), second]);
  const waited = timed([first, untilQuiet({ withinMs: 300 }), second]);
  expect(waited.filter(([kind]) => kind !== 'wait')).toEqual(spaced);
  expect(waited).toHaveLength(spaced.length + 1);
});
