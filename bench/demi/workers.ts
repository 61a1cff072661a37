import { minimize } from 'culprit';
import { writeTrace } from 'culprit/trace';
import { oneAndTwo } from '../one-and-two.ts';
import type { Measured } from '../row.ts';
import { failures, type Failure } from './failures.ts';

const ROUNDS = 2;
const BUG = 'raft-58a';
const FAILURES = 3;

/** Long executions of one bug, which must be minimized to the same bytes by two workers as by one. */
export async function workers(): Promise<Measured[]> {
  const given: Failure[] = [];
  for await (const failure of failures({ seeds: undefined }, FAILURES)) {
    if (failure.bug === BUG) given.push(failure);
    if (given.length === FAILURES) break;
  }
  const known = new Map<number, string>();
  return oneAndTwo(`${BUG}, ${FAILURES} executions minimized`, '>= 1.6', ROUNDS, async (count) => {
    for (const { system, trace, seed } of given) {
      const text = writeTrace((await minimize(system, trace, { workers: count })).trace);
      if (text !== (known.get(seed) ?? text)) throw new Error(`seed ${seed}: two workers left something else than one`);
      known.set(seed, text);
    }
  });
}
