import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { sameReadSet, type ReadSet } from '../../oracles/tracked-world.ts';
import { SeenTransitions } from './seen-transitions.ts';
import { StateGraph, type Successors, type SavedStateGraph } from './state-graph.ts';
import { deviationsIn, savedDeviations, type SearchDeviation, type SavedDeviations } from './deviation.ts';
import type { Transition, SearchState } from './transitions.ts';
import { overtakingBy, processOf, type Node } from './node.ts';
import { StaleCheckpoint } from './saved.ts';
import { Tiers } from './tiers.ts';
import type { SearchStart } from './execute-prefix.ts';
import { watched } from './worlds.ts';

export interface NoveltyOptions extends SearchStart {
  readonly eventsMax: number;
  /** The reads of the visitor and of the actions of the system. */
  readonly reads: ReadSet;
  readonly visitor: NoveltyVisitor;
}

interface NoveltyVisitor {
  /** Called after each step, and at the start. */
  arrived(session: Session): void;
  /** The policy to which this transition is familiar, if one has seen the like. It is seen now. */
  familiarBy(session: Session, transition: Transition): string | undefined;
  /** Called at the end of each execution. `blocked`: it met nothing new. False stops the search. */
  ended(session: Session, ending: 'finished' | 'bound' | 'blocked'): boolean;
}

/** The worlds and transitions that were met, and the deviations that are left, as JSON. */
export interface SavedNovelty {
  readonly reads: ReadSet;
  readonly graph: SavedStateGraph;
  readonly seen: readonly string[];
  readonly left: SavedDeviations;
  readonly done: number;
}

/** The first transitions of an execution, and the tier that its further deviations must reach. */
type NoveltyPlan = Pick<SearchDeviation, 'from' | 'keys' | 'cost' | 'tier'>;

/** The current execution. */
interface NoveltyRun extends NoveltyPlan {
  node: Node;
  /** The number of transitions so far. */
  at: number;
  cost: number;
  /** The worlds that it has met. */
  readonly met: Set<string>;
  /** Whether one of them was new. */
  foundNew: boolean;
}

/** Tiers: transitions that are new to a process in its state, those that are not, and those that seem to make no difference. */
const [NOVEL, FAMILIAR, IDLE] = [0, 1, 2] as const;
const TIERS = 3;

/** The times of faults matter most, so faults cost least. */
const FAULT = 1;
const OTHER = 2;

/**
 * The oldest transition comes first, and no fault happens, except for deviations. Deviations are tried in this order:
 * transitions that have never happened to a process in its state, in any execution; then those that have; last those
 * that commute with the usual transition. All transitions of each world are explored once, so nothing is left out in
 * the end. An execution that reaches known worlds does not repeat the known continuation, but deviates as soon as a
 * deviation is left.
 */
export class Novelty {
  private readonly beginning: SearchStart;
  private graph: StateGraph;
  private left = new Tiers<SearchDeviation>(TIERS);
  private seen = new SeenTransitions();
  /** Worlds at which no deviation of a tier, or a better one, is left. Tiers never get better. */
  private bare = new Set<string>();
  private done = 0;
  private isBegun = false;
  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;

  constructor(private readonly options: NoveltyOptions) {
    this.beginning = { ...options, environment: watched(options.environment, options.reads) };
    this.graph = new StateGraph(this.beginning, { ...options.reads });
  }

  save(): SavedNovelty {
    return {
      reads: this.options.reads,
      graph: this.graph.save(),
      seen: this.seen.save(),
      left: savedDeviations(this.left.all),
      done: this.done,
    };
  }

  restore({ reads, graph, seen, left, done }: SavedNovelty): void {
    Object.assign(this.options.reads, reads);
    this.graph = new StateGraph(this.beginning, graph.reads);
    this.graph.restore(graph);
    this.seen.restore(seen);
    for (const { tier, one } of deviationsIn(left)) this.left.add(tier, one);
    this.done = done;
    this.isBegun = true;
  }

  /** The explored share of all known deviations. */
  get share(): number {
    return this.done / Math.max(1, this.done + this.left.count);
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    while (yield* this.sweep()) {
      this.graph = new StateGraph(this.beginning, { ...this.options.reads });
      this.left = new Tiers(TIERS);
      this.seen = new SeenTransitions();
      this.bare = new Set();
      this.isBegun = false;
    }
  }

  /** Returns whether to start over, because worlds that counted as equal may differ. */
  private *sweep(): Steps<boolean> {
    const slice = new TimeSlice();
    if (!this.isBegun && !(yield* this.begin())) return false;
    while (sameReadSet(this.options.reads, this.graph.reads)) {
      const next = this.left.take();
      if (next === undefined) return false;
      const { one, tier } = next;
      this.done += 1;
      const actual = yield* this.tierOf(one, tier);
      if (actual === tier) {
        if (!(yield* this.execute({ ...one, tier }))) return false;
        yield* this.pause();
      } else if (actual !== undefined) this.left.add(actual, one);
      if (slice.isOver()) yield* this.pause();
    }
    return true;
  }

  /** The first execution. */
  private *begin(): Steps<boolean> {
    const root = yield* this.graph.root();
    this.options.visitor.arrived((root.state as SearchState).session);
    if (!(yield* this.execute({ from: root, keys: [], cost: 0, tier: NOVEL }))) return false;
    this.isBegun = true;
    yield* this.pause();
    return true;
  }

  /** A pause between two executions. */
  private *pause(): Steps<void> {
    this.isBetween = true;
    yield undefined;
    this.isBetween = false;
  }

