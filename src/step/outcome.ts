import { whyNotGuaranteed } from '../kernel/guarantees.ts';
import { plural } from '../text/plural.ts';
import { BadCommand } from './bad-command.ts';
import { nextOfWorkload } from './choices.ts';
import type { Stop } from './running.ts';
import type { Track } from './track.ts';

/** Why a run ended, unless the last event shows it. */
export function stopLines(
  stop: Stop,
  until: string | undefined,
  events: number,
  eventsMax: number,
  canUndo: boolean,
): string[] {
  switch (stop) {
    case 'there':
      return [`reached   ${until ?? ''}`];
    case 'enough':
      return until === undefined ? [] : [`stopped   after ${plural(events, 'event')}: ${until} did not happen`];
    case 'bound':
      return [`stopped   at ${plural(eventsMax, 'event')}: --events sets the limit, \`run 100\` continues`];
    case 'interrupted':
      return [`stopped   after ${plural(events, 'event')}${canUndo ? `: \`undo ${events}\` takes them back` : ''}`];
    case 'verdict':
    case 'nothing':
      return [];
  }
}

/** How the execution has ended, or why no event can happen. */
export function endLines(track: Track): string[] {
  const { verdict, session } = track;
  switch (verdict.kind) {
    case 'violated':
      return [
        `violated  ${verdict.oracle}: ${verdict.message}`,
        `next      \`save\` writes a trace to minimize and replay${track.canUndo ? '; `undo` takes the last event back' : ''}`,
      ];
    case 'unknown':
      return [`unknown   ${verdict.why}`, ...(track.canUndo ? ['next      `undo` takes the last event back'] : [])];
    case 'holds':
      if (session.enabled.length > 0 || nextOfWorkload(track) !== undefined) return [];
      if (!track.isControlled) return ['quiet     nothing has arrived; `wait` lets time pass, `check` judges this end'];
      return session.stuck === undefined
        ? ['quiet     no event is enabled; `check` judges this end, `help` lists what you can inject']
        : [`stuck     ${session.stuck.message}`];
  }
}

/** Where processes act by themselves, what has happened has happened. So it has in an execution of a hunt. */
export function mustBeUndoable({ canUndo, isBorrowed, origin }: Track): void {
  if (canUndo) return;
  if (isBorrowed)
    throw new BadCommand(
      'the hunt continues from here, so its events cannot be taken back.',
      'Write a trace with `save`, and begin with it later: culprit step file.trace',
    );
  const lacking = whyNotGuaranteed('controlled', origin.system.declaration) ?? '';
  throw new BadCommand(`events cannot be taken back; ${lacking}.`, 'Begin again, with `script` for what you typed.');
}
