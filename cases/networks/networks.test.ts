import { recheck } from 'culprit';
import { storyLines } from 'culprit/report';
import { describe, expect, test } from 'vitest';
import { inputsOf, scripted } from './gates.ts';
import { isStored, pageOf, storedMcs } from './stored.ts';
import { studies, systemOf } from './studies.ts';

/**
 * The cheapest studies. The four gates of all of them run in the bench, since they take minutes: `npm run bench -- sts`.
 */
const cheapest = new Set([2, 4, 12, 14, 17]);

/** In memory, a network of 20 switches takes as long as a real one. */
const large = new Set([11]);

const stored = studies.filter(isStored);

describe.each(stored)('study $number, $title', (study) => {
  test('is stored with as many inputs as its mechanism needs, and its page shows the end of it', () => {
    const trace = storedMcs(study);
    expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: study.violates });
    expect(inputsOf(trace).length).toBeGreaterThanOrEqual(study.size.min);
    expect(inputsOf(trace).length).toBeLessThanOrEqual(study.size.max);
    for (const line of storyLines(trace.events).slice(-8)) expect(pageOf(study)).toContain(line.trimEnd());
  });

  test.skipIf(large.has(study.number))('its script shows the bug in memory, and nothing without it', async () => {
    const set = { live: false };
    const { findings } = await scripted(study, { set, eventsMax: 1_500 });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: study.violates });
    const without = await scripted(study, { set: { ...set, bug: false }, eventsMax: 1_500 });
    expect(without.findings).toEqual([]);
  });
});

describe.each(stored.filter(({ number }) => cheapest.has(number)))('study $number as programs', (study) => {
  test.concurrent('its stored execution reproduces', async () => {
    const answer = await recheck(await systemOf(study), storedMcs(study), { replays: 2 });
    expect(answer).toMatchObject({ answer: 'sampled' });
    expect('reproduced' in answer && answer.reproduced).toBeGreaterThan(0);
  });
});
