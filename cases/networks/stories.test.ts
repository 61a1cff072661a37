import { readFileSync } from 'node:fs';
import { storyLines } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { inputsOf } from './gates.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Recordings of scripts that are minimized, with their inputs. Pings before the others are those of the settle phase, which are always there. */
const stored = [
  ['06-floodlight-loop', 'script', 'loops', { lose: 4, send: 2 }],
  ['08-failover', 'link', 'blackholes', { send: 4, crash: 1, cut: 1 }],
  ['08-failover', 'switch', 'blackholes', { send: 4, crash: 2 }],
] as const;

test.each(stored)('the page of %s shows the stored execution %s', (folder, name, oracle, inputs) => {
  const path = `${folder}/best/${name}.trace`;
  const trace = readTrace(read(path), path);
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle });
  const counts: Record<string, number> = {};
  for (const { kind } of inputsOf(trace)) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(counts).toEqual(inputs);
  const page = read(`${folder}/README.md`);
  for (const line of storyLines(trace.events).slice(-8)) expect(page).toContain(line.trimEnd());
});
