import type { Session } from '../../kernel/ports.ts';
import { breather, type Steps } from '../../kernel/loop.ts';
import type { Bits } from './bits.ts';
import type { Move, Place } from './moves.ts';
import { Path, type Frame, type PathOptions, type Tried } from './path.ts';
import { notAfter, type Race, type Taken } from './taken.ts';
import { begin } from './walk.ts';
import { insert, isWeakInitial, type Named, type Sequence } from './wakeup-tree.ts';

export interface DporOptions extends PathOptions {
  readonly eventsMax: number;
  readonly visitor: Visitor;
  /** Where nothing is planned: what to go on with, of one move or more. Otherwise whoever waits longest. */
  readonly choose?: (moves: readonly Move[], session: Session) => Move;
}

/** Looks on, and decides. */
export interface Visitor {
  /** After each step that is new, and at the start. */
  arrived(session: Session): void;
  /** Whether what comes of it need not be looked at. */
  isFamiliar(session: Session, move: Move): boolean;
  /** At the end of each execution. False: that is enough. */
  ended(session: Session, ending: Ending): boolean;
}

/**
 * Nothing was left that could happen; or the bound on events was met; or all that was left had been explored elsewhere,
 * so that the execution was begun in vain.
 */
export type Ending = 'finished' | 'bound' | 'blocked';

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
  private readonly path: Path;

  constructor(private readonly options: DporOptions) {
    this.path = new Path(options);
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const rest = breather();
    const { frames } = this.path;
    this.arrived(this.path.arrive(yield* begin(this.options), [], []));
    while (frames.length > 0) {
      const frame = frames.at(-1) as Frame;
      const isOver = frame.isNew && !this.hasBranch(frame);
      if (isOver) {
        if (!(yield* this.finish(frame))) return;
        yield undefined;
      }
      if (isOver || frame.tree.length === 0) this.path.back();
      else yield* this.goOn(frame);
      yield* rest();
    }
  }

  /** The share of all executions that has been explored, as far as it can be told from what is planned. */
  get share(): number {
    let share = 0;
    let weight = 1;
    for (const { explored, tree } of this.path.frames) {
      const all = Math.max(1, explored + tree.length);
      share += (weight * explored) / all;
      weight /= all;
    }
    return this.path.frames.length === 0 ? 1 : share;
  }

  private *goOn(frame: Frame): Steps<void> {
    const branch = frame.tree[0] as Frame['tree'][number];
    const move = frame.moves.find(({ key }) => key === branch.key);
    if (move !== undefined && frame.place !== undefined && this.options.visitor.isFamiliar(frame.place.session, move)) {
      frame.isNew = false;
      frame.tree.shift();
      return;
    }
    this.arrived(yield* this.path.follow(frame, branch));
  }

  private arrived({ place }: Frame): void {
    this.options.visitor.arrived((place as Place).session);
  }

  /** Whether there is something to begin with: what was planned, or anything, where nothing was. */
  private hasBranch(frame: Frame): boolean {
    if (frame.tree.length > 0) return true;
    if (this.isAtBound(frame)) return false;
    const moves = awake(frame);
    if (moves.length === 0) return false;
    const { choose = oldest } = this.options;
    const move = choose(moves, (frame.place as Place).session);
    frame.tree.push({ key: move.key, step: move.step, foot: { writes: [], reads: [] }, children: [] });
    return true;
  }

  private isAtBound({ place }: Frame): boolean {
    return (place as Place).session.world.length >= this.options.eventsMax;
  }

  /** An execution is over. Says whether to go on with others. */
  private *finish(frame: Frame): Steps<boolean> {
    const { session } = frame.place as Place;
    const ending = frame.moves.length === 0 ? 'finished' : this.isAtBound(frame) ? 'bound' : 'blocked';
    if (!this.options.visitor.ended(session, ending)) return false;
    for (const { races } of this.path.steps) {
      // Those that would lead to what has been explored may not do so after other executions: they are kept.
      for (let at = races.length - 1; at >= 0; at--)
        if ((yield* this.reverse(races[at] as Race)) !== 'asleep') races.splice(at, 1);
    }
    return true;
  }

  private *reverse({ steps, ...race }: Race): Steps<Outcome> {
    for (const at of steps) {
      const outcome = yield* this.tryBefore(at, race);
      if (outcome !== 'impossible') return outcome;
    }
    return 'impossible';
  }

  /** Plans an execution in which the event comes before a step. */
  private *tryBefore(at: number, { key, past }: Omit<Race, 'steps'>): Steps<Outcome> {
    const { path } = this;
    const others = [...notAfter(at, path.steps)].filter((event) => event.key !== key);
    const same = path.steps.find((event) => event.key === key);
    if (same !== undefined && this.options.scope.isPlain && path.isPossibleAt(at, key))
      return this.plan(at, [...others, same]);
    const last = yield* path.rehearse(at, others, key);
    if (last !== undefined) return this.plan(at, [...others, last]);
    // Something else is in the way as well.
    const needed = others.filter((event) => past.has(event.at));
    const tried = yield* path.rehearse(at, needed, key);
    return tried === undefined ? 'impossible' : this.plan(at, [...this.compatible(at, others, past, tried), tried]);
  }

  /** Those of the steps that may come before the event: it needs them, or it makes no difference to it. */
  private compatible(at: number, steps: readonly Taken[], past: Bits, tried: Tried): Taken[] {
    const later: Taken[] = [];
    return steps.filter((one) => {
      if (past.has(one.at)) return true;
      const isLater = this.dependsAt(at, one, tried) || later.some((other) => one.before.has(other.at));
      if (isLater) later.push(one);
      return !isLater;
    });
  }

  private dependsAt(at: number, one: Named, other: Named): boolean {
    return this.options.depends(this.path.frames[at]?.place?.session, one, other);
  }

  private plan(at: number, events: readonly (Taken | Tried)[]): Outcome {
    const { asleep, tree } = this.path.frames[at] as Frame;
    const depends = (one: Named, other: Named): boolean => this.dependsAt(at, one, other);
    const isBefore = (one: Taken | Tried, other: Taken | Tried): boolean => {
      if ('before' in other) return 'before' in one && other.before.has(one.at);
      return other.needs === one.key || depends(one, other);
    };
    const sequence: Sequence<Taken | Tried> = { events, isBefore, depends };
    if (asleep.some((event) => isWeakInitial(sequence, event))) return 'asleep';
    insert(tree, sequence);
    return 'planned';
  }
}

/** What came of turning a race round. Asleep: it would be what has been explored elsewhere. */
type Outcome = 'planned' | 'asleep' | 'impossible';

/** What has not been begun with elsewhere. */
const awake = ({ moves, asleep }: Frame): Move[] =>
  moves.filter(({ key }) => !asleep.some((other) => other.key === key));

/** Whoever waits longest goes first, so that nobody waits for ever; the environment goes last. */
const oldest = (moves: readonly Move[]): Move =>
  moves.reduce((best, move) => (ageOf(move) < ageOf(best) ? move : best));

const ageOf = ({ step: event }: Move): number => ('cause' in event ? event.cause : Number.MAX_SAFE_INTEGER);
