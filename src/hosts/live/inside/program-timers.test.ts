import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../kernel/uncontrolled/session-clock.ts';
import { ProgramTimers } from './program-timers.ts';

function started() {
  const asked: string[] = [];
  const timers = new ProgramTimers({
    clock: new FakeClock(),
    setTimer: (timer, ms) => void asked.push(`set ${timer} ${ms}`),
    repeatTimer: (timer, ms) => void asked.push(`repeat ${timer} ${ms}`),
    cancelTimer: (timer) => void asked.push(`cancel ${timer}`),
  });
  const fired: string[] = [];
  const set = (name: string, ms: number, isRepeated = false): void =>
    timers.set(name, ms, isRepeated, { line: {}, say: () => void fired.push(name) });
  return { timers, asked, fired, set };
}

test('timers of a program that starts fire by themselves', async () => {
  const { timers, asked, fired, set } = started();
  set('soon', 1);
  set('canceled', 1);
  timers.cancel('canceled');
  while (fired.length === 0) await delay(1);
  expect([fired, asked]).toEqual([['soon'], []]);
});

test('timers of a program that is ready fire when their event happens', () => {
  const { timers, asked, fired, set } = started();
  set('early', 500);
  set('again', 20, true);
  timers.ready();
  set('late', 30);
  set('gone', 40);
  timers.cancel('gone');
  timers.cancel('never set');
  expect(asked).toEqual(['set early 500', 'repeat again 20', 'set late 30', 'set gone 40', 'cancel gone']);
  for (const name of ['again', 'late', 'again', 'late', 'gone']) timers.fire(name);
  expect(fired).toEqual(['again', 'late', 'again']);
});

test('a name that a timer has gets a number', () => {
  const { timers, set } = started();
  timers.ready();
  expect(timers.unusedName('sleep')).toBe('sleep');
  set('sleep', 1);
  set('sleep (2)', 1);
  expect(timers.unusedName('sleep')).toBe('sleep (3)');
});
