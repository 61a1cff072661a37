import { recheck } from 'culprit';
import { storyLines } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { hunted, inputsOf, minimized, scripted, withoutBug } from './gates.ts';
import { isStored, pageOf, storedMcs } from './stored.ts';
import { studies, study, systemOf } from './studies.ts';

/**
 * The cheapest studies. The four gates of all of them run in the bench, since they take minutes: `npm run bench -- sts`.
 */
const cheapest = new Set([2, 4, 12, 14, 17]);

/** In memory, a network of 20 switches takes as long as a real one. */
const large = new Set([11]);

const stored = studies.filter(isStored);

describe.each(stored)('study $number, $title', (one) => {
  test('is stored with as many inputs as its mechanism needs, and its page shows the end of it', () => {
    const trace = storedMcs(one);
    expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: one.violates });
    expect(inputsOf(trace).length).toBeGreaterThanOrEqual(one.size.min);
    expect(inputsOf(trace).length).toBeLessThanOrEqual(one.size.max);
    for (const line of storyLines(trace.events).slice(-8)) expect(pageOf(one)).toContain(line.trimEnd());
  });

  test.skipIf(large.has(one.number))('its script shows the bug in memory, and nothing without it', async () => {
    const set = { live: false };
    const { findings } = await scripted(one, { set, eventsMax: 500 });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: one.violates });
    const without = await scripted(one, { set: { ...set, bug: false }, eventsMax: 500 });
    expect(without.findings).toEqual([]);
  });
});

describe.each(stored.filter(({ number }) => cheapest.has(number)))('study $number as programs', (one) => {
  test('its stored execution reproduces', async () => {
    const answer = await recheck(await systemOf(one), storedMcs(one), { replays: 2 });
    expect(answer).toMatchObject({ answer: 'sampled' });
    expect('reproduced' in answer && answer.reproduced).toBeGreaterThan(0);
  });
});

test('a failure that comes with the connection of a switch is minimized to no input, though a block preceded it', async () => {
  const nullPointer = study(11);
  const { findings } = await scripted(nullPointer, { set: { live: false, atConnect: true, k: 2 }, eventsMax: 1_500 });
  const trace = findings[0]?.trace as Trace;
  expect(inputsOf(trace)).toHaveLength(3);
  const { inputs } = await minimized(nullPointer, trace);
  expect(inputs?.left.inputs).toBe(0);
});

test('memory for six switches is used up by two fewer inputs', async () => {
  const [leak, max] = [study(16), 6];
  const { findings } = await scripted(leak, { set: { live: false, max }, eventsMax: 1_500 });
  const { inputs } = await minimized(leak, findings[0]?.trace as Trace);
  expect(inputs?.left.inputs).toBe(max - 2);
});

test('in memory, a masked rule is found by rates, is minimized to two inputs, and is not there without the bug', async () => {
  const overlap = study(12);
  const inMemory = { set: { live: false, rounds: 100 }, executions: 5, eventsMax: 1_500 };
  const { findings } = await hunted(overlap, inMemory);
  const { inputs } = await minimized(overlap, findings[0]?.trace as Trace);
  expect(inputs?.left.inputs).toBe(2);
  expect((await withoutBug(overlap, { ...inMemory, executions: 1 })).findings).toEqual([]);
});
