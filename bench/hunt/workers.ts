import { isDeepStrictEqual } from 'node:util';
import { search } from 'culprit';
import type { SearchReport } from 'culprit/kernel';
import { oneAndTwo } from '../one-and-two.ts';
import type { Measured } from '../row.ts';
import raft from './raft.system.ts';

const ROUNDS = 3;
const EXECUTIONS = 30_000;
const EVENTS = 300;

/** A long hunt, which must report the same by two workers as by one. */
export function workers(): Promise<Measured[]> {
  let known: SearchReport | undefined;
  return oneAndTwo(`${EXECUTIONS} executions, ${EVENTS} events each`, '>= 1.8', ROUNDS, async (count) => {
    const report = await search(raft, { executions: EXECUTIONS, eventsMax: EVENTS, workers: count });
    known ??= report;
    if (!isDeepStrictEqual(report, known)) throw new Error('two workers did not report the same as one');
  });
}
