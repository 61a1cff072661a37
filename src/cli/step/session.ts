import { Stepping, type SteppingOptions } from '../../step/stepping.ts';
import { stepByScript } from './script.ts';
import { stepOnTerminal } from './terminal.ts';

/** Lets the user choose events, on a terminal or by a script, after so many steps of the recording. */
export async function stepFrom(beginning: SteppingOptions, opening: string, steps = 0): Promise<void> {
  const stepping = await Stepping.begin(beginning);
  try {
    if (steps !== 0) await stepping.enter(`next ${Number.isFinite(steps) ? steps : 'all'}`);
    if (process.stdin.isTTY && process.stdout.isTTY) await stepOnTerminal(stepping, opening, beginning.out);
    else await stepByScript(stepping, opening);
  } finally {
    await stepping.close();
  }
}
