import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applyChanges, NOTHING, readTrace, type EventLine } from 'culprit/trace';
import { States } from './states.ts';

const { events } = readTrace(readFileSync('cases/raft/best/raft-58a.trace', 'utf8'), 'raft-58a.trace');

/** The same events repeatedly, with different names in each round. */
const long: EventLine[] = Array.from({ length: 12 }, (_, round) =>
  events.map((line) => ({ ...line, process: `${line.process} ${round % 3}` })),
).flat();

/** Computes the states from the first event on, every time. */
function slowly(lines: readonly EventLine[], event: number): Map<string, unknown> {
  const states = new Map<string, unknown>();
  for (const { process, changes = [] } of lines.slice(0, event + 1)) {
    states.set(process, applyChanges(states.get(process) ?? NOTHING, changes));
  }
  return states;
}

test('the states after any event, requested in any order, are the result of all changes before it', () => {
  const states = new States(long);
  expect(long.length).toBeGreaterThan(3 * 128);
  for (const event of [0, long.length - 1, 127, 128, 126, -1, 255, 256, 200, 17, 383, 384]) {
    const seen = [...states.after(event)].map(([process, { state }]) => [process, state]);
    expect(seen).toEqual([...slowly(long, event)]);
  }
});

test('a far event is approached in steps', () => {
  const states = new States(long);
  expect(states.approach(100)).toBe(true);
  let steps = 0;
  while (!states.approach(long.length - 1)) steps += 1;
  expect(steps).toBe(Math.floor(long.length / 128));
});

test("shows the system's own words for a process, and removes them when they end", () => {
  const [first, second] = events.map(({ stateLabel: _stateLabel, ...line }) => line) as [EventLine, EventLine];
  const worded = [{ ...first, stateLabel: 'a leader' }, second, { ...first, process: second.process }] as EventLine[];
  const states = new States(worded);
  expect(states.after(1).get(first.process)?.stateLabel).toBe('a leader');
  expect(states.after(2).get(second.process)?.stateLabel).toBeUndefined();
});

test('of a state that is too large to record, shows the last one that was recorded, and says so', () => {
  const [first, second] = events.filter(({ changes }) => changes !== undefined) as [EventLine, EventLine];
  const states = new States([first, { ...first, changes: undefined, state: undefined, unseen: true }, second]);
  const earlier = states.after(0).get(first.process)?.state;
  expect(states.after(1).get(first.process)).toEqual({
    state: earlier,
    stateLabel: 'an earlier state: this one is too large to record',
  });
});
