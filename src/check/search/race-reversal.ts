import { isInternal } from '../../trace/event.ts';
import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import { Bits } from './bits.ts';
import type { DporOptions, SearchEnding } from './dpor.ts';
import { isWaiting, nameOf, oldest, type Transition, type SearchState } from './transitions.ts';
import { orderOf } from '../dependence/happens-before.ts';
import { ExplorationStack, type ExplorationFrame } from './exploration-stack.ts';
import { notAfter, type Race, type ExecutedStep } from '../dependence/step.ts';
import { begin } from './execute-prefix.ts';
import type { NamedTransition } from './wakeup-tree.ts';
import type { EstimatedExecution } from '../reduce/reduction-estimate.ts';

/** A planned execution: its first transitions, then those that come next as far as they can happen. */
interface Reversal {
  readonly begin: readonly number[];
  readonly rest: readonly number[];
  /** The cost of the reversals so far: see `costOf`. */
  readonly cost: number;
}

/** The planned executions, and names of those that were met, as JSON. */
export interface SavedRaceReversal {
  readonly queues: readonly (readonly Reversal[])[];
  readonly met: readonly string[];
  readonly ends: readonly string[];
  readonly done: number;
}

/**
 * Reverses races, breadth first: first all executions with one race reversed, compared with the first execution, then
 * those with two, and so on. Most bugs need few reversals, so they are found early, wherever in the execution they are;
 * a depth-first search has to explore all late changes before any early one. The price is memory: names of all prefixes
 * are kept instead of sleep sets, and some executions are equivalent to others.
 */
export class RaceReversal {
  private readonly queues: (Reversal[] | undefined)[] = [[{ begin: [], rest: [], cost: 0 }]];
  private readonly met = new Set<string>();
  private readonly ends = new Set<string>();
  private done = 0;
  private path: ExplorationStack | undefined;

  constructor(private readonly options: DporOptions) {}

  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;

  save(): SavedRaceReversal {
    const queues = Array.from(this.queues, (queue) => queue ?? []);
    return { queues, met: [...this.met], ends: [...this.ends], done: this.done };
  }

  /** Restores at once, because every execution begins at the beginning. */
  restore({ queues, met, ends, done }: SavedRaceReversal): void {
    this.queues.splice(0, this.queues.length, ...queues.map((queue) => queue.slice()));
    for (const name of met) this.met.add(name);
    for (const name of ends) this.ends.add(name);
    this.done = done;
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const slice = new TimeSlice();
    for (let reversal = this.next(); reversal !== undefined; reversal = this.next()) {
      const path = (this.path = new ExplorationStack(this.options));
      const ending = yield* this.execute(path, reversal);
      this.done += 1;
      if (ending !== undefined) {
        const { state } = path.frames.at(-1) as ExplorationFrame;
        const isNew = this.isNew(state as SearchState, path.steps);
        if (ending === 'finished' && isWaiting(state as SearchState, this.options.environment))
          this.options.visitor.heldBack?.();
        if (!this.options.visitor.ended((state as SearchState).session, isNew ? ending : 'blocked')) return;
        yield* this.plan(path, reversal.cost);
        this.isBetween = true;
        yield undefined;
        this.isBetween = false;
      }
      if (slice.isOver()) yield undefined;
    }
  }

  /** The current execution, or the last one. */
  get execution(): EstimatedExecution | undefined {
    return this.path?.execution;
  }

  /** The explored share of all planned executions. */
  get share(): number {
    const left = this.queues.reduce((sum, queue) => sum + (queue?.length ?? 0), 0);
    // The first execution is in no queue while it runs.
    return this.done === 0 ? 0 : this.done / (this.done + left);
  }

  /** Whether no equivalent execution was met before. */
  private isNew(end: SearchState, steps: readonly ExecutedStep[]): boolean {
    const name = this.nameOf(end, steps);
    if (this.ends.has(name)) return false;
    this.ends.add(name);
    return true;
  }

  /** The name of an execution, equal up to the order of independent events. */
  private nameOf(state: SearchState, steps: readonly NamedTransition[]): string {
    const { dependence, environment } = this.options;
    return `${nameOf(state, environment)} ${orderOf(steps, (resource) => dependence.isInHistories(resource))}`;
  }

