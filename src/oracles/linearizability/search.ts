import { badAnswer, textOf } from '../../kernel/user-code/answer.ts';
import { wide } from './bit-set.ts';
import { sameData, canonicalText } from './canonical.ts';
import type { Model, Step } from './model.ts';
import type { Operation } from './operation.ts';
import { Remaining } from './remaining.ts';
import { NONE } from './timeline.ts';

/**
 * The maximum size of a Set. Beyond it the search stores no more configurations, which makes it slower but not wrong.
 */
const CONFIGURATIONS_MAX = 2 ** 24 - 1;

/** A linearized operation, and the state before it. */
interface SearchFrame {
  readonly operation: number;
  /** The next step of the model to try if this one fails; none if there is no other. */
  readonly otherChoice: number;
  readonly stateBefore: number;
  readonly before: SearchFrame | undefined;
  /** The number of linearized operations, including this one. */
  readonly length: number;
}

interface Deepest {
  /** The number of returned operations that are not linearized. */
  readonly left: number;
  readonly length: number;
  readonly last: SearchFrame | undefined;
  readonly state: number;
  readonly stuck: number;
}

/** A failed attempt: after these operations, in this order, this operation is impossible. */
export interface DeadEnd<S, I, O> {
  readonly prefix: readonly Operation<I, O>[];
  readonly state: S;
  readonly operation: Operation<I, O>;
}

const isStep = (step: unknown): boolean => typeof step === 'object' && step !== null && 'state' in step;

/**
 * Searches for a linearization of one history, depth first: Wing & Gong's algorithm ("Testing and verifying concurrent
 * objects", 1993) with Lowe's memory of configurations ("Testing for linearizability", 2017). A configuration is the
 * set of linearized operations and the state after them; a path that reaches a known configuration is abandoned.
 *
 * Deviations: unreturned operations are tried last, as most are needed late or never, and only if they change the
 * state. The stack is an explicit list of frames, so that the search can pause at any step and keep a dead end at no
 * cost.
 */
export class Search<S, I, O> {
  /** Whether a linearization exists; undefined while that is unknown. */
  found: boolean | undefined;

  private readonly remaining: Remaining<I, O>;
  private readonly states: States<S>;
  private state: number;
  private last: SearchFrame | undefined;
  private readonly visited = new Set<string>();

  /** The operation to try next. */
  private candidate: number;
  private choice = 0;

  private deepest: Deepest | undefined;

  constructor(
    history: readonly Operation<I, O>[],
    private readonly model: Model<S, I, O>,
  ) {
    this.remaining = new Remaining(history);
    this.states = new States(model.stateKey);
    this.state = this.states.numberOf(model.initial);
    this.candidate = this.remaining.firstCandidate();
    if (this.remaining.left === 0) this.decide(true);
  }

  /** Tries one operation, or takes one back. */
  advance(): void {
    if (this.candidate === NONE) {
      this.noteDeadEnd();
      this.takeBack();
      return;
    }
    const placed = this.place(this.candidate);
    this.choice = 0;
    if (placed && this.remaining.left === 0) this.decide(true);
    else this.candidate = placed ? this.remaining.firstCandidate() : this.remaining.candidateAfter(this.candidate);
  }

  /** The linearized operations in order: a linearization, once one is found. */
  order(): Operation<I, O>[] {
    return this.upTo(this.last);
  }

  /**
   * The attempt that linearized the most returned operations. If no linearization exists, no other order of its prefix
   * allows its operation either: that order would have come further.
   */
  deadEnd(): DeadEnd<S, I, O> {
    if (this.deepest === undefined) throw new Error('search: it never came to a dead end');
    const { last, state, stuck } = this.deepest;
    return { prefix: this.upTo(last), state: this.states.at(state), operation: this.remaining.at(stuck) };
  }

