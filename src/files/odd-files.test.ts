import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { CulpritError } from '../error.ts';
import { replaceFile } from './access.ts';
import { loadTrace } from './trace-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'culprit-odd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'odd.trace');
const good = readFileSync(new URL('../../test/trace/lock-1.0.trace', import.meta.url));
const text = good.toString();
const lines = text.split('\n');
const zipped = gzipSync(good);

/** What is said of a file, and what to do next, with the name of its folder left out. */
function said(use: () => unknown): string[] {
  try {
    use();
    return ['is fine'];
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return [error.message.replaceAll(`${folder}/`, ''), error.next];
  }
}

const damaged = 'The file is damaged: copy it again from its source, or hunt again with its seed.';
const what = 'A trace is what `culprit hunt` saves, such as .culprit/….trace.';

test.each<[what: string, bytes: Buffer | string, ...said: string[]]>([
  ['begins with a mark of byte order', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]), 'is fine'],
  ['has the ends of lines of Windows', text.replaceAll('\n', '\r\n'), 'is fine'],
  [
    'is text in UTF-16',
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    'odd.trace is text in UTF-16; traces are text in UTF-8.',
    'Save it in UTF-8.',
  ],
  ['is no text', Buffer.from(text.replace('lock', 'l\u00f6ck'), 'latin1'), 'odd.trace is not text in UTF-8.', damaged],
  ['is empty', '', 'odd.trace is empty.', damaged],
  [
    'was cut off and packed',
    zipped.subarray(0, zipped.length / 2),
    'odd.trace cannot be unpacked: unexpected end of file.',
    damaged,
  ],
  ['was packed twice', gzipSync(zipped), 'odd.trace is compressed twice.', 'Unpack it once, with gunzip.'],
  [
    'has something behind what was packed',
    Buffer.concat([zipped, Buffer.from('more')]),
    'odd.trace cannot be unpacked: incorrect header check.',
    damaged,
  ],
  [
    'has two headers',
    [lines[0], ...lines].join('\n'),
    'odd.trace, line 2 is another header, and more lines follow: a file holds one trace.',
    damaged,
  ],
  [
    'has two traces',
    text + text,
    `odd.trace, line ${lines.length - 1} is a verdict, and more lines follow: a file holds one trace.`,
    damaged,
  ],
  [
    'has a line twice',
    lines.flatMap((line, at) => (at === 2 ? [line, line] : [line])).join('\n'),
    'odd.trace, line 4, event is 2, where event 3 comes next.',
    damaged,
  ],
  [
    'is of a later format',
    text.replace('"format":"1.', '"format":"2.'),
    'odd.trace has the format 2.0; this culprit reads 1.0 to 1.9.',
    'Install a newer culprit: npm install culprit@latest',
  ],
  ['has no header', lines.slice(1).join('\n'), 'odd.trace is not a culprit trace.', what],
])('a trace that %s', (_what, bytes, ...expected) => {
  writeFileSync(path, bytes);
  expect(said(() => loadTrace(path))).toEqual(expected);
});

const pipe = join(folder, 'pipe');
const NEXT = 'Give the path of a trace file, such as .culprit/….trace.';

test.runIf(process.platform !== 'win32')('a pipe with nothing at its other end is not waited for', () => {
  spawnSync('mkfifo', [pipe]);
  expect(said(() => loadTrace(pipe))).toEqual(['pipe cannot be read: no process writes to this pipe.', NEXT]);
  expect(said(() => replaceFile(pipe, good, 'Try again.'))).toEqual([
    'pipe cannot be written: no process is at its other end.',
    'Try again.',
  ]);
});
