import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mermaid from 'mermaid';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { printedBy } from '../../../test/twins/printed.ts';
import { loadTrace } from '../../files/trace-file.ts';
import { annotation, reportToGitHub, summaryOf } from './github.ts';

const path = 'cases/replicated-log/best/counts-answers.trace';
const trace = loadTrace(path);
const why = 'had event 6 come before event 5, it would have held';

afterEach(() => void vi.unstubAllEnvs());

test('an annotation names the module, and is one line whatever the texts are', () => {
  vi.stubEnv('GITHUB_WORKSPACE', process.cwd());
  expect(annotation({ trace, path, why })).toBe(
    '::error file=cases/replicated-log/replicated-log.system.ts,title=committedIsStored::' +
      `n1 has committed v1, which 2 of 5 nodes store%0A${why}%0Anpx culprit view ${path}`,
  );
  const odd = {
    ...trace.verdict,
    oracle: 'a,b:c',
    message: '100 %\n::error::',
    at: ['src/a.ts:31:5'],
  } as typeof trace.verdict;
  expect(annotation({ trace: { ...trace, verdict: odd }, path })).toBe(
    `::error file=src/a.ts,line=31,title=a%2Cb%3Ac::100 %25%0A::error::%0Anpx culprit view ${path}`,
  );
});

test('a summary has the story, and a diagram that Mermaid reads', async () => {
  const text = summaryOf({ trace, path, why });
  expect(text).toContain(`why       ${why}`);
  expect(text).toContain(`replay    npx culprit replay ${path}`);
  const [, diagram = ''] = /^```mermaid\n([^]*?)\n```$/m.exec(text) ?? [];
  expect(await mermaid.parse(diagram)).toMatchObject({ diagramType: 'sequence' });
});

test('both are written in a workflow of GitHub, and nothing elsewhere', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv('GITHUB_ACTIONS', '');
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'summary.md'));
  const report = (): Promise<string> => printedBy(() => Promise.resolve(reportToGitHub([{ trace, path }])));
  expect(await report()).toBe('');
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  expect(await report()).toMatch(/^::error file=/);
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toBe(summaryOf({ trace, path }));
  vi.stubEnv('GITHUB_STEP_SUMMARY', folder);
  expect(await report()).toContain('unsaved ');
});
