import { describe, expect, test } from 'vitest';
import { traceDifference } from './difference.ts';
import type { EventLine, PendingLine, Trace } from './format.ts';

const id = '0000000000000000';
const started: EventLine = {
  event: 1,
  kind: 'start',
  process: 'a',
  cause: 0,
  id,
  changes: [['', 0, { n: 1, of: [1, 2] }]],
};
const got: EventLine = {
  event: 2,
  kind: 'deliver',
  process: 'a',
  cause: 1,
  id,
  from: 'b',
  message: { n: [1] },
  sentMs: 0,
};
const waiting: PendingLine = { pending: true, kind: 'fire', process: 'a', cause: 1, id, timer: 't', deadlineMs: 5 };

const trace = (events: readonly EventLine[], rest: Partial<Trace> = {}): Trace => ({
  header: {
    trace: 'culprit',
    format: '1.0',
    culprit: '0',
    system: 's',
    module: null,
    parameters: {},
    seed: 0,
    options: { strategy: 'random', eventsMax: 1 },
    events: events.length,
  },
  events,
  pending: [],
  verdict: { verdict: 'holds', name: id, ending: 'finished' },
  ...rest,
});

const then = trace([started, got], { pending: [waiting] });

describe('the first difference', () => {
  test.each<[string, Trace, number, string]>([
    [
      'in a state',
      trace([{ ...started, changes: [['', 0, { n: 1, of: [1, 3] }]] }, got]),
      1,
      'a (start): a.of.1 is 3, and was 2 in the recording.',
    ],
    [
      'in an unchanged state',
      trace([{ ...started, changes: [] }, got]),
      1,
      'a (start): a is unchanged, and was {"n":1,"of":[1,2]} in the recording.',
    ],
    [
      'in a message',
      trace([started, { ...got, message: { n: [] } }]),
      2,
      'a (deliver): message.n.0 is nothing, and was 1 in the recording.',
    ],
    [
      'in the log',
      trace([started, { ...got, log: ['hm'] }]),
      2,
      'a (deliver): log is ["hm"], and was nothing in the recording.',
    ],
    ['in the length', trace([started]), 1, 'the execution ends here (holds), but the recording continues.'],
    [
      'in the length, the other way round',
      trace([started, got, { ...got, event: 3 }]),
      3,
      'the recording ends after event 2, but the execution continues.',
    ],
    [
      'in the verdict',
      trace([started, got], {
        pending: [waiting],
        verdict: {
          verdict: 'violated',
          oracle: 'o',
          message: 'm',
          processes: [],
          fingerprint: 'o',
          name: id,
          ending: 'verdict',
        },
      }),
      2,
      'at the end: the verdict is "o: m", and was "holds" in the recording.',
    ],
    [
      'in the pending events',
      trace([started, got], { pending: [{ ...waiting, deadlineMs: 6 }] }),
      2,
      'at the end: the pending event (fire at a).deadlineMs is 6, and was 5 in the recording.',
    ],
  ])('%s', (_where, now, event, what) => {
    expect(traceDifference(then, now)).toEqual({ event, what, reordered: false });
  });

  test('equal executions have no difference', () => {
    expect(traceDifference(then, structuredClone(then))).toBeUndefined();
  });
});

test.each<[string, unknown, unknown, boolean]>([
  ['lists', [1, 2, 3], [3, 2, 1], true],
  ['sets', { $set: [1, 2] }, { $set: [2, 1] }, true],
  [
    'maps',
    {
      $map: [
        [1, 'a'],
        [2, 'b'],
      ],
    },
    {
      $map: [
        [2, 'b'],
        [1, 'a'],
      ],
    },
    true,
  ],
  ['lists within', { of: [1, 2] }, { of: [2, 1] }, true],
  ['other values', [1, 2], [1, 3], false],
  ['fewer values', [1, 2], [1], false],
  ['single values', 1, 2, false],
])('the same values in another order are told from others: %s', (_what, before, after, reordered) => {
  const at = (value: unknown): Trace => trace([{ ...started, changes: [['', 0, value]] }]);
  expect(traceDifference(at(before), at(after))?.reordered).toBe(reordered);
});

test('older recordings have no sender of lost messages', () => {
  const lost = { id, to: 'b', message: 1, why: 'crash' } as const;
  const losing = (...dropped: NonNullable<EventLine['dropped']>): Trace => trace([started, { ...got, dropped }]);
  expect(traceDifference(losing(lost), losing({ ...lost, cause: 1 }))).toBeUndefined();
  expect(traceDifference(losing(lost), losing({ ...lost, cause: 1, to: 'c' }))?.what).toBe(
    'a (deliver): dropped.0.to is "c", and was "b" in the recording.',
  );
});