  /** Linearizes the operation by the first remaining choice that leads to a new configuration. */
  private place(operation: number): boolean {
    const steps = this.steps(operation);
    for (let choice = this.choice; choice < steps.length; choice++) {
      const step = steps[choice] as Step<S, O>;
      if (!this.fits(operation, step)) continue;
      const state = this.states.numberOf(step.state);
      // An unreturned operation that changes nothing can be left out.
      if (state === this.state && !this.remaining.hasReturned(operation)) continue;
      this.remaining.linearize(operation);
      if (this.isNew(state)) {
        this.push(operation, choice + 1 < steps.length ? choice + 1 : NONE);
        this.state = state;
        return true;
      }
      this.remaining.takeBack(operation);
    }
    return false;
  }

  private takeBack(): void {
    if (this.last === undefined) return this.decide(false);
    const { operation, otherChoice, stateBefore, before } = this.last;
    this.remaining.takeBack(operation);
    this.state = stateBefore;
    this.last = before;
    this.choice = Math.max(0, otherChoice);
    this.candidate = otherChoice === NONE ? this.remaining.candidateAfter(operation) : operation;
  }

  private push(operation: number, otherChoice: number): void {
    const { last: before, state: stateBefore } = this;
    this.last = { operation, otherChoice, stateBefore, before, length: (before?.length ?? 0) + 1 };
  }

  private steps(operation: number): readonly Step<S, O>[] {
    const answer: unknown = this.model.step(this.states.at(this.state), this.remaining.at(operation).input);
    const steps: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    if (steps.every(isStep)) return steps as readonly Step<S, O>[];
    throw badAnswer(
      'step of the model',
      answer,
      'Return { state, output }, or a list of such: empty where it has to wait.',
    );
  }

  private fits(operation: number, step: Step<S, O>): boolean {
    const recorded = this.remaining.at(operation);
    if (!this.remaining.hasReturned(operation) || !('output' in recorded) || !('output' in step)) return true;
    return sameData(recorded.output, step.output, 'the output of an operation');
  }

  private isNew(state: number): boolean {
    const configuration = wide(state) + this.remaining.text();
    if (this.visited.has(configuration)) return false;
    if (this.visited.size < CONFIGURATIONS_MAX) this.visited.add(configuration);
    return true;
  }

  /**
   * Of two attempts that came equally far, the shorter one contains fewer unreturned operations, none of them useless.
   */
  private noteDeadEnd(): void {
    const { left } = this.remaining;
    const { deepest } = this;
    const length = this.last?.length ?? 0;
    if (deepest !== undefined && (left > deepest.left || (left === deepest.left && length >= deepest.length))) return;
    this.deepest = { left, length, last: this.last, state: this.state, stuck: this.remaining.overdue() };
  }

  private decide(found: boolean): void {
    this.found = found;
    this.visited.clear();
  }

  private upTo(last: SearchFrame | undefined): Operation<I, O>[] {
    const order: Operation<I, O>[] = [];
    for (let frame = last; frame !== undefined; frame = frame.before) order.push(this.remaining.at(frame.operation));
    return order.reverse();
  }
}

/** Numbers the states, so that two states compare as integers. */
export class States<S> {
  private readonly known: S[] = [];
  private readonly byText = new Map<string, number>();
  /** Primitive states need no text: they are their own key. */
  private readonly byValue = new Map<S, number>();

  constructor(private readonly stateKey: Model<S, never, unknown>['stateKey']) {}

  numberOf(state: S): number {
    if (this.stateKey !== undefined)
      return this.lookUp(this.byText, textOf('stateKey of the model', this.stateKey(state)), state);
    if (typeof state !== 'object' || state === null) return this.lookUp(this.byValue, state, state);
    return this.lookUp(this.byText, canonicalText(state, 'the state of the model'), state);
  }

  at(number: number): S {
    return this.known[number] as S;
  }

  private lookUp<K>(numbers: Map<K, number>, key: K, state: S): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, this.known.length);
    return this.known.push(state) - 1;
  }
}
