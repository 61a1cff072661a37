import type { Digest } from '../../trace/digest.ts';
import type { Session } from '../../kernel/ports.ts';
import { breather, type Steps } from '../../kernel/loop.ts';
import { conflicts, type Footprint } from './footprint.ts';
import { internalMove, keyOf, movesAt, type Move, type Place } from './moves.ts';
import { madeSince, markOf, type Mark, type Scope } from './scope.ts';
import { Bits } from './bits.ts';
import { notAfter, ordered, type Race, type Taken } from './taken.ts';
import { begin, step, walk, type Beginning } from './walk.ts';
import { insert, isWeakInitial, type Branch, type Named, type Sequence } from './wakeup-tree.ts';

export interface DporOptions extends Beginning {
  readonly scope: Scope;
  readonly eventsMax: number;
  readonly visitor: Visitor;
}

/** Looks on, and decides whether to go on. */
export interface Visitor {
  /** Whether the step changed something that oracles look at. */
  isVisible(before: Session, after: Session, since: Mark): boolean;
  /** After each step that is new, and at the start. */
  arrived(session: Session): void;
  /** At the end of each execution. False: that is enough. */
  ended(session: Session, ending: Ending): boolean;
}

/**
 * Nothing was left that could happen; or the bound on events was met; or all that was left had been explored elsewhere,
 * so that the execution was begun in vain.
 */
export type Ending = 'finished' | 'bound' | 'blocked';

/** A world on the way, and what is left to explore from there. */
interface Frame {
  /** Undefined where it has to be made again. */
  place: Place | undefined;
  readonly moves: readonly Move[];
  /** What need not be begun with: it has been. */
  readonly asleep: Named[];
  readonly tree: Branch[];
  isNew: boolean;
}

/**
 * Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson and Sagonas, 2014): one execution of each set of
 * executions that differ only in the order of independent events. Source sets say which events must be begun with, sleep
 * sets what has been, and wakeup trees how to get to where nothing has been, so that no execution is begun in vain.
 *
 * Unlike there, any pending event is a thread of its own, and events may prevent others: a crash takes messages, a timer is
 * cancelled. So a step races not only with those that happened, but also with what it prevented, and with what was made
 * later and cannot happen because of it.
 */
export class Dpor {
  private readonly frames: Frame[] = [];
  /** The steps between the frames. */
  private readonly steps: Taken[] = [];
  /** The step that each event belongs to, by the number of the event. */
  private readonly stepOf: number[] = [];

  constructor(private readonly options: DporOptions) {}

  *run(): Steps<void> {
    const rest = breather();
    this.arrive(yield* begin(this.options), [], []);
    while (this.frames.length > 0) {
      const frame = this.frames.at(-1) as Frame;
      const branch = this.nextBranch(frame);
      if (branch !== undefined) yield* this.follow(frame, branch);
      else if (frame.isNew && !(yield* this.finish(frame))) return;
      else this.leave();
      yield* rest();
    }
  }

  private arrive(place: Place, asleep: Named[], tree: Branch[]): Frame {
    this.options.visitor.arrived(place.session);
    const frame: Frame = { place, moves: movesAt(place, this.options.environment), asleep, tree, isNew: true };
    this.frames.push(frame);
    return frame;
  }

  /** What was planned, or anything, where nothing was. */
  private nextBranch(frame: Frame): Branch | undefined {
    const planned = frame.tree[0];
    if (planned !== undefined || !frame.isNew || this.isAtBound(frame)) return planned;
    const move = awake(frame).reduce<Move | undefined>(earlier, undefined);
    if (move !== undefined) frame.tree.push({ key: move.key, foot: { writes: [], reads: [] }, children: [] });
    return frame.tree[0];
  }

  private isAtBound({ place }: Frame): boolean {
    return (place?.session.world.length ?? 0) >= this.options.eventsMax;
  }

  /** Everything from here has been explored: its step falls asleep in the world it was taken from. */
  private leave(): void {
    this.frames.pop();
    const step = this.steps.pop();
    const frame = this.frames.at(-1);
    if (frame === undefined || step === undefined) return;
    frame.asleep.push({ key: step.key, foot: step.foot });
    frame.tree.shift();
  }

  private *follow(frame: Frame, branch: Branch): Steps<void> {
    frame.isNew = false;
    const move = moveOf(branch, frame.moves);
    const here = yield* this.placeAt(this.steps.length);
    const since = markOf(here.session);
    const before = here.session;
    const isKept = before.fork !== undefined;
    const place = yield* step(here, move);
    if (!isKept) frame.place = undefined;
    const foot = this.footprintOf(before, place.session, since, move);
    frame.tree[0] = { ...branch, foot };
    this.stepOf.length = since.events;
    while (this.stepOf.length < place.names.length) this.stepOf.push(this.steps.length);
    const asleep = frame.asleep.filter((other) => !conflicts(other.foot, foot));
    const next = this.arrive(place, asleep, branch.children);
    this.steps.push(this.takenStep(move, foot, frame, next, since));
  }

