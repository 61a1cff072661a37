import { endingOf, type Original } from '../test/twins/mutants/commands.ts';
import { mutant } from '../test/twins/mutants/mutant.ts';
import { originals } from '../test/twins/mutants/originals.ts';
import type { Said } from './mutants.ts';

/** Gives one command the mutants of these seeds, one after the other: see `mutants.ts`. */
const [command = '', from = '', to = ''] = process.argv.slice(2);
const all = await originals();
for (let seed = Number(from); seed <= Number(to); seed++) {
  const original = all[seed % all.length] as Original;
  const ending = await endingOf(command, mutant(original.text, seed), original);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const said: Said =
    typeof ending === 'string'
      ? { seed, ending, peakMb }
      : { seed, ending: 'unexpected', stack: stackOf(ending.unexpected), peakMb };
  process.send?.(said);
}
process.disconnect();

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
