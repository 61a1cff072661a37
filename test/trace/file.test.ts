import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { replay } from 'culprit';
import { readTrace, writeTrace, type Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import everything from './everything.system.ts';

let trace: Trace;
let text: string;

beforeAll(async () => {
  trace = await found(lock, { module: 'cases/lock/lock.system.ts' });
  text = writeTrace(trace);
});

describe('a trace file', () => {
  test('has a line for each item and is read back unchanged', () => {
    expect(text.split('\n').length).toBe(1 + trace.events.length + trace.pending.length + 1 + 1);
    expect(readTrace(text, 'lock.trace')).toEqual(trace);
    expect(writeTrace(readTrace(text, 'lock.trace'))).toBe(text);
  });

  test('is the same, to the byte, for the same seed', async () => {
    const again = await found(lock, { module: 'cases/lock/lock.system.ts', seed: trace.header.seed });
    expect(writeTrace(again)).toBe(text);
  });

  test('of the first format still reads and replays', async () => {
    const old = readTrace(readFileSync(new URL('lock-1.0.trace', import.meta.url), 'utf8'), 'lock-1.0.trace');
    expect(old.header.format).toBe('1.0');
    expect((await replay(lock, old)).verdict).toEqual(old.verdict);
  });

  test('holds every kind of event and is the same when replayed', async () => {
    const wide = await found(everything, { eventsMax: 2_000 });
    // All event kinds. If one is missing, the system's faults are too rare: see everything.system.ts.
    const kinds =
      'act complete crash cut deliver duplicate fire heal hold lose restart return send spawn start stop'.split(' ');
    expect([...new Set(wide.events.map(({ kind }) => kind))].sort()).toEqual(kinds);
    const notes = new Set(wide.events.flatMap(({ history = [] }) => history.flatMap(Object.keys)));
    expect(notes).toEqual(new Set(['call', 'key', 'input', 'return', 'output', 'fail']));
    expect(wide.verdict).toMatchObject({ values: { of: { $bigint: '2' } } });
    expect(readTrace(writeTrace(wide), 'wide.trace')).toEqual(wide);
    expect(writeTrace(await replay(everything, wide))).toBe(writeTrace(wide));
  });
});

describe('a bad file', () => {
  const lines = (): string[] => text.trimEnd().split('\n');
  const edited = (change: (line: Record<string, unknown>) => void, at: number): string =>
    lines()
      .map((line, index) => {
        if (index !== at) return `${line}\n`;
        const parsed = JSON.parse(line) as Record<string, unknown>;
        change(parsed);
        return `${JSON.stringify(parsed)}\n`;
      })
      .join('');

  test.each([
    ['empty', () => '', 'x.trace is empty.'],
    ['not JSON', () => 'hello\n', /^x\.trace, line 1 is not JSON: /],
    ['JSON, but no trace', () => '{"a":1}\n', 'x.trace is not a culprit trace.'],
    [
      'cut between lines',
      () => `${lines().slice(0, 5).join('\n')}\n`,
      'x.trace ends after 5 whole lines, before its verdict: the file is truncated.',
    ],
    [
      'cut in a line',
      () => text.slice(0, 900),
      /^x\.trace ends after \d+ whole lines, before its verdict: the file is truncated\.$/,
    ],
    ['cut before the verdict', () => `${lines().slice(0, -1).join('\n')}\n`, /cut short|verdict/],
    [
      'of a later major version',
      () => edited((header) => (header['format'] = '2.0'), 0),
      'x.trace has the format 2.0; this culprit reads 1.0 to 1.9.',
    ],
    [
      'of a later minor version',
      () => edited((header) => (header['format'] = '1.10'), 0),
      'x.trace has the format 1.10; this culprit reads 1.0 to 1.9.',
    ],
    ['without a version', () => edited((header) => delete header['format'], 0), /^x\.trace has the format undefined/],
    [
      'with a wrong field',
      () => edited((event) => (event['cause'] = 'x'), 3),
      /^x\.trace, line 4, cause: Invalid type: Expected number but received "x"\.$/,
    ],
    [
      'with an unknown kind of event',
      () => edited((event) => (event['kind'] = 'explode'), 3),
      /^x\.trace, line 4, kind: /,
    ],
    ['with an unknown field', () => edited((event) => (event['color'] = 'red'), 3), /^x\.trace, line 4, color: /],
  ])('that is %s says so', (_what, bad, message) => {
    expect(() => readTrace(bad(), 'x.trace')).toThrow(message);
  });
});
