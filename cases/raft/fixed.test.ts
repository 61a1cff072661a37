import { expect, test } from 'vitest';
import { minimize, recheck, search } from 'culprit';
import type { Recheck } from 'culprit/kernel';
import raft from './raft.system.ts';

/** The answer for the minimized trace of a bug when the bug is switched off. */
async function afterFix(bug: string, seed: number, set: Readonly<Record<string, number>> = {}): Promise<Recheck> {
  const { findings } = await search(raft, {
    seed,
    executions: 1,
    eventsMax: 3_000,
    strategy: 'random',
    set: { bug, ...set },
  });
  const [found] = findings;
  if (found === undefined) throw new Error('nothing was found');
  const { trace } = await minimize(raft, found.trace);
  const parameters = { ...trace.header.parameters, bug: 'none' };
  return recheck(raft, { ...trace, header: { ...trace.header, parameters } });
}

test('a fix is recognized if the same event, in the same state, is handled differently', async () => {
  const fixed = await afterFix('raft-46', 38);
  expect(fixed).toMatchObject({ answer: 'fixed', tried: { schedules: 203, unknown: 0 }, others: [] });
  expect(fixed).toMatchObject({
    otherwise: { what: expect.stringMatching(/\.ledTerms\.0 is unchanged, and was 2/) as string },
  });
});

test('a fix that changes the initial state of every process leaves nothing to compare: unknown', async () => {
  expect(await afterFix('raft-58b', 37, { commands: 200 })).toMatchObject({
    answer: 'diverged',
    deviation: { event: 1, what: expect.stringContaining('log.first is 1, and was 0') as string },
  });
});
