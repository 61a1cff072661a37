import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { loadTrace } from './trace-file.ts';
import { traceLimits } from '../trace/limits.ts';

function fileWith(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'x.trace');
  writeFileSync(path, bytes);
  return path;
}

test('a file that unpacks to more than the limit is refused, and unpacking stops there', () => {
  const bomb = gzipSync(Buffer.alloc(traceLimits.bytes + 1), { level: 1 });
  expect(bomb.length).toBeLessThan(1_000_000);
  expect(() => loadTrace(fileWith(bomb))).toThrow('has more than 134,217,728 bytes.');
});

test('reading stops at the limit for a file without an end', () => {
  expect(() => loadTrace('/dev/zero')).toThrow('/dev/zero has more than 134,217,728 bytes.');
});
