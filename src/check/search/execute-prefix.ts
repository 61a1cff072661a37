import { isInternal, type External } from '../../trace/event.ts';
import type { Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { faultMovesAt } from './fault-transitions.ts';
import { movesAt, type Environment, type Move, type Place } from './transitions.ts';
import { StaleCheckpoint } from './saved.ts';

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

/** A move that was found elsewhere, as it is here; undefined where it cannot happen here. */
function here(place: Place, move: Move, environment: Environment): Move | undefined {
  const { step: event } = move;
  if (!isInternal(event)) return place.session.refusal(event) === undefined ? move : undefined;
  if (place.session.enabled.includes(event)) return move;
  return movesAt(place, environment).find(({ key }) => key === move.key);
}

/** Where a move leads. The place it begins at is lost where code awaits something: then it cannot be copied. */
export function* step(from: Place, move: Move): Steps<Place> {
  return yield* goOn({ ...from, session: from.session.fork?.() ?? from.session }, move);
}

/** The same, where nobody needs the place it begins at any more: nothing is copied. */
export function* goOn(from: Place, move: Move): Steps<Place> {
  const { session } = from;
  const { length } = session.world;
  const pending = session.perform(move.step);
  if (pending !== undefined) yield pending;
  const events = session.recording.events.since(length);
  // What an action brings about is named by what it says: the move's own name is that of its first event.
  const names = from.names.concat(events.map(({ hi, lo }, at) => (at === 0 ? move.name : { hi, lo })));
  const threads =
    move.thread < 0 ? from.threads : from.threads.with(move.thread, { at: move.after, since: names.length });
  return { session, names, threads };
}

/** Where these moves lead, from the beginning. */
export const walk = (beginning: Beginning, moves: readonly Move[]): Steps<Place> =>
  retrace(
    beginning,
    moves.map((move) => ({ key: move.key, move })),
  );

/** A move that was made; only its key where that was in another process, before this one went on. */
export interface Footstep {
  readonly key: number;
  readonly move: Move | undefined;
}

/** Where footsteps lead, from the beginning. */
export function* retrace(beginning: Beginning, footsteps: Iterable<Footstep>): Steps<Place> {
  let place = yield* begin(beginning);
  for (const { key, move } of footsteps) place = yield* goOn(place, move ?? moveCalled(place, key, beginning));
  return place;
}

function moveCalled(place: Place, wanted: number, { environment }: Beginning): Move {
  const isIt = ({ key }: Move): boolean => key === wanted;
  const move = movesAt(place, environment).find(isIt) ?? faultMovesAt(place).find(isIt);
  if (move === undefined) throw new StaleCheckpoint();
  return move;
}

/** Where moves of another place lead from this one; undefined where one of them cannot happen. */
export function* walkElsewhere(from: Place, moves: Iterable<Move>, environment: Environment): Steps<Place | undefined> {
  let place = from;
  for (const move of moves) {
    const found = here(place, move, environment);
    if (found === undefined) return undefined;
    place = yield* step(place, found);
  }
  return place;
}
