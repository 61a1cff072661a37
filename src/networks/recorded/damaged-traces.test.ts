import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutant } from '../../../test/twins/mutants/mutant.ts';
import { CulpritError } from '../../error.ts';
import { readTrace } from '../../trace/file.ts';
import type { Trace } from '../../trace/format.ts';
import { configurationDiff, configurationsOf } from './configurations.ts';
import { eventKinds } from './event-kinds.ts';
import { reducedTables } from './flow-history.ts';
import { packetTrace } from './packet-trace.ts';

const original = readFileSync(
  new URL('../../../cases/controllers/best/os-ken-migration.trace', import.meta.url),
  'utf8',
);

const EVENT_OF_A_PACKET = 29;
const MUTANTS = 120;

/** What `culprit network` does. */
const questions: Readonly<Record<string, (trace: Trace) => unknown>> = {
  kinds: eventKinds,
  path: (trace) => packetTrace(trace, EVENT_OF_A_PACKET),
  flows: (trace) => reducedTables(trace, undefined),
  'flows behind the violation': (trace) => reducedTables(trace, 'violation'),
  configurations: (trace) => {
    const all = configurationsOf(trace);
    return configurationDiff(all, configurationsOf(readTrace(original, 'the original')));
  },
};

test.each(Object.keys(questions))('%s of a damaged trace are answered, or refused with a reason', (question) => {
  let answered = 0;
  for (let seed = 0; seed < MUTANTS; seed++)
    try {
      questions[question]?.(readTrace(mutant(original, seed), 'a mutant'));
      answered += 1;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw new Error(`${question}, seed ${seed}`, { cause: error });
    }
  expect(answered).toBeGreaterThan(MUTANTS / 10);
});
