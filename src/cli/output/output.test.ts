import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import mermaid from 'mermaid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printedBy } from '../../../test/twins/printed.ts';
import { checkCommand } from '../check.ts';
import { diffCommand } from '../diff.ts';
import { explainCommand } from '../explain.ts';
import { exportCommand } from '../export.ts';
import { huntCommand } from '../hunt.ts';
import { minimizeCommand } from '../minimize.ts';
import { labeled } from './lines.ts';
import { shown } from './output.ts';
import { replayCommand } from '../replay.ts';
import { exitWith } from './exit-code.ts';
import { reportError } from './report-error.ts';

/** A color, a bell, the end of a line, and the direction of writing. */
const bad = '\u001b[31m\u0007\nfake\u202e\u009b1m';
const escaped = String.raw`\x1b[31m\x07\nfake\u202e\x9b1m`;

const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
const at = (name: string): string => join(folder, name);
const module = at(`a b'$x\n\u001b[31m.system.ts`);
const out = at('out');
let trace = '';
let other = '';

beforeAll(async () => {
  writeFileSync(at('package.json'), '{ "type": "module" }');
  cpSync(fileURLToPath(new URL('../../../test/hostile.system.ts', import.meta.url)), module);
  writeFileSync(at('throws.ts'), `throw new Error(${JSON.stringify(bad)})`);
  writeFileSync(
    at('none.ts'),
    `export default ${JSON.stringify(bad)}; export { x as ${JSON.stringify(bad)} }; const x = 1;`,
  );
  writeFileSync(at('no.trace'), `${bad}\n`);
  await ran(huntCommand, module, '--out', out, '--workers', '1');
  [trace, other] = readdirSync(out)
    .sort()
    .map((name) => join(out, name)) as [string, string];
  const gone = JSON.stringify(`gone${bad}.ts`);
  writeFileSync(at('gone.trace'), readFileSync(trace, 'utf8').replace(/"module":"[^"]*"/, `"module":${gone}`));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command prints, to both. */
async function ran(command: () => Command, ...args: readonly string[]): Promise<string> {
  const run = (): Promise<unknown> => command().exitOverride().parseAsync(args, { from: 'user' });
  const text = await printedBy(() => run().catch(reportError));
  exitWith(0);
  return text;
}

/** Line ends are the only controls, and none is a text's own. */
function expectClean(text: string): void {
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
  expect(text).not.toMatch(/^ {0,9}fake/m);
  expect(text).not.toContain('culprit itself failed');
}

describe('every text of a system and of its files is shown, and does nothing to a terminal', () => {
  test.each<[string, () => Command, () => readonly string[], string]>([
    ['a hunt', huntCommand, () => [module, '--out', out, '--workers', '1'], `it is violated${escaped}`],
    ['a hunt, for machines', huntCommand, () => [module, '--out', out, '--workers', '1', '--json'], 'it is violated'],
    ['a check', checkCommand, () => [module, '--out', out, '--no-minimize'], `it is violated${escaped}`],
    ['a check without an answer', checkCommand, () => [module, '--out', at('bounded'), '--events', '1'], 'unknown '],
    ['a replay', replayCommand, () => [trace], `value${escaped}`],
    ['a minimization', minimizeCommand, () => [other], `it is violated${escaped}`],
    ['an explanation', explainCommand, () => [trace, '--seconds', '5'], `first${escaped}`],
    ['an explanation, for machines', explainCommand, () => [trace, '--json', '--no-why'], 'first'],
    ['an explanation without its system', explainCommand, () => [at('gone.trace')], 'path/to/gone'],
    ['a difference', diffCommand, () => [trace, at('gone.trace')], `system${escaped}`],
    ['a difference, for machines', diffCommand, () => [trace, at('gone.trace'), '--json'], 'system'],
    ['a module that throws', huntCommand, () => [at('throws.ts')], String.raw`Error: \x1b[31m\x07`],
    ['a module without a system', huntCommand, () => [at('none.ts')], String.raw`it exports \x1b[31m\x07`],
    ['a parameter', huntCommand, () => [module, '--set', `x${bad}=1`], String.raw`x\x1b[31m\x07`],
    ['a file that is not there', replayCommand, () => [at(`missing${bad}.trace`)], String.raw`missing\x1b[31m\x07`],
    ['a file that is no trace', replayCommand, () => [at('no.trace')], 'no.trace'],
    ['a module that is gone', replayCommand, () => [at('gone.trace')], String.raw`names the module gone\x1b[31m\x07`],
    ['trace events', exportCommand, () => [trace, '--to', 'chrome'], 'first'],
    ['JSON', exportCommand, () => [trace, '--to', 'json'], 'first'],
    ['a page', exportCommand, () => [trace, '--to', 'html', '--out', at('page.html')], 'page.html'],
  ])('%s', async (_what, command, args, part) => {
    const text = await ran(command, ...args());
    expectClean(text);
    expect(text).toContain(part);
  });

  test('a sequence diagram, which Mermaid reads', async () => {
    const text = await ran(exportCommand, trace, '--to', 'mermaid');
    expectClean(text);
    expect(await mermaid.parse(text)).toMatchObject({ diagramType: 'sequence' });
  });

  test('a log, which ShiViz reads', async () => {
    const text = await ran(exportCommand, trace, '--to', 'shiviz');
    expectClean(text);
    const hosts = [...text.matchAll(/^(?<host>\S*) (?<clock>{.*})\n(?<event>.*)$/gm)].map(({ groups = {} }) => {
      expect(JSON.parse(groups['clock'] as string)).toHaveProperty([groups['host'] as string]);
      return groups['host'];
    });
    expect(hosts).toContain(`one${escaped}`);
  });
});

test('a line has the colors that we gave it, and none of its own', () => {
  expect(shown(`a${bad}`)).toBe(`a${escaped}`);
});

test('a text of several lines is indented below its first line', () => {
  expect(labeled('next', 'one\ntwo')).toEqual(['next      one', '          two']);
});

test('commands that are suggested reach the file, whatever it is called', async () => {
  const odd = at("o u't");
  const said = await ran(huntCommand, module, '--out', odd, '--no-minimize', '--workers', '1');
  expect(said).toMatch(/^replay {4}npx culprit replay '\/\S+\/o u'\\''t\/sentence-\S+\.trace'$/m);
});
