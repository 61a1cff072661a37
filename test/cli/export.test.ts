import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exhibit } from 'culprit/trace';
import { commandLine, culprit, makeFolder, removeFolder } from './culprit.ts';
import { Terminal } from './terminal.ts';

const saved = '.culprit/mutual-exclusion-8dfc.trace';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
  culprit(folder, 'hunt', 'lock.system.ts');
});

afterAll(() => removeFolder(folder));

/** The files that a page shows. */
function shownIn(html: string): string[] {
  const data = /<script id="exhibit" type="application\/json">(.*)<\/script>/.exec(html)?.[1] ?? '';
  return (JSON.parse(data) as Exhibit).executions.map(({ file }) => file);
}

describe('culprit export', () => {
  test('writes a sequence diagram by default', () => {
    const { code, out, err } = culprit(folder, 'export', saved);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^sequenceDiagram\n {2}participant p0 as lock\n/);
    expect(out).toMatch(/violated mutualExclusion: client-\d and client-\d both hold the lock\n$/);
    expect(culprit(folder, 'export', saved, '--to', 'mermaid').out).toBe(out);
  });

  test('writes a file, and creates its folder', () => {
    const { code, out } = culprit(folder, 'export', saved, '--to', 'shiviz', '--out', 'logs/lock.log');
    expect({ code, out }).toEqual({ code: 0, out: 'wrote     logs/lock.log\n' });
    expect(readFileSync(join(folder, 'logs/lock.log'), 'utf8')).toBe(
      culprit(folder, 'export', saved, '--to', 'shiviz').out,
    );
  });

  test('writes a page of one execution or of two', () => {
    const minimized = '.culprit/mutual-exclusion-8dfc.min.trace';
    const { code, out } = culprit(folder, 'export', minimized, '--to', 'html', '--out', 'lock.html');
    expect({ code, out }).toEqual({ code: 0, out: 'wrote     lock.html\n' });
    expect(shownIn(readFileSync(join(folder, 'lock.html'), 'utf8'))).toEqual(['mutual-exclusion-8dfc.min.trace']);
    expect(shownIn(culprit(folder, 'export', minimized, saved, '--to', 'html').out)).toEqual([
      'mutual-exclusion-8dfc.min.trace',
      'mutual-exclusion-8dfc.trace',
    ]);
  });

  test('writes a capture beside its trace in a terminal, and to another program otherwise', async () => {
    cpSync(
      fileURLToPath(new URL('../../cases/learning-switch/best/keeps.trace', import.meta.url)),
      join(folder, 'a.trace'),
    );
    const terminal = new Terminal(folder, commandLine('export', 'a.trace', '--to', 'pcapng'), 80, 24);
    await terminal.shows('wrote     a.pcapng');
    expect(await terminal.end()).toBe(0);
    const written = readFileSync(join(folder, 'a.pcapng'));
    expect(written.readUInt32BE(0)).toBe(0x0a0d0d0a);
    expect(culprit(folder, 'export', 'a.trace', '--to', 'pcapng').out).toBe(written.toString());
  });

  test.each([
    [
      [saved, '--to', 'svg'],
      "argument 'svg' is invalid.\nnext      Choose one of html, mermaid, shiviz, chrome, json, pcapng, mininet, test.",
    ],
    [[saved, saved], 'the format mermaid shows one execution, not two.'],
    [[saved, '--to', 'pcapng'], 'the trace has no message on a control channel'],
    [[saved, '--channel', 'c1-s1'], 'the format mermaid has no channels to choose from.'],
    [['nowhere.trace'], 'nowhere.trace'],
    [[saved, 'nowhere.trace', '--to', 'html'], 'nowhere.trace'],
    [['lock.system.ts'], 'lock.system.ts'],
  ])('says what is wrong with %j', (args, problem) => {
    const { code, out, err } = culprit(folder, 'export', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(problem);
  });
});
