import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Causality, eventOf, readTrace, type Trace } from 'culprit/trace';
import { relevanceOf } from './relevance.ts';

const trace = (path: string): Trace => readTrace(readFileSync(`cases/${path}`, 'utf8'), path);
const raft = trace('raft/best/raft-58b.trace');
const gossip = trace('cassandra-gossip/best/cassandra-3626.trace');

describe('relevant events', () => {
  test.each([
    ['of Raft', raft],
    ['of gossip', gossip],
    ['without processes', { ...raft, verdict: { ...raft.verdict, processes: [] } } as Trace],
    ['with an unknown process', { ...raft, verdict: { ...raft.verdict, processes: ['nobody'] } } as Trace],
  ])(
    'are those that happened before the last events of the processes of the verdict: %s',
    (_what, { events, verdict, ...rest }) => {
      const causality = new Causality(events.map(eventOf));
      const marks = relevanceOf({ events, verdict, ...rest }, causality);
      const named = verdict.verdict === 'violated' ? verdict.processes : [];
      const ends = named.map((name) => events.findLastIndex(({ process }) => process === name)).filter((at) => at >= 0);
      const isBefore = (at: number): boolean =>
        [...ends, events.length - 1].some((end) => at === end || causality.happensBefore(at, end));
      expect([...(marks ?? [])]).toEqual(events.map((_, at) => (isBefore(at) ? 1 : 0)));
      expect(marks?.at(-1)).toBe(1);
    },
  );

  test('exclude idle events', () => {
    const elsewhere = { ...trace('raft/best/raft-58a.trace') };
    const early = {
      ...elsewhere,
      events: elsewhere.events.slice(0, 24),
      verdict: { ...elsewhere.verdict, processes: [] },
    } as Trace;
    expect(relevanceOf(early, new Causality(early.events.map(eventOf)))).toContain(0);
  });

  test('do not exist without a violation', () => {
    const { name, ending } = raft.verdict;
    const held: Trace = { ...raft, verdict: { verdict: 'holds', name, ending } };
    expect(relevanceOf(held, new Causality([]))).toBeUndefined();
  });
});
