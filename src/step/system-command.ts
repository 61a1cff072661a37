import { CulpritError, problemOf } from '../error.ts';
import type { StepView } from '../system/step-commands.ts';
import { applyChanges, isNothing, NOTHING } from '../trace/change.ts';
import type { External } from '../trace/event.ts';
import type { EventLine } from '../trace/format.ts';
import { fromPortable } from '../trace/json-encoding.ts';
import { printable } from '../text/printable.ts';
import { BadCommand } from './bad-command.ts';
import type { Track } from './track.ts';
import { wordsOf } from './words.ts';

/** What a command of the system shows. */
export function shownBy(
  show: (words: readonly string[], shown: StepView) => readonly string[],
  command: string,
  rest: string,
  { session, lines }: Track,
): string[] {
  const stateAfter = (process: string, event: number): unknown => stateIn(lines.slice(0, event), process);
  return answered(command, () => show(wordsOf(rest), { world: session.world, stateAfter }).map(printable));
}

/** The external that a command of the system injects. */
export const injectedBy = (
  inject: (words: readonly string[], world: Track['session']['world']) => External,
  command: string,
  rest: string,
  { session }: Track,
): External => answered(command, () => inject(wordsOf(rest), session.world));

function answered<T>(command: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof CulpritError) throw error;
    throw new BadCommand(
      `the system's command ${command} threw: ${problemOf(error)}`,
      'Fix it in `commands` of the system.',
      {
        cause: error,
      },
    );
  }
}

/** The state of a process after these events. */
function stateIn(lines: readonly EventLine[], process: string): unknown {
  const changes = lines.flatMap((line) => (line.process === process ? (line.changes ?? []) : []));
  const state = applyChanges(NOTHING, changes);
  return isNothing(state) ? undefined : fromPortable(state);
}
