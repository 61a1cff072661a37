import { expect, test } from 'vitest';
import { ProcessTimes } from './process-times.ts';
import { FakeClock } from './session-clock.ts';

/** The times of a session whose clock shows what the test says. */
function session(): { clock: FakeClock; times: ProcessTimes } {
  const clock = new FakeClock();
  return { clock, times: new ProcessTimes(clock) };
}

test('between events, processes get the time of the session', () => {
  const { clock, times } = session();
  clock.nowMs = 5;
  expect(times.read('c1')).toBe(5);
});

test('while a process reacts, it gets the time of the event and a little more each time; others get that of the session', () => {
  const { clock, times } = session();
  times.begins('c1', 10);
  clock.nowMs = 17;
  expect([times.read('c1'), times.read('c1'), times.read('c2')]).toEqual([10.001, 10.002, 17]);
  times.ends();
  expect(times.read('c1')).toBe(17);
});

test('a process that waits in its reaction for the time to pass gets the time of the session', () => {
  const { clock, times } = session();
  times.begins('c1', 0);
  clock.nowMs = 50;
  for (let reads = 0; reads < 1_000; reads++) expect(times.read('c1')).toBeLessThan(2);
  expect(times.read('c1')).toBe(50);
});

test('a replay gives the times of the recording: those of its events, and between them none beyond the event that follows', () => {
  const { clock, times } = session();
  times.follow({ atMs: 100, beforeMs: 120 });
  clock.nowMs = 7;
  times.begins('c1', 7);
  expect(times.read('c1')).toBe(100.001);
  times.ends();
  clock.nowMs = 12;
  expect(times.read('c1')).toBe(105);
  clock.nowMs = 90;
  expect(times.read('c1')).toBe(119.999);
  times.begins('c1', 90);
  expect(times.read('c1')).toBe(120);
});

test('the time does not run backward where a replay leaves out events', () => {
  const { times } = session();
  times.follow({ atMs: 100, beforeMs: 200 });
  times.begins('c1', 0);
  expect(times.read('c1')).toBe(100.001);
  times.follow({ atMs: 60, beforeMs: 80 });
  times.begins('c1', 1);
  expect(times.read('c1')).toBe(100.001);
});
