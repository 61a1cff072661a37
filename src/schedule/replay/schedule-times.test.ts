import { expect, test } from 'vitest';
import { ENVIRONMENT, type Event } from '../../trace/event.ts';
import { ScheduleTimes } from './schedule-times.ts';

const place = (atMs: number) => ({ process: ENVIRONMENT, cause: -1, hi: 0, lo: 0, atMs });
const act = (atMs: number): Event => ({ kind: 'act', action: 'ping', ...place(atMs) });
const wait = (atMs: number, tookMs: number): Event => ({
  kind: 'wait',
  condition: 'the system is quiet',
  tookMs,
  met: true,
  ...place(atMs),
});

test('without a wait, what follows is due so much earlier, and the clock of the recording has the wait', () => {
  const [first, waited, second, third] = [act(100), wait(600, 500), act(610), act(630)];
  const times = new ScheduleTimes([first, waited, second, third], [first, second, third]);
  times.happens(0, 40);
  expect([times.dueMs(1), times.dueMs(2)]).toEqual([50, 70]);
  expect(times.inRecording(45)).toBe(105);
  times.happens(1, 60);
  expect(times.dueMs(2)).toBe(80);
  expect(times.inRecording(65)).toBe(615);
});
