import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BadTrace, readTrace } from 'culprit/trace';

const example = readFileSync(new URL('lock-1.0.trace', import.meta.url), 'utf8');

type Line = Record<string, unknown>;

/** The example with one line changed. */
function withLine(at: number, change: (line: Line) => void): string {
  const lines = example.trimEnd().split('\n');
  const line = JSON.parse(lines[at] as string) as Line;
  change(line);
  lines[at] = JSON.stringify(line);
  return `${lines.join('\n')}\n`;
}

const set =
  (field: string, value: unknown) =>
  (line: Line): void => {
    line[field] = value;
  };

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

/** Line 7 of the example delivers a message. */
describe('a trace is refused, with file, line and field, if', () => {
  test.each<[string, () => string, string]>([
    ['a cause is later', () => withLine(6, set('cause', 9)), 'line 7, cause is 9, which is not earlier than event 6.'],
    ['the seed is negative', () => withLine(0, set('seed', -1)), 'line 1, seed: '],
    ['the seed is a fraction', () => withLine(0, set('seed', 0.5)), 'line 1, seed: '],
    [
      'a parameter with an odd name is an object',
      () => withLine(0, set('parameters', { constructor: {} })),
      'constructor, line 1: ',
    ],
    [
      'the environment starts',
      () => withLine(1, set('process', 'environment')),
      'line 2, process is environment, which no process is called.',
    ],
    ['a cause is itself', () => withLine(6, set('cause', 6)), 'line 7, cause is 6, which is not earlier than event 6.'],
    ['numbers are out of order', () => withLine(6, set('event', 7)), 'line 7, event is 7, where event 6 comes next.'],
    ['a number comes twice', () => withLine(6, set('event', 5)), 'line 7, event is 5, where event 6 comes next.'],
    [
      'what is lost was sent later',
      () => withLine(6, set('dropped', [{ id: '0'.repeat(16), to: 'a', message: 1, why: 'lost', cause: 6 }])),
      'line 7, dropped.0.cause is 6, which is not earlier than event 6.',
    ],
    ['something pending has no cause', () => withLine(12, set('cause', 12)), 'line 13, cause is 12, which is not'],
    [
      'a Map has no pairs',
      () => withLine(6, set('message', { a: { $map: 5 } })),
      'line 7, message: a.$map is not a list of',
    ],
    [
      'a Map has a triple',
      () => withLine(6, set('message', { $map: [[1, 2, 3]] })),
      'line 7, message: $map.0 is not a pair.',
    ],
    ['a Set has no members', () => withLine(6, set('message', { $set: {} })), 'line 7, message: $set is not a list.'],
    [
      'a bigint is no number',
      () => withLine(6, set('message', { $bigint: 'x' })),
      'line 7, message: $bigint is not a whole',
    ],
    [
      'a number is another text',
      () => withLine(6, set('message', { $number: '7' })),
      'line 7, message: $number is not one',
    ],
    [
      'a pointer leads nowhere',
      () => withLine(6, set('message', { $same: '/a' })),
      'line 7, message: $same is not a pointer',
    ],
    [
      'a pointer leads to itself',
      () => withLine(6, set('message', { $same: '' })),
      'line 7, message: $same is not a pointer',
    ],
    [
      'a hole is in no list',
      () => withLine(6, set('message', { $hole: true })),
      'line 7, message: $hole is not a mark',
    ],
    [
      'a mark is unknown',
      () => withLine(6, set('message', { $date: 1 })),
      'line 7, message: $date is not a mark of plain',
    ],
    ['a mark has company', () => withLine(6, set('message', { $set: [], a: 1 })), 'line 7, message: it has $set among'],
    [
      'keys are no texts',
      () => withLine(6, set('message', { $object: [[1, 2]] })),
      '$object.0 is not a pair with texts as',
    ],
    ['data is too deep', () => withLine(6, set('message', nested(102))), 'message: 0.0.0.0.0.0.0.0.0.0.0.0.0.'],
    [
      'a line is too deep',
      () => withLine(6, set('message', 'DEEP')).replace('"DEEP"', '['.repeat(5_000) + ']'.repeat(5_000)),
      'line 7: it has more than 400 levels',
    ],
    [
      'a pointer into a state is too deep',
      () => withLine(6, set('changes', [['/a'.repeat(101), 1, 2]])),
      'line 7, changes.0: its pointer is more than 100 deep.',
    ],
    [
      'a pointer makes a mark',
      () => withLine(6, set('changes', [['/$map', 1, 2]])),
      'line 7, changes.0: its pointer leads into a mark.',
    ],
    [
      'a change has a wrong mark',
      () => withLine(6, set('changes', [['/a', 1, { $map: 5 }]])),
      'line 7, changes.0: $map is not a list of pairs.',
    ],
    [
      'a number is out of range',
      () => example.replace('"sentMs":0', '"sentMs":1e999'),
      'it has a number that is out of range.',
    ],
    [
      'a text is too long',
      () => withLine(6, set('from', 'x'.repeat(2 ** 24 + 1))),
      'line 7: it has more than 16,777,216',
    ],
    ['there are too many lines', () => example + '\n'.repeat(2_000_003), 'x.trace has more than 1,000,000 events.'],
  ])('%s', (_what, text, message) => {
    const read = (): unknown => readTrace(text(), 'x.trace');
    expect(read).toThrow(BadTrace);
    expect(read).toThrow(message);
  });
});

test('a message about a file is one line of limited length, for any file', () => {
  const hostile = `\u001b[2J${'x'.repeat(10_000)}\n`;
  const texts = [
    withLine(6, set('event', hostile)),
    withLine(6, set(hostile, 1)),
    withLine(0, set('format', hostile)),
    `{"a":"${hostile}`,
  ];
  for (const text of texts) {
    const { message } = caught(() => readTrace(text, 'x.trace')) as Error;
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/\p{Cc}/u);
  }
});

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test('parameters and evidence keep odd names, in their order', () => {
  const names = '"b":1,"__proto__":2,"constructor":3,"prototype":4,"a":5';
  const odd = example
    .replace('"parameters":{', `"parameters":{${names},`)
    .replace('"processes":[],', `"processes":[],"values":{${names}},`);
  const { header, verdict } = readTrace(odd, 'odd.trace');
  expect(JSON.stringify(header.parameters)).toBe(`{${names},"checksOwner":false}`);
  expect(JSON.stringify(verdict)).toContain(`"values":{${names}}`);
});
