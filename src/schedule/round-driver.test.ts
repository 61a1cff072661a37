import { expect, test } from 'vitest';
import { Random } from '../kernel/data/random.ts';
import { defaultPace } from '../kernel/declaration.ts';
import { Pause, type Session } from '../kernel/ports.ts';
import { send, start } from '../system/externals.ts';
import { untilQuiet } from '../system/workload.ts';
import { RandomChooser } from './choosers/random.ts';
import { RoundDriver } from './round-driver.ts';

const nothing = { length: 0, since: () => [] };

/** A session in which nothing happens by itself. */
const silent = (nowMs: number): Session =>
  ({
    nowMs,
    enabled: [],
    faults: () => [],
    refusal: () => undefined,
    isBackground: () => false,
    recording: { events: nothing, notes: nothing },
    world: { last: undefined, length: 0 },
  }) as unknown as Session;

test('an input is a round, and a wait as many as it may last', () => {
  const pace = { ...defaultPace, roundMs: 100, quietMs: 50 };
  const items = [start('a'), send('a', 1), untilQuiet({ withinMs: 300 }), send('a', 2), untilQuiet()];
  const driver = new RoundDriver(
    new RandomChooser(Random.seeded(1, 1), {}),
    Random.seeded(1, 2),
    { items, startsFirst: 1, triggers: [] },
    pace,
  );
  expect(driver.rounds).toBe(6);
  const met: [round: number, what: string | undefined][] = [];
  for (let nowMs = 0; nowMs <= 400; nowMs += 50) {
    const event = driver.next(silent(nowMs));
    met.push([driver.round, event instanceof Pause ? 'pause' : event?.kind]);
  }
  expect(met.filter(([, what]) => what !== 'pause' && what !== undefined)).toEqual([
    [1, 'start'],
    [1, 'send'],
    [5, 'send'],
  ]);
});
