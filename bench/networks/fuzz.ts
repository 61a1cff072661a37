import { fuzzCodec } from '../../test/twins/networks/fuzz-codec.ts';
import { fuzzFrames } from '../../test/twins/networks/fuzz-frames.ts';
import type { Measured } from '../row.ts';

/** Seeds, and inputs of each. */
const SEEDS = 50;
const INPUTS = 20_000;

/** A million random and mutated inputs of each kind. Exits with 1 if one of them shows a bug, and prints the input. */
export function* fuzz(): Generator<Measured> {
  yield* summed('OpenFlow 1.0', (seed) => {
    const { message, refused, broken, bugs } = fuzzCodec(seed, INPUTS);
    return { counts: { message, refused, 'breaks the channel': broken }, bugs };
  });
  yield* summed('frames', (seed) => {
    const { kinds, bugs } = fuzzFrames(seed, INPUTS);
    return { counts: kinds, bugs };
  });
}

interface Fuzzed {
  readonly counts: Readonly<Record<string, number>>;
  readonly bugs: readonly string[];
}

function* summed(name: string, fuzzed: (seed: number) => Fuzzed): Generator<Measured> {
  const sums = new Map<string, number>();
  let bugCount = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { counts, bugs } = fuzzed(seed);
    for (const [kind, count] of Object.entries(counts)) sums.set(kind, (sums.get(kind) ?? 0) + count);
    for (const bug of bugs) console.error(`${name}, seed ${seed}: ${bug}`);
    bugCount += bugs.length;
  }
  if (bugCount > 0) process.exitCode = 1;
  for (const [metric, value] of sums) yield { case: name, metric, value, unit: 'inputs' };
  yield { case: name, metric: 'shows a bug', value: bugCount, unit: 'inputs', target: '0' };
}
