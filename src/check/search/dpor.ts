import type { Session } from '../../kernel/ports.ts';
import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import type { Bits } from './bits.ts';
import { isWaiting, oldest, type Transition, type SearchState } from './transitions.ts';
import {
  ExplorationStack,
  type ExplorationFrame,
  type ExplorationStackOptions,
  type TriedBranch,
} from './exploration-stack.ts';
import { proposal, proposedIn, type Proposal } from './proposal.ts';
import type { SavedExplorationStack } from './saved.ts';
import { notAfter, type Race, type ExecutedStep } from '../dependence/step.ts';
import { begin } from './execute-prefix.ts';
import type { EstimatedExecution } from '../reduce/reduction-estimate.ts';
import {
  chain,
  insert,
  isInitial,
  isWeakInitial,
  type Branch,
  type NamedTransition,
  type Sequence,
} from './wakeup-tree.ts';

export interface DporOptions extends ExplorationStackOptions {
  readonly eventsMax: number;
  readonly visitor: Visitor;
  /** Chooses among at least one transition if nothing is planned. By default, the oldest. */
  readonly choose?: (transitions: readonly Transition[], session: Session) => Transition;
}

/** Observes the search, and decides when to stop. */
export interface Visitor {
  /** Called after each new step, and at the start. */
  arrived(session: Session): void;
  /** The policy to which this transition is familiar, if one has seen the like. It is seen now. */
  familiarBy(session: Session, transition: Transition): string | undefined;
  /** Called when a branch is pruned for that reason. */
  leftOut(policy: string): void;
  /** Called when a planned event cannot happen: some claim of independence was wrong. */
  infeasible(): void;
  /** Called at the end of an execution in which the environment still waits: see `isHeldBack`. */
  heldBack?(): void;
  /** Called at the end of each execution. False stops the search. */
  ended(session: Session, ending: SearchEnding): boolean;
}

/**
 * `finished`: no event was possible. `bound`: the execution had too many events. `blocked`: all continuations had been
 * explored, so the execution was redundant.
 */
export type SearchEnding = 'finished' | 'bound' | 'blocked';

/**
 * Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson and Sagonas, 2014): one execution of each set of
 * executions that differ only in the order of independent events. Source sets are the events that must be tried first,
 * sleep sets those that have been, and wakeup trees lead to unexplored executions, so that no execution is redundant.
 *
 * Unlike in the paper, every pending event is a thread of its own, and events may prevent others: a crash drops messages, a
 * timer is canceled. So a step races not only with steps that happened, but also with events that it prevented, and with
 * events that were made later and cannot happen because of it.
 */
export class Dpor {
  private readonly path: ExplorationStack;
  /** Whether it explores a piece: see `SavedExplorationStack`. */
  private isPiece = false;
  private floor = 0;
  private held = 0;
  /** Sequences that the owners of worlds before the floor have to explore. */
  readonly proposals: Proposal[] = [];

  constructor(private readonly options: DporOptions) {
    this.path = new ExplorationStack(options);
  }

  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;

  save(): SavedExplorationStack {
    const { floor, held } = this;
    return { ...this.path.save(), ...(this.isPiece ? { floor, held } : {}) };
  }

  /** Returns to the saved state, and adds the proposals of other pieces. */
  *restore(saved: SavedExplorationStack, proposals: readonly Proposal[] = []): Steps<void> {
    yield* this.path.restore(saved);
    this.isPiece = saved.held !== undefined;
    this.floor = saved.floor ?? 0;
    this.held = saved.held ?? this.floor;
    for (const one of proposals)
      this.insertAt(
        one.at,
        proposedIn(one, this.options.dependence, (event, other) => this.dependsAt(one.at, event, other)),
      );
  }

  /**
   * The first world of this piece with several unexplored branches, if there is one: a point of division. The footprint
   * of each branch is found out there, because other pieces need it without taking that step.
   */
  *divide(): Steps<number | undefined> {
    const at = this.path.frames.findIndex(({ tree }, state) => state >= this.floor && tree.length > 1);
    if (at < 0) return undefined;
    const { tree } = this.path.frames[at] as ExplorationFrame;
    const begun = this.path.frames.length > at + 1 ? 1 : 0;
    for (const branch of tree.splice(begun)) {
      const tried = yield* this.path.rehearse(at, [], branch.key);
      if (tried === undefined) this.options.visitor.infeasible();
      else tree.push({ ...branch, foot: tried.foot });
    }
    return tree.length > 1 ? at : undefined;
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const slice = new TimeSlice();
    const { frames } = this.path;
    if (frames.length === 0) this.arrived(this.path.arrive(yield* begin(this.options), [], []));
    while (this.isLeft) {
      const frame = frames.at(-1) as ExplorationFrame;
      const isOver = frame.isNew && !this.hasBranch(frame);
      if (isOver) {
        if (!(yield* this.finish(frame))) return;
        this.isBetween = true;
        yield undefined;
        this.isBetween = false;
      }
      if (isOver || frame.tree.length === 0) this.path.back();
      else yield* this.advance(frame);
      if (slice.isOver()) yield undefined;
    }
  }

  /** The current execution. */
  get execution(): EstimatedExecution {
    return this.path.execution;
  }

  /** The explored share of all executions, estimated from the planned branches. */
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

  private get isLeft(): boolean {
    const { frames } = this.path;
    return frames.length > this.held || (frames.at(-1)?.tree.length ?? 0) > 0;
  }

