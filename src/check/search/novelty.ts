import { breather, type Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { sameReadSet, type ReadSet } from '../../oracles/tracked-world.ts';
import { SeenTransitions } from './seen-transitions.ts';
import { StateGraph, type Successors, type SavedStateGraph } from './state-graph.ts';
import { deviationsIn, savedDeviations, type Deviation, type SavedDeviations } from './deviation.ts';
import type { Transition, Place } from './transitions.ts';
import { overtakingBy, processOf, type Node } from './node.ts';
import { StaleCheckpoint } from './saved.ts';
import { Tiers } from './tiers.ts';
import type { SearchStart } from './execute-prefix.ts';
import { watched } from './worlds.ts';

export interface NoveltyOptions extends SearchStart {
  readonly eventsMax: number;
  /** What the visitor, and the actions of the system, have looked at. */
  readonly looks: ReadSet;
  readonly visitor: NoveltyVisitor;
}

interface NoveltyVisitor {
  /** After each step, and at the start. */
  arrived(session: Session): void;
  /** Whether something like it has been seen, by which policy; it is seen now. */
  familiarBy(session: Session, transition: Transition): string | undefined;
  /** At the end of each execution. Blocked: it met nothing new. False: that is enough. */
  ended(session: Session, ending: 'finished' | 'bound' | 'blocked'): boolean;
}

/** What was met, and what is left to be tried, as JSON. */
export interface SavedNovelty {
  readonly looks: ReadSet;
  readonly graph: SavedStateGraph;
  readonly seen: readonly string[];
  readonly left: SavedDeviations;
  readonly done: number;
}

/** What an execution begins with, and how good what it tries along the way has to be. */
type NoveltyPlan = Pick<Deviation, 'from' | 'keys' | 'cost' | 'tier'>;

/** An execution under way. */
interface NoveltyRun extends NoveltyPlan {
  node: Node;
  /** How many transitions it has taken by now. */
  at: number;
  cost: number;
  /** The worlds that it has been to. */
  readonly met: Set<string>;
  /** Whether one of them was new. */
  hasNews: boolean;
}

/** What has never happened; what has, in the same circumstances; what makes no difference, as far as one can see. */
const [NOVEL, FAMILIAR, IDLE] = [0, 1, 2] as const;
const TIERS = 3;

/** When faults happen decides more than anything else: they cost least. */
const FAULT = 1;
const OTHER = 2;

/**
 * The transition that has waited longest goes first, and no fault happens, but for deviations. Those go first that do to a process what has
 * never happened to it in that state, wherever in an execution; then those that have; last what could trade places with
 * what usually happens. Each world is gone on from in every way once, so that nothing is left out in the end. An execution
 * that gets to known worlds does not repeat what follows, but deviates as soon as there is something to be tried.
 */
export class Novelty {
  private readonly beginning: SearchStart;
  private graph: StateGraph;
  private left = new Tiers<Deviation>(TIERS);
  private seen = new SeenTransitions();
  /** Worlds at which nothing of a tier, or a better one, is left to be tried: nothing gets better again. */
  private bare = new Set<string>();
  private done = 0;
  private isBegun = false;
  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;

  constructor(private readonly options: NoveltyOptions) {
    this.beginning = { ...options, environment: watched(options.environment, options.looks) };
    this.graph = new StateGraph(this.beginning, { ...options.looks });
  }

  save(): SavedNovelty {
    return {
      looks: this.options.looks,
      graph: this.graph.save(),
      seen: this.seen.save(),
      left: savedDeviations(this.left.all),
      done: this.done,
    };
  }

  restore({ looks, graph, seen, left, done }: SavedNovelty): void {
    Object.assign(this.options.looks, looks);
    this.graph = new StateGraph(this.beginning, graph.looks);
    this.graph.restore(graph);
    this.seen.restore(seen);
    for (const { tier, one } of deviationsIn(left)) this.left.add(tier, one);
    this.done = done;
    this.isBegun = true;
  }

  /** The share of what is known of. */
  get share(): number {
    return this.done / Math.max(1, this.done + this.left.count);
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    while (yield* this.sweep()) {
      this.graph = new StateGraph(this.beginning, { ...this.options.looks });
      this.left = new Tiers(TIERS);
      this.seen = new SeenTransitions();
      this.bare = new Set();
      this.isBegun = false;
    }
  }

  /** Says whether to start over: worlds that were taken for the same may differ. */
  private *sweep(): Steps<boolean> {
    const rest = breather();
    if (!this.isBegun && !(yield* this.begin())) return false;
    while (sameReadSet(this.options.looks, this.graph.looks)) {
      const next = this.left.take();
      if (next === undefined) return false;
      const { one, tier } = next;
      this.done += 1;
      const actual = yield* this.tierOf(one, tier);
      if (actual === tier) {
        if (!(yield* this.execute({ ...one, tier }))) return false;
        yield* this.between(pause());
      } else if (actual !== undefined) this.left.add(actual, one);
      yield* this.between(rest());
    }
    return true;
  }

  /** The first execution. */
  private *begin(): Steps<boolean> {
    const root = yield* this.graph.root();
    this.options.visitor.arrived((root.place as Place).session);
    if (!(yield* this.execute({ from: root, keys: [], cost: 0, tier: NOVEL }))) return false;
    this.isBegun = true;
    yield* this.between(pause());
    return true;
  }

  private *between(pauses: Steps<void>): Steps<void> {
    this.isBetween = true;
    yield* pauses;
    this.isBetween = false;
  }

  /** From a world that was met, these transitions, and on to the end. Says whether to go on with other executions. */
  private *execute(plan: NoveltyPlan): Steps<boolean> {
    const { visitor, eventsMax, looks } = this.options;
    const rest = breather();
    const run: NoveltyRun = { ...plan, node: plan.from, at: 0, met: new Set(), hasNews: false };
    for (; ; run.at++) {
      const place = yield* this.graph.placeOf(run.node);
      const { session } = place;
      if (session.clockRead) looks.clock = true;
      const successors = this.graph.successorsAt(place);
      const isNew = this.graph.meet(successors);
      run.hasNews ||= isNew;
      const isCut = session.world.length >= eventsMax && isAnything(successors);
      const transition = isCut ? undefined : yield* this.next(run, place, successors, isNew);
      // Whatever is planned, it might have ended here.
      const isEnd = isNew && successors.usual === undefined;
      if (isEnd && (isCut || transition !== undefined) && !visitor.ended(session, 'finished')) return false;
      if (isCut) return visitor.ended(session, 'bound');
      if (transition === undefined) return visitor.ended(session, run.hasNews ? 'finished' : 'blocked');
      run.met.add(successors.key);
      this.seen.meet(session, transition.step);
      run.node = yield* this.graph.advance(run.node, place, transition);
      this.addOvertaking(run.node, run.cost);
      visitor.arrived((run.node.place as Place).session);
      yield* rest();
    }
  }

  /** What is planned, or usual; in worlds that others have been to, something new if there is any. */
  private *next(run: NoveltyRun, place: Place, successors: Successors, isNew: boolean): Steps<Transition | undefined> {
    const { keys, at, node, cost, met, tier } = run;
    const wanted = keys[at];
    const transition = wanted === undefined ? successors.usual : this.graph.transitionAt(place, wanted);
    if (isNew) this.add(this.deviationsAt(node, successors, cost), transition);
    if (isNew || at <= keys.length || met.has(successors.key)) return transition;
    const found = yield* this.firstOf(this.deviationsAt(node, successors, cost), successors, tier);
    if (found === undefined) return transition;
    run.cost = found.cost;
    return this.graph.transitionAt(place, keyOf(found));
  }

  /** All but what is gone on with. */
  private add(deviations: readonly Deviation[], taken: Transition | undefined): void {
    for (const deviation of deviations) if (keyOf(deviation) !== taken?.key) this.left.add(deviation.tier, deviation);
  }

  /** Whatever can happen, other than what usually does. What happens to somebody else hardly makes a difference now. */
  private deviationsAt(from: Node, { transitions, usual, faults }: Successors, soFar: number): Deviation[] {
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

  /** The first that is as good as that. */
  private *firstOf(deviations: readonly Deviation[], { key }: Successors, tier: number): Steps<Deviation | undefined> {
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

  /** What might have happened to the process earlier than what happened to it last, if others had come along. */
  private addOvertaking(node: Node, soFar: number): void {
    const overtaking = overtakingBy(node);
    if (overtaking === undefined) return;
    const { from, keys, overtaken: rival } = overtaking;
    this.left.add(NOVEL, { from, keys, rival, cost: soFar + OTHER, tier: NOVEL });
  }

  /** How good a deviation is by now, and this at best; undefined where it leads to a world that was met. */
  private *tierOf({ from, keys, rival }: Deviation, best: number): Steps<number | undefined> {
    const here = yield* this.graph.placeOf(from);
    if (here.session.fork !== undefined) {
      const last = yield* this.graph.look(here, keys.slice(0, -1));
      const there = last && (yield* this.graph.look(last, keys.slice(-1)));
      if (there === undefined || this.graph.isKnown(there)) return undefined;
      if (
        best < IDLE &&
        rival !== undefined &&
        (yield* this.graph.mayTrade(last as Place, keys.at(-1) as number, rival))
      )
        return IDLE;
    }
    return best < FAMILIAR && keys.length === 1 && this.isFamiliar(here, keys[0] as number) ? FAMILIAR : best;
  }

  private isFamiliar(here: Place, key: number): boolean {
    const transition = this.graph.transitionAt(here, key);
    if (transition === undefined) throw new StaleCheckpoint();
    const { session } = here;
    return (
      this.options.visitor.familiarBy(session, transition) !== undefined || this.seen.hasMet(session, transition.step)
    );
  }
}

function* pause(): Steps<void> {
  yield undefined;
}

/** Its own transition. */
const keyOf = ({ keys }: Deviation): number => keys.at(-1) as number;

const isAnything = ({ usual, faults }: Successors): boolean => usual !== undefined || faults.length > 0;
