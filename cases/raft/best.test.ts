import { minimize, recheck, replay, storyLines } from 'culprit';
import { writeTrace, type Trace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bestKnown } from './best-known.ts';
import { bestTrace } from './best-trace.ts';
import { longFailures } from './long-failures.ts';
import raft from './raft.system.ts';

type Known = keyof typeof bestKnown;

const stored = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What is printed when the trace of a file is replayed. */
const printed = ({ verdict, events }: Trace): string[] => [
  verdict.verdict === 'violated' ? `violated  ${verdict.oracle}: ${verdict.message}` : verdict.verdict,
  `          ${events.length} events`,
  '',
  ...storyLines(events),
];

/** What the README shows below a command. */
function shownBelow(command: string): string[] {
  const block = stored('README.md')
    .split(/^```(?:console)?\n/m)
    .find((text) => text.startsWith(`$ ${command}\n`));
  return block?.trimEnd().split('\n').slice(1) ?? [];
}

describe.each(Object.keys(bestKnown) as Known[])('the shortest execution known of %s', (bug) => {
  const trace = bestTrace(bug);
  const { header, verdict, events } = trace;

  test('is stored as it is written, and comes out exactly as it is stored', async () => {
    expect(writeTrace(trace)).toBe(stored(`best/${bug}.trace`));
    expect(await replay(raft, trace)).toEqual(trace);
    expect(header.parameters['bug']).toBe(bug);
    expect(header.module).toBe('cases/raft/raft.system.ts');
    expect(verdict).toMatchObject({ verdict: 'violated', oracle: longFailures[bug].violates });
    expect(events.length).toBe(bestKnown[bug].events);
  });

  test('is told in the README as it is printed', () => {
    expect(shownBelow(`culprit replay cases/raft/best/${bug}.trace`)).toEqual(printed(trace));
  });

  test('is no longer a violation without the bug', async () => {
    const correct = { ...header, parameters: { ...header.parameters, bug: 'none' } };
    const { answer, ...rest } = await recheck(raft, { ...trace, header: correct }, { neighbours: 100 });
    expect(['fixed', 'diverged']).toContain(answer);
    expect(rest).toMatchObject({ others: [] });
  });

  test('cannot be minimised', async () => {
    const { trace: left, certificate } = await minimize(raft, trace, { worlds: 0 });
    expect(left.events.length).toBe(events.length);
    expect(certificate).toBe('1-minimal');
  });
});