  private footprintOf(before: Session, after: Session, since: Mark, { isGuarded }: Move): Footprint {
    const isVisible = this.options.visitor.isVisible(before, after, since);
    return this.options.scope.footprint(after, since, { isGuarded, isVisible });
  }

  private takenStep(move: Move, foot: Footprint, from: Frame, to: Frame, since: Mark): Taken {
    const needed = this.neededFor(move, causeOf(to, since));
    const order = ordered({ foot, needed }, this.steps);
    const at = this.steps.length;
    const races: Race[] = order.direct
      .filter((other) => !needed.includes(other))
      .map((other) => ({ steps: [other], key: move.key, past: order.before }));
    const possible = new Set(to.moves.map(({ key }) => key));
    for (const { key } of from.moves)
      if (key !== move.key && !possible.has(key)) races.push({ steps: [at], key, past: new Bits(0) });
    if (!this.options.scope.isPlain) races.push(...this.barred(at, order.before, barredIn(to, possible, since)));
    return { key: move.key, move, foot, at, needed, ...order, races, sentBack: sentBackIn(from, to) };
  }

  /** What a step made cannot happen: perhaps because of what happened to the same process before. */
  private barred(at: number, before: Bits, made: readonly Barred[]): Race[] {
    const past = new Bits(at + 1);
    past.addAll(before);
    past.add(at);
    return made.map(({ key, process }) => {
      const inTheWay = this.steps.filter((other) => !before.has(other.at) && isAbout(other.move, process));
      return { steps: inTheWay.map((other) => other.at).toReversed(), key, past };
    });
  }

  private neededFor(move: Move, cause: number): number[] {
    const { step: event, thread } = move;
    const needed = [
      this.stepOf[cause] ?? -1,
      thread < 0 ? -1 : this.steps.findLastIndex((other) => other.move.thread === thread),
      event.kind === 'return' ? this.sentBackBy(move.key) : -1,
    ];
    return needed.filter((at) => at >= 0);
  }

  /** A message comes back because of whatever made its receiver absent, which may be long after its sending. */
  private sentBackBy(key: number): number {
    return this.steps.findIndex(({ sentBack }) => sentBack.includes(key));
  }

  /** The world after so many steps: made again where it could not be kept. */
  private *placeAt(at: number): Steps<Place> {
    return (this.frames[at] as Frame).place ?? (yield* this.again(at));
  }

  /** The same, where going on from it does not matter to anybody. */
  private *placeToSpoil(at: number): Steps<Place> {
    const { place } = this.frames[at] as Frame;
    return place?.session.fork === undefined ? yield* this.again(at) : place;
  }

  private *again(at: number): Steps<Place> {
    const moves = this.steps.slice(0, at).map(({ move }) => move);
    return yield* walk(this.options, moves);
  }

  /** An execution is over. Says whether to go on with others. */
  private *finish(frame: Frame): Steps<boolean> {
    const { session } = frame.place as Place;
    const ending = frame.moves.length === 0 ? 'finished' : this.isAtBound(frame) ? 'bound' : 'blocked';
    if (!this.options.visitor.ended(session, ending)) return false;
    for (const step of this.steps) yield* this.reverseRaces(step);
    return true;
  }

  /** Plans for what has not been tried the other way round; keeps what is asleep, and might not be with what comes later. */
  private *reverseRaces({ races }: Taken): Steps<void> {
    for (let at = races.length - 1; at >= 0; at--) {
      const outcome = yield* this.reverse(races[at] as Race);
      if (outcome !== 'asleep') races.splice(at, 1);
    }
  }

  private *reverse({ steps, ...race }: Race): Steps<Outcome> {
    for (const at of steps) {
      const outcome = yield* this.tryBefore(at, race);
      if (outcome !== 'impossible') return outcome;
    }
    return 'impossible';
  }

  private isPossibleAt(at: number, key: number): boolean {
    return (this.frames[at] as Frame).moves.some((move) => move.key === key);
  }

