import { BadOption, NothingToExplain, ReplayDiverged } from 'culprit/kernel';
import { explainWhy, replay } from 'culprit';
import { whyLines } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import lock from '../../../cases/lock/lock.system.ts';
import { minimal, only, violatedIn } from './counterfactual-text.ts';

describe('the lock', async () => {
  const trace = await minimal(lock);
  const why = await explainWhy(lock, trace);

  test('each event left out', () => {
    expect(only('without', why)).toEqual([
      '1 later -5,6,8,9,10,11',
      '2 holds -5,6',
      '3 holds -7,8,9,11',
      '4 later -10,11',
      '5 holds -6',
      '6 later',
      '7 holds -9,11',
      '8 holds -9,11',
      '9 holds -11',
      '10 later -11',
      '11 later',
    ]);
  });

  test('each event before those that it could have overtaken', () => {
    expect(only('earlier', why)).toEqual([
      '5<1 impossible',
      '6<2 impossible',
      '7<3 impossible',
      '8<5 holds -6',
      '9<8 impossible',
      '9<5 with 7,8 holds -11',
      '10<9 holds -11',
      '11<4 impossible',
    ]);
    expect(only('added', why)).toEqual([]);
  });

  test('why some changes are impossible', () => {
    const impossible = why.counterfactuals.filter(({ outcome }) => outcome === 'impossible').map(({ what }) => what);
    expect(impossible).toEqual([
      'event 5 (lock gets acquire from client-1) cannot come before event 1 (lock starts): lock is not up before that',
      'event 6 (client-1 gets granted from lock) cannot come before event 2 (client-1 starts): it depends on it',
      'event 7 (client-2 timer enough fires) cannot come before event 3 (client-2 starts): it depends on it',
      'event 9 (lock gets release from client-2) cannot come before event 8 (lock gets acquire from client-2): it was sent later over the same link',
      'event 11 (client-3 gets granted from lock) cannot come before event 4 (client-3 starts): it depends on it',
    ]);
  });

  test('the race that matters, and the execution in which it ends the other way', async () => {
    expect(why.answer).toBe(
      'had event 10 (lock gets acquire from client-3) come before event 9 (lock gets release from client-2), mutualExclusion would have held',
    );
    expect(why.race).toEqual(why.nearestBy);
    const nearest = why.nearest as Trace;
    expect(nearest.verdict).toMatchObject({ verdict: 'holds' });
    expect(nearest.events.map(({ id }) => trace.events.findIndex((line) => line.id === id) + 1)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 10, 9,
    ]);
    expect(await replay(lock, nearest)).toEqual(nearest);
  });

  test('the odds along the execution, the turn and the point of no return', () => {
    expect(violatedIn(why)).toEqual([0, 2, 5, 2, 2, 1, 2, 6, 19, 53, 63, 100]);
    expect(why.odds.map(({ after }) => after)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(why.sampling).toMatchObject({ continuations: 100, seed: 0 });
    expect([why.turn, why.noReturn, why.limits]).toEqual([9, 11, []]);
  });

  test('is the same again, byte for byte, and differs with another seed', async () => {
    expect(JSON.stringify(await explainWhy(lock, trace))).toBe(JSON.stringify(why));
    const other = await explainWhy(lock, trace, { seed: 1 });
    expect(other.odds).not.toEqual(why.odds);
    expect(other.counterfactuals).toEqual(why.counterfactuals);
  });

  test('is plain data', () => {
    expect(JSON.parse(JSON.stringify(why))).toEqual(why);
  });

  test('is printed in lines that fit', () => {
    const lines = whyLines(why, trace, { width: 100 });
    expect(lines).toMatchInlineSnapshot(`
      [
        "why       had event 10 (lock gets acquire from client-3) come before event 9 (lock gets release from",
        "          client-2), mutualExclusion would have held; event 11 would not have happened",
        "",
        "                                       without it    earlier than",
        "   8  lock gets acquire from client-2  holds         5 holds",
        "   9  lock gets release from client-2  holds         5 holds",
        "  10  lock gets acquire from client-3  delayed only  9 holds",
        "needed    events 2–3, 5, 7: without any of them, the violation does not happen",
        "delayed only",
        "          events 1, 4, 6, 11: without any of them, the violation is delayed until the event happens",
        "          after all",
        "",
        "nearest   passes, 10 events: the same change",
        "",
        "odds      how many of 100 random continuations violate mutualExclusion, after each event (chosen as",
        "          in a hunt, with seed 0, for at most 42 events; the environment only does what remains of",
        "          the recording)",
        "   0–7  #                       3 %",
        "     8  ####                   19 %  lock gets acquire from client-2",
        "  9–10  ############           58 %  lock gets release from client-2",
        "    11  ####################  100 %  client-3 gets granted from lock",
        "",
        "likely    with event 9 (lock gets release from client-2): from 19 % to 58 %",
        "point of no return",
        "          only the last, event 11 (client-3 gets granted from lock), made it certain",
      ]
    `);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
    expect(whyLines(why, trace)[0]).toBe(
      'why       had event 10 (lock gets acquire from client-3) come before event 9 (lock gets release from client-2), mutualExclusion would have held; event 11 would not have happened',
    );
  });

  test('refuses options that make no sense', async () => {
    for (const options of [{ schedules: 0 }, { continuations: 0 }, { seed: -1 }, { seconds: 0 }])
      await expect(explainWhy(lock, trace, options)).rejects.toBeInstanceOf(BadOption);
  });

  test('stops at its budget, and says so', async () => {
    const few = await explainWhy(lock, trace, { schedules: 4, continuations: 2 });
    expect(few.limits).toEqual(['some changes were not tried: the limit of 4 schedules was reached']);
    expect(few.counterfactuals.map(({ event }) => event)).toEqual([10, 11]);
    const short = await explainWhy(lock, trace, { seconds: 1e-9 });
    expect(short.odds).toEqual([]);
    expect(short.limits).toContain('the time limit was reached before the odds from event 0 on were sampled');
  });

  test('a changed system is not explained', async () => {
    const changed = { ...trace, header: { ...trace.header, parameters: { checksOwner: true } } };
    await expect(explainWhy(lock, changed)).rejects.toBeInstanceOf(ReplayDiverged);
  });
});

test('only a violation can be explained', async () => {
  const nearest = (await explainWhy(lock, await minimal(lock))).nearest as Trace;
  await expect(explainWhy(lock, nearest)).rejects.toBeInstanceOf(NothingToExplain);
});
