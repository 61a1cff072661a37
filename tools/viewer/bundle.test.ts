import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle, pageOf } from './bundle.ts';

let made: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  made = await bundle();
});

describe('the page', () => {
  test('is small: about 130 kilobytes of script, a fifth of them for topologies', () => {
    expect(made.script.length).toBeLessThan(133_000);
    expect(gzipSync(made.script).length).toBeLessThan(48_000);
    expect(made.style.length).toBeLessThan(21_000);
  });

  test('excludes unused parts of culprit/trace, above all the file schemas', () => {
    expect(made.script).not.toMatch(/safeParse|strict_object|picklist/);
  });

  test('makes no markup out of data, and loads from no address', () => {
    // Preact can do it on request; our code never requests it.
    const sources = readdirSync('viewer', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
    expect(sources.length).toBeGreaterThan(20);
    const markup = /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|href=|src=|srcdoc/i;
    expect(sources.filter((path) => markup.test(readFileSync(join('viewer', path), 'utf8')))).toEqual([]);
    expect([...new Set(made.script.match(/https?:\/\/[^"'`]*/g))]).toEqual([
      'http://www.w3.org/2000/svg',
      'http://www.w3.org/1998/Math/MathML',
      'http://www.w3.org/1999/xhtml',
    ]);
    expect(made.style).not.toMatch(/url\(|@import|https?:/);
  });

  test('is the same for every build', async () => {
    expect(pageOf(await bundle())).toBe(pageOf(made));
  });
});
