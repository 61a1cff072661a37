import { recheck } from 'culprit';
import { storyLines } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { hunted, inputsOf, minimized, scripted, withoutBug } from './gates.ts';
import { isStored, pageOf, storedMcs } from './stored.ts';
import { studies, study, systemOf, type Study } from './studies.ts';

/**
 * The cheapest studies, whose programs run here. The four gates of all of them run in the bench, since they take minutes: `npm run bench -- sts`.
 */
const cheapest = new Set([1, 4, 12, 14, 15, 17]);

/** Real programs are not repeatable, and a busy machine disturbs them: a stored execution reproduces in one of so many replays. */
const REPLAYS_MAX = 8;

/** In memory, a network of 20 switches takes as long as a real one. */
const large = new Set([11]);

/** Their scripts show the bug in some orders only, or with some of the numbers that are drawn. */
const byChance = new Set([1, 7, 9]);

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
    const limits = byChance.has(one.number) ? { executions: 30, eventsMax: 1_500 } : { eventsMax: 1_500 };
    const { findings } = await scripted(one, { set, ...limits });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: one.violates });
    const without = await scripted(one, { set: { ...set, bug: false }, eventsMax: 500 });
    expect(without.findings).toEqual([]);
  });
});

// Side by side, since programs mostly wait: as many at a time as `maxConcurrency` in vitest.config.ts says.
describe.concurrent('as programs', () => {
  test.each(stored.filter(({ number }) => cheapest.has(number)))(
    'the stored execution of study $number reproduces',
    async (one) => {
      expect(await replaysUntilReproduced(one)).toBeLessThanOrEqual(REPLAYS_MAX);
    },
  );

  test('a controller in Python has the bug of study 17 by its script', async () => {
    const { findings } = await scripted(study(17), { set: { python: true } });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'noUncaughtException' });
  });
});

/** How many replays it takes until one reproduces the stored execution; infinite if none of the first does. */
async function replaysUntilReproduced(one: Study): Promise<number> {
  const [system, trace] = [await systemOf(one), storedMcs(one)];
  for (let replays = 1; replays <= REPLAYS_MAX; replays++) {
    const answer = await recheck(system, trace, { replays: 1 });
    if (answer.answer === 'sampled' && answer.reproduced > 0) return replays;
  }
  return Number.POSITIVE_INFINITY;
}

/** Passes that leave out inputs. The others, which order messages, take most of the time and change no number of inputs. */
const ofInputs = { passes: ['provenance', 'environment:place', 'closures:place'] } as const;

test('a failure that comes with the connection of a switch is minimized to no input, though a block preceded it', async () => {
  const nullPointer = study(11);
  const { findings } = await scripted(nullPointer, { set: { live: false, atConnect: true, k: 2 }, eventsMax: 1_500 });
  const trace = findings[0]?.trace as Trace;
  expect(inputsOf(trace)).toHaveLength(3);
  const { inputs } = await minimized(nullPointer, trace, ofInputs);
  expect(inputs?.left.inputs).toBe(0);
});

test('in memory, a packet in flight is shown by its script, whatever the order of the other events, and not without the bug', async () => {
  const inFlight = study(3);
  const settings = { set: { live: false }, eventsMax: 400 };
  for (const seed of [0, 1, 2]) {
    const { findings } = await scripted(inFlight, { ...settings, seed });
    const trace = findings[0]?.trace as Trace;
    expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'blackholes' });
    expect(
      inputsOf(trace)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['lose', 'send', 'send', 'send']);
  }
  const without = await scripted(inFlight, { ...settings, set: { live: false, bug: false } });
  expect(without.findings).toEqual([]);
});

test('memory for six switches is used up by two fewer inputs', async () => {
  const [leak, max] = [study(16), 6];
  const { findings } = await scripted(leak, { set: { live: false, max }, eventsMax: 1_500 });
  const { inputs } = await minimized(leak, findings[0]?.trace as Trace, ofInputs);
  expect(inputs?.left.inputs).toBe(max - 2);
});

test('in memory, a masked rule is found by rates, is minimized to two inputs, and is not there without the bug', async () => {
  const overlap = study(12);
  const inMemory = { set: { live: false, rounds: 100 }, executions: 5, eventsMax: 1_500 };
  const { findings } = await hunted(overlap, inMemory);
  const { inputs } = await minimized(overlap, findings[0]?.trace as Trace, ofInputs);
  expect(inputs?.left.inputs).toBe(2);
  expect((await withoutBug(overlap, { ...inMemory, executions: 1 })).findings).toEqual([]);
});

test('a table of five entries is filled by one flow less, beside the ways to the servers', async () => {
  const table = 5;
  const balancer = study(10);
  const { findings } = await scripted(balancer, { set: { live: false, table }, executions: 5, eventsMax: 1_500 });
  const { inputs } = await minimized(balancer, findings[0]?.trace as Trace, ofInputs);
  expect(inputs?.left.inputs).toBe(table - 1);
});
