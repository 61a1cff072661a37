import { ReplayStrategy } from '../../schedule/replay/exact-replay.ts';
import { drive } from '../../kernel/drive.ts';
import { execution } from '../../kernel/loop.ts';
import type { Origin } from '../../execution/record.ts';
import { actors } from '../../hosts/actor/target.ts';
import type { Event, Internal } from '../../trace/event.ts';
import { HOLDS } from '../../trace/verdict.ts';

/**
 * What might have happened as well: messages and operations that were still under way at the end, or were lost. Not timers,
 * which may fire at any time: that one did not is nobody's doing.
 */
export async function whatElse({ system, seed, handlerMs }: Origin, recorded: readonly Event[]): Promise<Internal[]> {
  const session = actors(system).open(seed);
  const eventsMax = recorded.length;
  const strategy = new ReplayStrategy(recorded);
  await drive(execution(session, { strategy, oracle: { judge: () => HOLDS }, eventsMax }), handlerMs);
  session.close();
  const lost = session.recording.notes.since(0).flatMap((note) => (note.kind === 'dropped' ? [note.message] : []));
  const all = [...lost, ...session.world.pending].filter(({ kind }) => kind !== 'fire');
  // Over one link, what was sent earlier comes first.
  return all.sort((one, other) => one.cause - other.cause);
}