  /** Plans an execution in which the event comes before a step. */
  private *tryBefore(at: number, { key, past }: Omit<Race, 'steps'>): Steps<Outcome> {
    const others = [...notAfter(at, this.steps)].filter((event) => event.key !== key);
    const same = this.steps.find((event) => event.key === key);
    if (same !== undefined && this.options.scope.isPlain && this.isPossibleAt(at, key))
      return this.plan(at, [...others, same]);
    const last = yield* this.rehearse(at, others, key);
    if (last !== undefined) return this.plan(at, [...others, last]);
    // Something else is in the way as well.
    const needed = others.filter((event) => past.has(event.at));
    const tried = yield* this.rehearse(at, needed, key);
    return tried === undefined ? 'impossible' : this.plan(at, [...compatible(others, past, tried), tried]);
  }

  /** The event after others, instead of a step; undefined where it cannot happen then. */
  private *rehearse(at: number, events: readonly Taken[], key: number): Steps<Tried | undefined> {
    let place = yield* this.placeToSpoil(at);
    for (const { move } of events) place = yield* step(place, move);
    const move = movesAt(place, this.options.environment).find((other) => other.key === key);
    if (move === undefined) return undefined;
    const since = markOf(place.session);
    const after = yield* step(place, move);
    return { key, foot: this.footprintOf(place.session, after.session, since, move), needs: keysNeeded(after, since) };
  }

  private plan(at: number, events: readonly (Taken | Tried)[]): Outcome {
    const { asleep, tree } = this.frames[at] as Frame;
    const sequence: Sequence<Taken | Tried> = { events, isBefore };
    if (asleep.some((event) => isWeakInitial(sequence, event))) return 'asleep';
    insert(tree, sequence);
    return 'planned';
  }
}

/** Those of the steps that may come before the event: it needs them, or it makes no difference to it. */
function compatible(steps: readonly Taken[], past: Bits, { foot }: Tried): Taken[] {
  const later: Taken[] = [];
  return steps.filter((one) => {
    if (past.has(one.at)) return true;
    const isLater = conflicts(one.foot, foot) || later.some(({ at }) => one.before.has(at));
    if (isLater) later.push(one);
    return !isLater;
  });
}

/** What came of turning a race round. Asleep: it would be what has been explored elsewhere. */
type Outcome = 'planned' | 'asleep' | 'impossible';

/** An event that was tried in another place than it has in the execution. */
interface Tried extends Named {
  /** The keys of what made it, and of what its thread did before. */
  readonly needs: readonly number[];
}

function isBefore(one: Taken | Tried, other: Taken | Tried): boolean {
  if ('before' in other) return 'before' in one && other.before.has(one.at);
  return other.needs.includes(one.key) || conflicts(one.foot, other.foot);
}

function moveOf({ key }: Branch, moves: readonly Move[]): Move {
  const move = moves.find((other) => other.key === key);
  if (move === undefined) throw new Error('an event that was planned cannot happen');
  return move;
}

/** What made the event that a step began with. */
const causeOf = ({ place }: Frame, { events }: Mark): number =>
  (place as Place).session.recording.events.since(events)[0]?.cause ?? -1;

const keysNeeded = ({ session, names }: Place, { events }: Mark): number[] => {
  const cause = session.recording.events.since(events)[0]?.cause ?? -1;
  return cause < 0 ? [] : [keyOf(names[cause] as Digest)];
};

/** What came back to its sender. */
function sentBackIn(from: Frame, to: Frame): number[] {
  const { session, names } = to.place as Place;
  const before = new Set(from.place?.session.world.pending);
  return session.world.pending
    .filter((event) => event.kind === 'return' && !before.has(event))
    .map((event) => internalMove(event, names).key);
}

/** What has not been begun with elsewhere. */
const awake = ({ moves, asleep }: Frame): Move[] =>
  moves.filter(({ key }) => !asleep.some((other) => other.key === key));

/** Whoever waits longest goes first, so that nobody waits for ever; the environment goes last. */
const earlier = (best: Move | undefined, move: Move): Move =>
  best === undefined || ageOf(move) < ageOf(best) ? move : best;

const ageOf = ({ step: event }: Move): number => ('cause' in event ? event.cause : Number.MAX_SAFE_INTEGER);

const isAbout = ({ step: event }: Move, process: string): boolean => {
  switch (event.kind) {
    case 'cut':
    case 'heal':
      return event.links.some((link) => link.includes(process));
    case 'send':
    case 'lose':
    case 'duplicate':
      return false;
    case 'act':
      return true;
    default:
      return event.process === process;
  }
};

/** Something that was made and cannot happen, to whichever process it would. */
interface Barred {
  readonly key: number;
  readonly process: string;
}

/** What was made since then and cannot happen now. */
function barredIn({ place }: Frame, possible: ReadonlySet<number>, since: Mark): Barred[] {
  const { session, names } = place as Place;
  return [...madeSince(session, since)]
    .map((event) => ({ key: internalMove(event, names).key, process: event.process }))
    .filter(({ key }) => !possible.has(key));
}
