import { fuzzCodec } from '../../test/twins/networks/fuzz-codec.ts';
import type { Measured } from '../row.ts';

/** Seeds, and inputs of each. */
const SEEDS = 50;
const INPUTS = 20_000;

/** A million random and mutated inputs. Exits with 1 if one of them shows a bug, and prints the input. */
export function* fuzz(): Generator<Measured> {
  const sum = { message: 0, refused: 0, broken: 0, bugs: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { message, refused, broken, bugs } = fuzzCodec(seed, INPUTS);
    sum.message += message;
    sum.refused += refused;
    sum.broken += broken;
    sum.bugs += bugs.length;
    for (const bug of bugs) console.error(`seed ${seed}: ${bug}`);
  }
  if (sum.bugs > 0) process.exitCode = 1;
  const row = (metric: string, value: number): Measured => ({ case: 'OpenFlow 1.0', metric, value, unit: 'inputs' });
  yield row('read', sum.message);
  yield row('refused', sum.refused);
  yield row('broke the channel', sum.broken);
  yield { ...row('show a bug', sum.bugs), target: '0' };
}