  private next(): Reversal | undefined {
    return this.queues.find((queue) => (queue?.length ?? 0) > 0)?.shift();
  }

  /** Undefined if the planned execution is impossible. */
  private *execute(path: ExplorationStack, reversal: Reversal): Steps<SearchEnding | undefined> {
    const { visitor, eventsMax } = this.options;
    const slice = new TimeSlice();
    let frame = path.arrive(yield* begin(this.options), [], []);
    visitor.arrived((frame.state as SearchState).session);
    for (let at = 0; ; at++) {
      const { session } = frame.state as SearchState;
      if (session.world.length >= eventsMax && frame.transitions.length > 0) return 'bound';
      const transition = chosen(frame, reversal, at);
      if (transition === undefined) return frame.transitions.length === 0 ? 'finished' : undefined;
      // Policies see every transition, but only reversed ones can be pruned.
      const policy = visitor.familiarBy(session, transition);
      if (policy !== undefined && at === reversal.begin.length - 1) {
        visitor.leftOut(policy);
        return undefined;
      }
      const branch = { key: transition.key, step: transition.step, foot: { writes: [], reads: [] }, children: [] };
      frame.tree.push(branch);
      frame = yield* path.follow(frame, branch, transition);
      const after = (frame.state as SearchState).session;
      this.met.add(this.nameOf(frame.state as SearchState, path.steps));
      visitor.arrived(after);
      if (slice.isOver()) yield undefined;
    }
  }

  private *plan(path: ExplorationStack, cost: number): Steps<void> {
    const slice = new TimeSlice();
    for (const taken of path.steps) {
      if (slice.isOver()) yield undefined;
      for (const race of taken.races)
        for (const at of race.steps) if (yield* this.planReversal(path, at, race, cost)) break;
      if (!isInternal(taken.step)) yield* this.planEarlier(path, taken, cost);
    }
  }

  /** An external may come at any earlier time, and not only before the last event with which it races. */
  private *planEarlier(path: ExplorationStack, { at, key, needed, before }: ExecutedStep, cost: number): Steps<void> {
    const past = new Bits(at);
    for (const other of needed) {
      past.add(other);
      past.addAll((path.steps[other] as ExecutedStep).before);
    }
    for (let earlier = at - 1; earlier >= 0; earlier--)
      if (before.has(earlier) && !past.has(earlier))
        yield* this.planReversal(path, earlier, { steps: [], key, past }, cost);
  }

  /** Plans the reversal of a race. Returns whether the event can come before the step. */
  private *planReversal(path: ExplorationStack, at: number, { key, past }: Race, soFar: number): Steps<boolean> {
    const later = [...notAfter(at, path.steps)].filter((event) => event.key !== key);
    // Only the steps that it needs come before it; or else all that can.
    for (const others of [later.filter((event) => past.has(event.at)), later]) {
      const tried = yield* path.rehearse(at, others, key);
      if (tried === undefined) continue;
      const steps = [...path.steps.slice(0, at), ...others, tried];
      const name = this.nameOf(tried.leadsTo, steps);
      if (!this.met.has(name)) this.add(path, at, steps, soFar);
      this.met.add(name);
      return true;
    }
    return false;
  }

  /** Plans these steps, then the steps that were in the way. */
  private add(path: ExplorationStack, at: number, steps: readonly NamedTransition[], soFar: number): void {
    const rest = path.steps.slice(at).map(({ key }) => key);
    const cost = soFar + costOf((steps.at(-1) as NamedTransition).step);
    (this.queues[cost] ??= []).push({ begin: steps.map(({ key }) => key), rest, cost });
  }
}

/** The times of faults matter most, so they are tried first. */
const costOf = (step: Transition['step']): number => (isInternal(step) ? 2 : 1);

/** The transition that is required, or the next one that is wanted and can happen, or the oldest. */
function chosen({ transitions }: ExplorationFrame, reversal: Reversal, at: number): Transition | undefined {
  const demanded = reversal.begin[at];
  if (demanded !== undefined) return transitions.find(({ key }) => key === demanded);
  for (const wanted of reversal.rest) {
    const transition = transitions.find(({ key }) => key === wanted);
    if (transition !== undefined) return transition;
  }
  return transitions.length === 0 ? undefined : oldest(transitions);
}