  /**
   * Executes these transitions from a world that was met, and continues to the end. Returns whether to continue with
   * other executions.
   */
  private *execute(plan: NoveltyPlan): Steps<boolean> {
    const { visitor, eventsMax, reads } = this.options;
    const slice = new TimeSlice();
    const run: NoveltyRun = { ...plan, node: plan.from, at: 0, met: new Set(), foundNew: false };
    for (; ; run.at++) {
      const state = yield* this.graph.stateOf(run.node);
      const { session } = state;
      if (session.clockRead) reads.clock = true;
      const successors = this.graph.successorsAt(state);
      const isNew = this.graph.meet(successors);
      run.foundNew ||= isNew;
      const isCut = session.world.length >= eventsMax && isAnything(successors);
      const transition = isCut ? undefined : yield* this.next(run, state, successors, isNew);
      // The execution might have ended here, even if more is planned.
      const isEnd = isNew && successors.usual === undefined;
      if (isEnd && (isCut || transition !== undefined) && !visitor.ended(session, 'finished')) return false;
      if (isCut) return visitor.ended(session, 'bound');
      if (transition === undefined) return visitor.ended(session, run.foundNew ? 'finished' : 'blocked');
      run.met.add(successors.key);
      this.seen.meet(session, transition.step);
      run.node = yield* this.graph.advance(run.node, state, transition);
      this.addOvertaking(run.node, run.cost);
      visitor.arrived((run.node.state as SearchState).session);
      if (slice.isOver()) yield undefined;
    }
  }

  /** The planned or usual transition; at a world that another execution has met, a new one if there is any. */
  private *next(
    run: NoveltyRun,
    state: SearchState,
    successors: Successors,
    isNew: boolean,
  ): Steps<Transition | undefined> {
    const { keys, at, node, cost, met, tier } = run;
    const wanted = keys[at];
    const transition = wanted === undefined ? successors.usual : this.graph.transitionAt(state, wanted);
    if (isNew) this.add(this.deviationsAt(node, successors, cost), transition);
    if (isNew || at <= keys.length || met.has(successors.key)) return transition;
    const found = yield* this.firstOf(this.deviationsAt(node, successors, cost), successors, tier);
    if (found === undefined) return transition;
    run.cost = found.cost;
    return this.graph.transitionAt(state, keyOf(found));
  }

  /** Adds all deviations except the one that is taken. */
  private add(deviations: readonly SearchDeviation[], taken: Transition | undefined): void {
    for (const deviation of deviations) if (keyOf(deviation) !== taken?.key) this.left.add(deviation.tier, deviation);
  }

  /** All transitions but the usual one. An event of another process hardly makes a difference now. */
  private deviationsAt(from: Node, { transitions, usual, faults }: Successors, soFar: number): SearchDeviation[] {
    const who = usual && processOf(usual.step);
    return [
      ...faults.map((transition) => {
        return { from, keys: [transition.key], rival: undefined, cost: soFar + FAULT, tier: NOVEL };
      }),
      ...transitions.map((transition) => {
        const tier = transition !== usual && processOf(transition.step) === who ? NOVEL : IDLE;
        return { from, keys: [transition.key], rival: usual?.key, cost: soFar + OTHER, tier };
      }),
    ];
  }

  /** The first deviation of at least this tier. */
  private *firstOf(
    deviations: readonly SearchDeviation[],
    { key }: Successors,
    tier: number,
  ): Steps<SearchDeviation | undefined> {
    const name = `${tier} ${key}`;
    if (this.bare.has(name)) return undefined;
    for (const deviation of deviations) {
      if (deviation.tier > tier || keyOf(deviation) === deviation.rival) continue;
      const actual = yield* this.tierOf(deviation, deviation.tier);
      if (actual !== undefined && actual <= tier) return deviation;
    }
    this.bare.add(name);
    return undefined;
  }

  /** Adds a deviation in which the last event of a process comes before the previous one, if other events come along. */
  private addOvertaking(node: Node, soFar: number): void {
    const overtaking = overtakingBy(node);
    if (overtaking === undefined) return;
    const { from, keys, overtaken: rival } = overtaking;
    this.left.add(NOVEL, { from, keys, rival, cost: soFar + OTHER, tier: NOVEL });
  }

  /** The current tier of a deviation, at best this one; undefined if it leads to a known world. */
  private *tierOf({ from, keys, rival }: SearchDeviation, best: number): Steps<number | undefined> {
    const here = yield* this.graph.stateOf(from);
    if (here.session.fork !== undefined) {
      const last = yield* this.graph.look(here, keys.slice(0, -1));
      const there = last && (yield* this.graph.look(last, keys.slice(-1)));
      if (there === undefined || this.graph.isKnown(there)) return undefined;
      if (
        best < IDLE &&
        rival !== undefined &&
        (yield* this.graph.commutes(last as SearchState, keys.at(-1) as number, rival))
      )
        return IDLE;
    }
    return best < FAMILIAR && keys.length === 1 && this.isFamiliar(here, keys[0] as number) ? FAMILIAR : best;
  }

  private isFamiliar(here: SearchState, key: number): boolean {
    const transition = this.graph.transitionAt(here, key);
    if (transition === undefined) throw new StaleCheckpoint();
    const { session } = here;
    return (
      this.options.visitor.familiarBy(session, transition) !== undefined || this.seen.hasMet(session, transition.step)
    );
  }
}

/** The key of its own transition. */
const keyOf = ({ keys }: SearchDeviation): number => keys.at(-1) as number;

const isAnything = ({ usual, faults }: Successors): boolean => usual !== undefined || faults.length > 0;
