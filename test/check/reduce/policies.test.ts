import { behavior, check, defineSystem, send, type CheckOptions, type ReductionRules } from 'culprit';
import type { Policy } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { sender } from './sender.ts';

interface Tally {
  count: number;
  last: string;
  topics: Record<string, number>;
}

type Message = { type: 'vote' } | { type: 'name'; name: string } | { type: 'topic'; topic: string };

const clerk = behavior<Tally, Message>({
  start: () => ({ count: 0, last: '', topics: {} }),
  receive(state, message) {
    if (message.type === 'vote') state.count += 1;
    if (message.type === 'name') state.last = message.name;
    if (message.type === 'topic') state.topics[message.topic] = (state.topics[message.topic] ?? 0) + 1;
  },
});

type Rules = ReductionRules<Tally | object, Message>;

const office = (messages: readonly Message[], reduce: Rules = {}) =>
  defineSystem({
    processes: {
      clerk,
      ...Object.fromEntries(messages.map((message, at) => [`sender-${at + 1}`, sender(message)])),
    },
    reduce,
  });

const vote: Message = { type: 'vote' };
const named = (name: string): Message => ({ type: 'name', name });
const about = (topic: string): Message => ({ type: 'topic', topic });

const checked = (messages: readonly Message[], reduce: Rules, ...policies: readonly Policy[]) =>
  check(office(messages, reduce), { reduce: policies, audit: true });

describe('lmi', () => {
  test('messages that add up are explored in one order, if a rule says so', async () => {
    expect((await checked([vote, vote, vote, vote], {})).executions).toBe(24);
    const report = await checked([vote, vote, vote, vote], { message: () => 'counts' }, 'lmi');
    expect(report).toMatchObject({ verdict: 'holds', executions: 1, redundant: 0, refuted: [] });
    expect(report.assumptions).toEqual([
      'lmi: events that are independent in one state are independent in every relevant state',
    ]);
    expect(report.audited).toBeGreaterThan(0);
  });

  test('messages that set the same value are too, and those that set different values are not', async () => {
    const message: Rules['message'] = (one) => (one.type === 'name' ? { sets: one.name } : 'modifies');
    expect((await checked([named('a'), named('a'), named('a')], { message }, 'lmi')).executions).toBe(1);
    expect((await checked([named('a'), named('a'), named('b')], { message }, 'lmi')).executions).toBe(4);
  });

  test('discarded messages are independent of everything', async () => {
    const message: Rules['message'] = (one) => (one.type === 'topic' ? 'discards' : 'modifies');
    const idle = about('none');
    // The rule about topics is wrong, but one topic alone does not show it.
    expect((await checked([idle, named('a'), named('b')], { message }, 'lmi')).executions).toBe(2);
  });
});

test('messages with disjoint footprints are independent', async () => {
  const touches: Rules['touches'] = (one) => (one.type === 'topic' ? { updates: [one.topic] } : { updates: ['*'] });
  const topics = [about('a'), about('b'), about('b')];
  expect(await checked(topics, { touches }, 'event-independence')).toMatchObject({ executions: 2, refuted: [] });
});

test('both orders are explored without a rule', async () => {
  expect(await checked([vote, vote, vote, vote], {}, 'automatic')).toMatchObject({ verdict: 'holds', executions: 1 });
  expect((await checked([vote, vote, named('a'), named('b')], {}, 'automatic')).executions).toBe(2);
});

describe('a rule that is wrong', () => {
  test('is refuted, with the results of both orders, and is not believed', async () => {
    const report = await checked([named('a'), named('b')], { message: () => 'counts' }, 'lmi');
    expect(report).toMatchObject({ verdict: 'unknown', executions: 2, whyUnknown: ['the rule for lmi is wrong'] });
    expect(report.refuted).toEqual([
      {
        rule: 'lmi',
        events: [
          'clerk: deliver {"name":"a","type":"name"} from sender-1',
          'clerk: deliver {"name":"b","type":"name"} from sender-2',
        ],
        difference:
          'clerk is {"count":0,"last":"b","topics":{}} after the first order, and {"count":0,"last":"a","topics":{}} after the second',
      },
    ]);
  });

  test('is named if it throws or is missing', async () => {
    const message = (): never => {
      throw new Error('boom');
    };
    await expect(checked([vote, vote], { message }, 'lmi')).rejects.toThrow(/reduce\.message.*clerk.*boom/s);
    await expect(checked([vote, vote], {}, 'event-independence')).rejects.toThrow(
      'the system has no rule for event-independence.',
    );
  });
});

describe('faults', () => {
  const worker = behavior<{ heard: number }, Message>({
    start: () => ({ heard: 0 }),
    receive(state) {
      state.heard += 1;
    },
  });
  const crew = (reduce: Rules) =>
    defineSystem({
      processes: { a: worker, b: worker, c: worker },
      transport: { onCrash: { to: 'drop', from: 'keep', notice: vote } },
      faults: { crashes: 1, restarts: 1 },
      reduce,
    });
  const all = async (reduce: Rules, options: CheckOptions) => check(crew(reduce), options);

  test('of interchangeable processes happen to the first of them only', async () => {
    const bare = await all({}, {});
    const reduced = await all({ symmetric: [['a', 'b', 'c']] }, { reduce: ['symmetry'] });
    expect([bare.plans, reduced.plans]).toEqual([3, 1]);
    expect(bare.executions).toBe(3 * reduced.executions);
    expect(reduced).toMatchObject({
      verdict: 'holds',
      assumptions: ['symmetry: the processes of a group are interchangeable'],
    });
  });

  test('with a known recovery are pruned, and the check is unknown then', async () => {
    const bare = await all({}, { search: 'blackbox' });
    const reduced = await all({ rejoin: () => 'the same' }, { search: 'blackbox', reduce: ['rss'] });
    expect(reduced.executions).toBeLessThan(bare.executions);
    expect(reduced.verdict).toBe('unknown');
    expect(reduced.whyUnknown.join()).toMatch(/^rss pruned \d+ times, heuristically$/);
  });

  test('that change only the survivor are independent of its events, if a rule says so', async () => {
    const crash = (): 'local' => 'local';
    const busy = defineSystem({
      processes: { a: worker, b: worker, c: worker },
      workload: [send('b', vote), send('b', vote)],
      faults: { crashes: 1 },
      reduce: { crash },
    });
    const options = { search: 'blackbox', audit: true } as const;
    const bare = await check(busy, options);
    const reduced = await check(busy, { ...options, reduce: ['cmi'] });
    const known = await check(busy, { ...options, search: 'dpor' });
    const flipped = await check(busy, { ...options, search: 'blackbox-race-reversal' });
    expect(reduced).toMatchObject({ verdict: 'holds', refuted: [] });
    // The rule is about deliveries only; our own footprints show without a rule that a sending is independent.
    expect([bare.executions, reduced.executions, known.executions]).toEqual([30, 20, 9]);
    expect(flipped.executions - flipped.redundant).toBe(30);
    for (const search of ['blackbox', 'blackbox-race-reversal'] as const)
      expect(
        (await check(busy, { ...options, search, estimateReduction: [['cmi']] })).estimatedReductions[0]?.left,
      ).toBe(20);
  });
});
