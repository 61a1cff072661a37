import { BadHistory, type Call, type Vocabulary } from 'culprit/kernel';
import { checkLinearizable, models, readHistory } from 'culprit';
import { describe, expect, test } from 'vitest';

const read = (...lines: string[]) => readHistory(lines.join('\n'), models.compareAndSet(), 'h.jsonl');

test('calls and returns become operations, in the order of calls', () => {
  const history = read(
    '{"process":"c1","type":"invoke","f":"write","key":"x","value":1}',
    '{"process":2,"type":"invoke","f":"read","key":7,"value":null,"time":12}',
    '',
    '{"process":"nemesis","type":"info","f":"partition"}',
    '{"process":2,"type":"ok","f":"read","key":7,"value":null}',
    '{"process":"c1","type":"ok"}',
    '',
  );
  expect(history).toEqual([
    { process: 'c1', key: 'x', input: { f: 'write', value: 1 }, called: 1, returned: 6 },
    { process: '2', key: '7', input: { f: 'read' }, called: 2, returned: 5, output: null },
  ]);
  expect(history.map((operation) => 'output' in operation)).toEqual([false, true]);
});

test('a failed operation did not happen; one without an end may have happened', () => {
  const history = read(
    '{"process":"a","type":"invoke","f":"write","value":1}',
    '{"process":"b","type":"invoke","f":"write","value":2}',
    '{"process":"c","type":"invoke","f":"cas","value":[1,3]}',
    '{"process":"a","type":"fail","f":"write","value":1}',
    '{"process":"b","type":"info","f":"write","value":"timed out"}',
    '{"process":"b","type":"invoke","f":"read"}',
  );
  expect(history).toEqual([
    { process: 'b', input: { f: 'write', value: 2 }, called: 2 },
    { process: 'c', input: { f: 'cas', value: [1, 3] }, called: 3 },
    { process: 'b', input: { f: 'read' }, called: 6 },
  ]);
});

test('a history from a file is checked like any other', () => {
  const stale = [
    '{"process":"a","type":"invoke","f":"write","value":1}',
    '{"process":"a","type":"ok"}',
    '{"process":"b","type":"invoke","f":"read"}',
    '{"process":"b","type":"ok","value":null}',
  ];
  expect(checkLinearizable(read(...stale), models.compareAndSet()).kind).toBe('violated');
  expect(checkLinearizable(read(...stale.with(1, '{"process":"a","type":"info"}')), models.compareAndSet()).kind).toBe(
    'holds',
  );
});

test('the models know their operations', () => {
  const accepts = <I>({ input }: Vocabulary<I>, calls: Call[]): boolean[] =>
    calls.map((call) => input(call) !== undefined);
  const value = 0;
  const yes = [true, true, false, false];
  expect(
    accepts(models.register(), [{ f: 'read' }, { f: 'write', value }, { f: 'write' }, { f: 'cas', value }]),
  ).toEqual(yes);
  expect(
    accepts(models.compareAndSet(), [{ f: 'read' }, { f: 'cas', value: [1, 2] }, { f: 'cas', value }, { f: 'cas' }]),
  ).toEqual(yes);
  expect(accepts(models.keyValue, [{ f: 'delete' }, { f: 'put', value: null }, { f: 'put' }, { f: 'read' }])).toEqual(
    yes,
  );
  expect(accepts(models.queue, [{ f: 'dequeue' }, { f: 'enqueue', value }, { f: 'enqueue' }, { f: 'peek' }])).toEqual(
    yes,
  );
  expect(
    accepts(models.set, [{ f: 'remove', value }, { f: 'contains', value }, { f: 'add' }, { f: 'has', value }]),
  ).toEqual(yes);
});

describe('bad lines', () => {
  const invoke = '{"process":"c1","type":"invoke","f":"cas","key":"x","value":[1,2]}';

  test.each([
    ['no JSON', ['{"process":'], 'h.jsonl, line 1 is not JSON: '],
    ['no object', ['', '[]'], 'h.jsonl, line 2'],
    ['no process', ['{"type":"ok"}'], 'h.jsonl, line 1, process: '],
    ['another type', ['{"process":"c1","type":"done"}'], 'h.jsonl, line 1, type: '],
    ['no function', ['{"process":"c1","type":"invoke"}'], 'h.jsonl, line 1: the model has no operation {}.'],
    [
      'another function',
      ['{"process":"c1","type":"invoke","f":"raed","value":1}'],
      'h.jsonl, line 1: the model has no operation {"f":"raed","value":1}.',
    ],
    ['two at once', [invoke, invoke], 'h.jsonl, line 2: c1 calls again, but its cas of line 1 has not ended.'],
    [
      'an end without a call',
      ['{"process":"c1","type":"ok"}'],
      'h.jsonl, line 1: ok of c1, which has no open operation.',
    ],
    [
      'an end twice',
      [invoke, '{"process":"c1","type":"info"}', '{"process":"c1","type":"ok"}'],
      'h.jsonl, line 3: ok of c1, which has no open operation.',
    ],
    [
      'another function at the end',
      [invoke, '{"process":"c1","type":"ok","f":"read"}'],
      'h.jsonl, line 2: c1 ends with the f read what it began in line 1 with cas.',
    ],
    [
      'another key at the end',
      [invoke, '{"process":"c1","type":"fail","key":"y"}'],
      'h.jsonl, line 2: c1 ends with the key y what it began in line 1 with x.',
    ],
    [
      'the argument again',
      [invoke, '{"process":"c1","type":"ok","f":"cas","value":[1,2]}'],
      'h.jsonl, line 2: cas does not return [1,2].',
    ],
  ])('%s', (_, lines, message) => {
    const error = thrownBy(() => read(...lines));
    expect(error).toBeInstanceOf(BadHistory);
    expect(error.message.startsWith(message) ? message : error.message).toBe(message);
    expect(error.next).not.toBe('');
  });

  test('carry their cause', () => {
    expect(thrownBy(() => read('{')).cause).toBeInstanceOf(SyntaxError);
  });
});

function thrownBy(work: () => unknown): BadHistory {
  try {
    work();
  } catch (error) {
    return error as BadHistory;
  }
  throw new Error('nothing was thrown');
}