  private *advance(frame: ExplorationFrame): Steps<void> {
    frame.isNew = false;
    const branch = frame.tree[0] as Branch;
    const transition = frame.transitions.find(({ key }) => key === branch.key);
    if (transition !== undefined && !this.isLeftOut(frame, branch, transition)) {
      this.arrived(yield* this.path.follow(frame, branch, transition));
      return;
    }
    if (transition === undefined) this.options.visitor.infeasible();
    frame.tree.shift();
  }

  /** Whether a policy prunes a branch. An unplanned event that is the only possible one is not pruned. */
  private isLeftOut({ state }: ExplorationFrame, { foot }: Branch, transition: Transition): boolean {
    const { visitor } = this.options;
    const policy = state === undefined ? undefined : visitor.familiarBy(state.session, transition);
    if (policy === undefined || foot.writes.length === 0) return false;
    visitor.leftOut(policy);
    return true;
  }

  private arrived({ state }: ExplorationFrame): void {
    this.options.visitor.arrived((state as SearchState).session);
  }

  /** Whether a branch exists: a planned one, or any if nothing was planned. */
  private hasBranch(frame: ExplorationFrame): boolean {
    if (frame.tree.length > 0) return true;
    if (this.isAtBound(frame)) return false;
    const transitions = awake(frame);
    if (transitions.length === 0) return false;
    const { choose = oldest } = this.options;
    const transition = choose(transitions, (frame.state as SearchState).session);
    frame.tree.push({ key: transition.key, step: transition.step, foot: { writes: [], reads: [] }, children: [] });
    return true;
  }

  private isAtBound({ state }: ExplorationFrame): boolean {
    return (state as SearchState).session.world.length >= this.options.eventsMax;
  }

  /** Ends an execution. Returns whether to continue with others. */
  private *finish(frame: ExplorationFrame): Steps<boolean> {
    const state = frame.state as SearchState;
    const ending = frame.transitions.length === 0 ? 'finished' : this.isAtBound(frame) ? 'bound' : 'blocked';
    if (ending === 'finished' && isWaiting(state, this.options.environment)) this.options.visitor.heldBack?.();
    if (!this.options.visitor.ended(state.session, ending)) return false;
    for (const { races } of this.path.steps) for (const race of races) yield* this.reverse(race);
    return true;
  }

  private *reverse(race: Race): Steps<void> {
    for (const at of race.steps) if (yield* this.tryBefore(at, race)) return;
  }

  /** Plans an execution in which the event comes before a step, if possible. */
  private *tryBefore(at: number, race: Race): Steps<boolean> {
    const { path } = this;
    const { key, past } = race;
    const others = [...notAfter(at, path.steps)].filter((event) => event.key !== key);
    // Among the same other events, the result would be the same as before.
    const among = others.reduce((sum, event) => (sum * 31 + event.key) % Number.MAX_SAFE_INTEGER, at);
    if (race.triedAmong === among) return true;
    const same = path.steps.find((event) => event.key === key);
    if (same !== undefined && this.options.dependence.isPlain && path.isPossibleAt(at, key))
      this.plan(at, [...others, same]);
    else if (!(yield* this.rehearse(at, others, key, past))) return false;
    race.triedAmong = among;
    return true;
  }

  private *rehearse(at: number, others: readonly ExecutedStep[], key: number, past: Bits): Steps<boolean> {
    const { path } = this;
    const last = yield* path.rehearse(at, others, key);
    if (last !== undefined) {
      this.plan(at, [...others, last]);
      return true;
    }
    // Another step is in the way as well.
    const needed = others.filter((event) => past.has(event.at));
    const tried = yield* path.rehearse(at, needed, key);
    if (tried === undefined) return false;
    this.plan(at, [...this.compatible(at, others, past, tried), tried]);
    return true;
  }

  /** The steps that may come before the event: it needs them, or does not depend on them. */
  private compatible(at: number, steps: readonly ExecutedStep[], past: Bits, tried: TriedBranch): ExecutedStep[] {
    const later: ExecutedStep[] = [];
    return steps.filter((one) => {
      if (past.has(one.at)) return true;
      const isLater = this.dependsAt(at, one, tried) || later.some((other) => one.before.has(other.at));
      if (isLater) later.push(one);
      return !isLater;
    });
  }

  private dependsAt(at: number, one: NamedTransition, other: NamedTransition): boolean {
    return this.options.depends(this.path.frames[at]?.state?.session, one, other);
  }

  private plan(at: number, events: readonly (ExecutedStep | TriedBranch)[]): void {
    const depends = (one: NamedTransition, other: NamedTransition): boolean => this.dependsAt(at, one, other);
    const isBefore = (one: ExecutedStep | TriedBranch, other: ExecutedStep | TriedBranch): boolean => {
      if ('before' in other) return 'before' in one && other.before.has(one.at);
      return other.needs.includes(one.key) || depends(one, other);
    };
    this.insertAt(at, { events, isBefore, depends });
  }

  private insertAt<E extends NamedTransition>(at: number, sequence: Sequence<E>): void {
    const { asleep, elsewhere, tree } = this.path.frames[at] as ExplorationFrame;
    if (!this.isPiece) {
      if (!asleep.some((event) => isWeakInitial(sequence, event))) insert(tree, sequence);
    } else if (![asleep, elsewhere, tree].some((events) => events.some((event) => isInitial(sequence, event)))) {
      if (at >= this.floor) tree.push(chain(sequence.events));
      else this.proposals.push(proposal(at, sequence, this.options.dependence));
    }
  }
}

/** The transitions that are not asleep. */
const awake = ({ transitions, asleep }: ExplorationFrame): Transition[] =>
  transitions.filter(({ key }) => !asleep.some((other) => other.key === key));
