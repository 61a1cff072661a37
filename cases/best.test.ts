import { minimize, recheck, replay, type System } from 'culprit';
import { explainLines } from 'culprit/report';
import { writeTrace, type Trace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BestKnown } from './best-known.ts';
import { bestKnown as ofRaft } from './raft/best-known.ts';
import { bestTrace as raftTrace } from './raft/best-trace.ts';
import { longFailures } from './raft/long-failures.ts';
import raft from './raft/raft.system.ts';
import { bestKnown as ofSpark } from './spark/best-known.ts';
import { bestTrace as sparkTrace } from './spark/best-trace.ts';
import spark from './spark/spark.system.ts';

interface Stored extends BestKnown {
  readonly folder: 'raft' | 'spark';
  readonly bug: string;
  readonly system: System;
  readonly trace: Trace;
  readonly violates: string;
  /**
   * More worlds than a proof takes; 0 if it takes too long for a test: spark-2294 takes 68,831 worlds, the others a
   * thousand at most.
   */
  readonly proofStates: number;
}

const sparkViolates = {
  'spark-2294': 'nearestFirst',
  'spark-3150': 'noUncaughtException',
  'spark-9256': 'noUncaughtException',
};

const keys = <K extends string>(record: Readonly<Record<K, unknown>>): K[] => Object.keys(record) as K[];

const all: readonly Stored[] = [
  ...keys(ofRaft).map((bug): Stored => ({
    folder: 'raft',
    bug,
    system: raft,
    trace: raftTrace(bug),
    violates: longFailures[bug].violates,
    proofStates: 0,
    ...ofRaft[bug],
  })),
  ...keys(ofSpark).map((bug): Stored => ({
    folder: 'spark',
    bug,
    system: spark,
    trace: sparkTrace(bug),
    violates: sparkViolates[bug],
    proofStates: bug === 'spark-2294' ? 0 : 2_000,
    ...ofSpark[bug],
  })),
];

const stored = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The output that a README shows below a command. */
function shownBelow(command: string, readme: string): string[] {
  const block = stored(readme)
    .split(/^```(?:console)?\n/m)
    .find((text) => text.startsWith(`$ ${command}\n`));
  return block?.trimEnd().split('\n').slice(1) ?? [];
}

describe.each(all)(
  'the shortest execution known of $bug',
  ({ folder, bug, system, trace, violates, proofStates, ...known }) => {
    const { header, verdict, events } = trace;

    test('is stored in the current format, and replays exactly', async () => {
      expect(writeTrace(trace)).toBe(stored(`${folder}/best/${bug}.trace`));
      expect(await replay(system, trace)).toEqual(trace);
      expect(header.parameters['bug']).toBe(bug);
      expect(header.module).toBe(`cases/${folder}/${folder}.system.ts`);
      expect(verdict).toMatchObject({ verdict: 'violated', oracle: violates });
      expect(events.length).toBe(known.events);
    });

    test('is shown in the README as printed', () => {
      const shown = shownBelow(`culprit explain cases/${folder}/best/${bug}.trace --no-why`, `${folder}/README.md`);
      expect(shown).toEqual(explainLines(trace));
    });

    test('is no longer a violation without the bug', async () => {
      const correct = { ...header, parameters: { ...header.parameters, bug: 'none' } };
      const { answer, ...rest } = await recheck(system, { ...trace, header: correct }, { neighbors: 100 });
      expect(['fixed', 'diverged']).toContain(answer);
      expect(rest).toMatchObject({ others: [] });
    });

    test('cannot be minimized, and no execution with its externals is shorter if that is proven here', async () => {
      const { trace: left, certificate } = await minimize(system, trace, { proofStates });
      expect(left.events.length).toBe(events.length);
      expect(certificate).toBe(proofStates > 0 && known.how === 'exhaustive' ? 'shortest' : '1-minimal');
    });
  },
);
