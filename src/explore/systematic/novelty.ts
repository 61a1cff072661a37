import { breather, type Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { sameLooks, type Looks } from '../glance.ts';
import { Acquaintance } from './acquaintance.ts';
import { Atlas, type Outlook } from './atlas.ts';
import type { Move, Place } from './moves.ts';
import { overtakingBy, processOf, type Node } from './node.ts';
import { Tiers } from './tiers.ts';
import type { Beginning } from './walk.ts';
import { watched } from './worlds.ts';

export interface NoveltyOptions extends Beginning {
  readonly eventsMax: number;
  /** What the visitor, and the actions of the system, have looked at. */
  readonly looks: Looks;
  readonly visitor: NoveltyVisitor;
}

interface NoveltyVisitor {
  /** After each step, and at the start. */
  arrived(session: Session): void;
  /** Whether something like it has been seen, by which policy; it is seen now. */
  familiarBy(session: Session, move: Move): string | undefined;
  /** At the end of each execution. Blocked: it met nothing new. False: that is enough. */
  ended(session: Session, ending: 'finished' | 'bound' | 'blocked'): boolean;
}

/** Something other than what usually happens next in a world that has been met. */
interface Deviation {
  readonly from: Node;
  /** Keys of moves: those that it cannot do without, and its own. */
  readonly keys: readonly number[];
  readonly move: Move;
  /** What it comes before; undefined where that is nothing. */
  readonly rival: Move | undefined;
  /** The sum of all deviations on the way. */
  readonly cost: number;
  /** The best that it can be. */
  readonly tier: number;
}

/** What an execution begins with, and how good what it tries along the way has to be. */
type Plan = Pick<Deviation, 'from' | 'keys' | 'cost' | 'tier'>;

/** An execution under way. */
interface Run extends Plan {
  node: Node;
  /** How many moves it has taken by now. */
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
 * Whoever waits longest goes first, and no fault happens: but for deviations. Those go first that do to a process what has
 * never happened to it in that state, wherever in an execution; then those that have; last what could trade places with
 * what usually happens. Each world is gone on from in every way once, so that nothing is left out in the end. An execution
 * that gets to known worlds does not repeat what follows, but deviates as soon as there is something to be tried.
 */
export class Novelty {
  private readonly beginning: Beginning;
  private atlas: Atlas;
  private left = new Tiers<Deviation>(TIERS);
  private acquaintance = new Acquaintance();
  /** Worlds at which nothing of a tier, or a better one, is left to be tried. */
  private bare = new Set<string>();
  private done = 0;

  constructor(private readonly options: NoveltyOptions) {
    this.beginning = { ...options, environment: watched(options.environment, options.looks) };
    this.atlas = new Atlas(this.beginning, { ...options.looks });
  }

  /** The share of what is known of. */
  get share(): number {
    return this.done / Math.max(1, this.done + this.left.count);
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    while (yield* this.sweep()) {
      this.atlas = new Atlas(this.beginning, { ...this.options.looks });
      this.left = new Tiers(TIERS);
      this.acquaintance = new Acquaintance();
      this.bare = new Set();
    }
  }

  /** Says whether to begin anew: what was taken for the same may not be. */
  private *sweep(): Steps<boolean> {
    const rest = breather();
    const root = yield* this.atlas.root();
    this.options.visitor.arrived((root.place as Place).session);
    if (!(yield* this.execute({ from: root, keys: [], cost: 0, tier: NOVEL }))) return false;
    yield undefined;
    while (sameLooks(this.options.looks, this.atlas.looks)) {
      const next = this.left.take();
      if (next === undefined) return false;
      const { one, tier } = next;
      this.done += 1;
      const actual = yield* this.tierOf(one, tier);
      if (actual === tier) {
        if (!(yield* this.execute({ ...one, tier }))) return false;
        yield undefined;
      } else if (actual !== undefined) this.left.add(actual, one);
      yield* rest();
    }
    return true;
  }

  /** From a world that was met, these moves, and on to the end. Says whether to go on with other executions. */
  private *execute(plan: Plan): Steps<boolean> {
    const { visitor, eventsMax, looks } = this.options;
    const run: Run = { ...plan, node: plan.from, at: 0, met: new Set(), hasNews: false };
    for (; ; run.at++) {
      const place = yield* this.atlas.placeOf(run.node);
      const { session } = place;
      if (session.clockRead) looks.clock = true;
      const outlook = this.atlas.outlook(place);
      const isNew = this.atlas.meet(outlook);
      run.hasNews ||= isNew;
      const isCut = session.world.length >= eventsMax && isAnything(outlook);
      const move = isCut ? undefined : yield* this.next(run, place, outlook, isNew);
      // Whatever is planned, it might have ended here.
      const isEnd = isNew && outlook.usual === undefined;
      if (isEnd && (isCut || move !== undefined) && !visitor.ended(session, 'finished')) return false;
      if (isCut) return visitor.ended(session, 'bound');
      if (move === undefined) return visitor.ended(session, run.hasNews ? 'finished' : 'blocked');
      run.met.add(outlook.key);
      this.acquaintance.meet(session, move.step);
      run.node = yield* this.atlas.advance(run.node, place, move);
      this.addOvertaking(run.node, run.cost);
      visitor.arrived((run.node.place as Place).session);
    }
  }

  /** What is planned, or usual; in worlds that others have been to, something new if there is any. */
  private *next(run: Run, place: Place, outlook: Outlook, isNew: boolean): Steps<Move | undefined> {
    const { keys, at, node, cost, met, tier } = run;
    const wanted = keys[at];
    const move = wanted === undefined ? outlook.usual : this.atlas.moveAt(place, wanted);
    if (isNew) this.add(this.deviationsAt(node, outlook, cost), move);
    if (isNew || at <= keys.length || met.has(outlook.key)) return move;
    const found = yield* this.firstOf(this.deviationsAt(node, outlook, cost), outlook, tier);
    if (found === undefined) return move;
    run.cost = found.cost;
    return found.move;
  }

  /** All but what is gone on with. */
  private add(deviations: readonly Deviation[], taken: Move | undefined): void {
    for (const deviation of deviations) if (deviation.move !== taken) this.left.add(deviation.tier, deviation);
  }

  /** Whatever can happen, other than what usually does. What happens to somebody else hardly makes a difference now. */
  private deviationsAt(from: Node, { moves, usual, faults }: Outlook, soFar: number): Deviation[] {
    const who = usual && processOf(usual.step);
    return [
      ...faults.map((move) => {
        return { from, keys: [move.key], move, rival: undefined, cost: soFar + FAULT, tier: NOVEL };
      }),
      ...moves.map((move) => {
        const tier = move !== usual && processOf(move.step) === who ? NOVEL : IDLE;
        return { from, keys: [move.key], move, rival: usual, cost: soFar + OTHER, tier };
      }),
    ];
  }

  /** The first that is as good as that. */
  private *firstOf(deviations: readonly Deviation[], { key }: Outlook, tier: number): Steps<Deviation | undefined> {
    const name = `${tier} ${key}`;
    if (this.bare.has(name)) return undefined;
    for (const deviation of deviations) {
      if (deviation.tier > tier || deviation.move === deviation.rival) continue;
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
    this.left.add(NOVEL, { from, keys, move: node.move as Move, rival, cost: soFar + OTHER, tier: NOVEL });
  }

  /** How good a deviation is by now, and this at best; undefined where it leads to a world that was met. */
  private *tierOf({ from, keys, move, rival }: Deviation, best: number): Steps<number | undefined> {
    const here = yield* this.atlas.placeOf(from);
    if (here.session.fork !== undefined) {
      const last = yield* this.atlas.look(here, keys.slice(0, -1));
      const there = last && (yield* this.atlas.look(last, keys.slice(-1)));
      if (there === undefined || this.atlas.isKnown(there)) return undefined;
      if (best < IDLE && rival !== undefined && (yield* this.atlas.mayTrade(last as Place, move.key, rival.key)))
        return IDLE;
    }
    return best < FAMILIAR && keys.length === 1 && this.isFamiliar(here.session, move) ? FAMILIAR : best;
  }

  private isFamiliar(session: Session, move: Move): boolean {
    return this.options.visitor.familiarBy(session, move) !== undefined || this.acquaintance.hasMet(session, move.step);
  }
}

const isAnything = ({ usual, faults }: Outlook): boolean => usual !== undefined || faults.length > 0;
