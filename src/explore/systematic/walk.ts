import type { External } from '../../trace/event.ts';
import type { Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import type { Environment, Move, Place } from './moves.ts';

/** Where executions begin, and what is under way in them. */
export interface Beginning {
  /** A fresh session. */
  readonly open: () => Session;
  /** What happens before anything else, in this order: the starts. */
  readonly first: readonly External[];
  readonly environment: Environment;
}

/** The place where every execution begins. */
export function* begin({ open, first, environment }: Beginning): Steps<Place> {
  const session = open();
  for (const external of first) {
    const pending = session.perform(external);
    if (pending !== undefined) yield pending;
  }
  const names = session.recording.events.since(0).map(({ hi, lo }) => ({ hi, lo }));
  return { session, names, threads: environment.threads.map(() => ({ at: 0, since: names.length })) };
}

/** Where a move leads. The place it begins at is lost where code awaits something: then it cannot be copied. */
export function* step(here: Place, move: Move): Steps<Place> {
  return yield* goOn({ ...here, session: here.session.fork?.() ?? here.session }, move);
}

/** The same, where nobody needs the place it begins at any more: nothing is copied. */
export function* goOn(here: Place, move: Move): Steps<Place> {
  const { session } = here;
  const { length } = session.world;
  const pending = session.perform(move.step);
  if (pending !== undefined) yield pending;
  const events = session.recording.events.since(length);
  // What an action brings about is named by what it says: the move's own name is that of its first event.
  const names = here.names.concat(events.map(({ hi, lo }, at) => (at === 0 ? move.name : { hi, lo })));
  const threads =
    move.thread < 0 ? here.threads : here.threads.with(move.thread, { at: move.after, since: names.length });
  return { session, names, threads };
}

/** Where these moves lead, from the beginning. */
export function* walk(beginning: Beginning, moves: Iterable<Move>): Steps<Place> {
  let place = yield* begin(beginning);
  for (const move of moves) place = yield* goOn(place, move);
  return place;
}
