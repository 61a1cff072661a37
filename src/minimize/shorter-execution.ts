import type { Event, External, Internal } from '../trace/event.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import { TimeSlice, type Steps } from '../kernel/loop.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { Refused } from '../kernel/errors.ts';
import { TrackedWorld, sameReadSet, type ReadSet } from '../oracles/tracked-world.ts';
import { Frontier, likenessOf, type Spot } from '../schedule/frontier.ts';
import type { RemainingExternals, ExternalMultiset } from './external-multiset.ts';

export interface ShorterOptions {
  readonly open: () => Session;
  /** It must have no memory, hence no `begin`. */
  readonly oracle: Oracle;
  /** The parts of worlds that the oracle and the actions of the system have read. */
  readonly looks: ReadSet;
  readonly available: ExternalMultiset;
  /** The maximum length of an execution. */
  readonly eventsMax: number;
  readonly isSame: (violation: Violated) => boolean;
  /** Receives executions that end with another bug. */
  readonly onOther: (violation: Violated, events: readonly Event[]) => void;
  /** Called before every world: whether the budget allows it. */
  readonly mayVisit: () => boolean;
}

/** An execution; or the proof that there is none; or the reason why that is unknown. */
export type Shorter =
  | { readonly kind: 'found'; readonly events: readonly Event[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string };

/** How a world was reached. */
interface ShorterPath {
  readonly parent: ShorterNode | undefined;
  /** Undefined at the start. */
  readonly step: Internal | External | undefined;
  readonly left: RemainingExternals;
}

type ShorterNode = Spot<Session, ShorterPath>;

/** An enabled event, and the externals that remain after it. */
interface ShorterMove {
  readonly step: Internal | External;
  readonly left: RemainingExternals;
}

/**
 * Looks for an execution of at most `eventsMax` events that ends with the bug: with any internal events, and externals
 * of the multiset, in every order that the session allows. It explores worlds breadth-first, so that a known world need
 * not be explored again: the first visit had at least as many events left.
 *
 * Two worlds are equal if they have the same future (`worldDigest`), the same remaining externals, and the same
 * operations recorded by clients. An oracle without memory can depend on nothing else, except on the parts in
 * `ReadSet`: when one of these is read for the first time, the search starts over and distinguishes worlds by it.
 */
export function* shorter(options: ShorterOptions): Steps<Shorter> {
  for (;;) {
    const answer = yield* new BreadthFirstSearch(options).run();
    if (answer !== 'again') return answer;
  }
}

class BreadthFirstSearch {
  private readonly looks: ReadSet;
  private readonly frontier = new Frontier<Session, ShorterPath>();
  private whyUnknown: string | undefined;

  constructor(private readonly options: ShorterOptions) {
    this.looks = this.seen();
  }

  /**
   * The parts read so far that distinguish worlds. The last event does not, because the oracle judges after every
   * event.
   */
  private seen(): ReadSet {
    return { ...this.options.looks, last: false };
  }

  *run(): Steps<Shorter | 'again'> {
    const slice = new TimeSlice();
    const start = this.options.open();
    const found = this.visit(start, { parent: undefined, step: undefined, left: this.options.available.all });
    if (found !== undefined) return found;
    for (let place = this.frontier.nearest(); place !== undefined; place = this.frontier.nearest()) {
      const answer = yield* this.expand(place);
      if (answer !== undefined) return answer;
      // Worlds that were taken for equal may differ in the part that was just read.
      if (!sameReadSet(this.seen(), this.looks)) return 'again';
      if (slice.isOver()) yield undefined;
    }
    return this.whyUnknown === undefined ? { kind: 'none' } : { kind: 'unknown', why: this.whyUnknown };
  }

  /** Performs every enabled event and every allowed external. */
  private *expand(place: ShorterNode): Steps<Shorter | undefined> {
    const here = place.held ?? (yield* this.executeAgain(place));
    const moves = this.movesFrom(here, place.way.left);
    for (const [at, { step, left }] of moves.entries()) {
      if (!this.options.mayVisit()) return { kind: 'unknown', why: 'there was not enough to spend' };
      const session = here.fork?.() ?? (at === moves.length - 1 ? here : yield* this.executeAgain(place));
      try {
        const pending = session.perform(step);
        if (pending !== undefined) yield pending;
      } catch (error) {
        // A refused action is not an event.
        if (error instanceof Refused) continue;
        throw error;
      }
      const answer = this.visit(session, { parent: place, step, left });
      if (answer !== undefined) return answer;
    }
    this.frontier.leave(place);
    return undefined;
  }

  private movesFrom(session: Session, left: RemainingExternals): readonly ShorterMove[] {
    const externals = this.options.available.possible(session, left);
    return [
      ...session.enabled.map((step) => ({ step, left })),
      ...externals.map(({ external, left: after }) => ({ step: external, left: after })),
    ];
  }

  /** Executes the path to a world again: a world cannot be copied while code is suspended. */
  private *executeAgain(place: ShorterNode): Steps<Session> {
    const steps: (Internal | External)[] = [];
    for (let at: ShorterNode | undefined = place; at?.way.step !== undefined; at = at.way.parent)
      steps.unshift(at.way.step);
    const session = this.options.open();
    for (const step of steps) {
      const pending = session.perform(step);
      if (pending !== undefined) yield pending;
    }
    return session;
  }

  /** Judges a world, and keeps it unless the execution ends there. */
  private visit(session: Session, way: ShorterPath): Shorter | undefined {
    const { length } = session.world;
    const { eventsMax, looks } = this.options;
    if (length > eventsMax) return undefined;
    const { verdict, isOver } = this.judge(session);
    if (verdict.kind === 'violated') {
      const events = session.recording.events.since(0).slice(0, verdict.events);
      if (this.options.isSame(verdict)) return { kind: 'found', events };
      this.options.onOther(verdict, events);
    }
    if (verdict.kind === 'unknown') this.whyUnknown ??= verdict.why;
    if (session.clockRead) looks.clock = true;
    if (!isOver && length < eventsMax) this.keep(session, way);
    return undefined;
  }

  private keep(session: Session, way: ShorterPath): void {
    const { length } = session.world;
    const key = likenessOf(session, this.looks, way.left.join());
    // A world cannot be copied while code is suspended.
    const held = session.fork === undefined ? undefined : session;
    if (this.frontier.meet(key, length) !== 'known') this.frontier.keep({ way, length, key, held });
  }

  /** Judges the world, and, if it holds, the execution as if it ended here. */
  private judge(session: Session): { readonly verdict: Verdict; readonly isOver: boolean } {
    const { oracle, looks } = this.options;
    const world = new TrackedWorld(session.world, looks);
    const verdict = oracle.judge(world, session.world.last);
    if (verdict.kind !== 'holds') return { verdict, isOver: true };
    if (session.stuck !== undefined) throw session.stuck;
    return { verdict: oracle.end?.(world, session.enabled.length === 0) ?? HOLDS, isOver: false };
  }
}
