import { problemOf } from '../../error.ts';
import { breather, type Steps } from '../../kernel/loop.ts';
import { Frontier, likenessOf, type Spot } from '../frontier.ts';
import { Glance, sameLooks, type Looks } from '../glance.ts';
import { movesAt, type Environment, type Move, type Place } from './moves.ts';
import type { Onlooker } from './onlooker.ts';
import { standing, type Thread } from './threads.ts';
import { begin, step, walk, type Beginning } from './walk.ts';

export interface WorldsOptions extends Beginning {
  /**
   * Breadth: the nearest worlds first, so that the first violation is one of the shortest. (But for actions: what they lead
   * to is met along with what is one event away.) Depth: fewer worlds are kept at a time.
   */
  readonly order: 'breadth' | 'depth';
  readonly eventsMax: number;
  readonly worldsMax: number;
  /** What the visitor, and the actions of the system, have looked at. */
  readonly looks: Looks;
  readonly visitor: WorldsVisitor;
}

/** Is told of each world once, and of those where nothing is left to happen. */
interface WorldsVisitor extends Onlooker<'finished'> {
  /** What was told is void: the search begins anew. */
  anew?(): void;
}

interface Way {
  readonly parent: Spot<Place, Way> | undefined;
  /** Undefined at the start. */
  readonly move: Move | undefined;
}

/**
 * Goes on from each world once, however many ways lead there. Worlds count as the same where the same can happen
 * (`worldDigest`), the environment has come equally far, and clients noted the same. Whoever looks at something else may
 * see a difference: then the search begins anew and tells worlds apart by that as well.
 */
export class Worlds {
  /** How many there are. */
  worlds = 0;
  /** How often a step led to one of them that was known. */
  metAgain = 0;
  /** Whether there are more worlds than may be. */
  isCutByWorlds = false;
  /** Worlds that were too far away to go on from. */
  private readonly far = new Set<Spot<Place, Way> | string>();
  private frontier = new Frontier<Place, Way>();
  /** What worlds are told apart by. */
  private looks: Looks;
  private readonly beginning: Beginning;

  constructor(private readonly options: WorldsOptions) {
    this.looks = { ...options.looks };
    this.beginning = { ...options, environment: watched(options.environment, options.looks) };
  }

  /** Whether some worlds are farther away than executions may be long. */
  get isCutByEvents(): boolean {
    return this.far.size > 0;
  }

  *run(): Steps<void> {
    while ((yield* this.sweep()) === 'again') {
      this.options.visitor.anew?.();
      this.looks = { ...this.options.looks };
      this.frontier = new Frontier();
      this.far.clear();
      this.worlds = 0;
      this.metAgain = 0;
      this.isCutByWorlds = false;
    }
  }

  private *sweep(): Steps<'again' | 'done'> {
    const rest = breather();
    if (!this.arrive(yield* begin(this.beginning), { parent: undefined, move: undefined })) return 'done';
    for (let spot = this.next(); spot !== undefined; spot = this.next()) {
      if (!(yield* this.goOn(spot))) return 'done';
      // What was taken for the same so far may not be.
      if (!sameLooks(this.options.looks, this.looks)) return 'again';
      yield* rest();
    }
    return 'done';
  }

  /** Depth first, it matters how near worlds are only where some were too far away. */
  private next(): Spot<Place, Way> | undefined {
    const newest = this.frontier.pop();
    if (newest !== undefined) return newest;
    return this.options.order === 'breadth' || this.isCutByEvents ? this.frontier.nearest() : undefined;
  }

  /** Everything that can happen next. Says whether to go on. */
  private *goOn(spot: Spot<Place, Way>): Steps<boolean> {
    this.far.delete(nameOf(spot));
    let here = spot.held ?? (yield* this.again(spot));
    const moves = movesAt(here, this.beginning.environment);
    for (const [at, move] of moves.entries()) {
      // Where code awaits something, a world cannot be copied: it is gone after the step.
      const isKept = here.session.fork !== undefined;
      if (!this.arrive(yield* step(here, move), { parent: spot, move })) return false;
      if (!isKept && at < moves.length - 1) here = yield* this.again(spot);
    }
    this.frontier.leave(spot);
    return true;
  }

  private *again(spot: Spot<Place, Way>): Steps<Place> {
    const moves: Move[] = [];
    for (let at: Spot<Place, Way> | undefined = spot; at?.way.move !== undefined; at = at.way.parent)
      moves.push(at.way.move);
    return yield* walk(this.beginning, moves.reverse());
  }

  /** Says whether to go on. */
  private arrive(place: Place, way: Way): boolean {
    const { session } = place;
    const { length } = session.world;
    if (session.clockRead) this.options.looks.clock = true;
    const key = this.keyOf(place);
    const news = this.frontier.meet(key, length);
    if (news !== 'new') this.metAgain += 1;
    if (news === 'known') return true;
    if (news === 'new') {
      if (!this.mayMeet() || this.options.visitor.arrived(session) === false) return false;
      if (movesAt(place, this.beginning.environment).length === 0)
        return this.options.visitor.ended(session, 'finished');
    }
    this.keep({ way, length, key, held: place }, news);
    return true;
  }

  private mayMeet(): boolean {
    this.isCutByWorlds = this.worlds >= this.options.worldsMax;
    if (!this.isCutByWorlds) this.worlds += 1;
    return !this.isCutByWorlds;
  }

  private keep(spot: Spot<Place, Way>, news: 'new' | 'nearer'): void {
    if (spot.length >= this.options.eventsMax) this.far.add(nameOf(spot));
    else if (this.options.order === 'depth' && news === 'new') this.frontier.push(spot);
    else this.frontier.keep(spot);
  }

  private keyOf(place: Place): string | undefined {
    return likenessAt(place, this.beginning.environment, this.looks);
  }
}

/** Equal where the same can happen and will be judged in the same way; undefined where that cannot be known. */
export function likenessAt(
  { session, threads: progress }: Place,
  { threads }: Environment,
  looks: Looks,
): string | undefined {
  const far = progress.map((one, at) => standing(threads[at] as Thread, one, session));
  const { failure } = session.world;
  // A failure is a matter of the last event, but oracles look at it.
  const failed = failure === undefined ? '' : `${failure.process} ${problemOf(failure.error)}`;
  return likenessOf(session, looks, `${far.join()} ${failed}`);
}

/** Where worlds cannot be compared, each is one of its own. */
const nameOf = (spot: Spot<Place, Way>): Spot<Place, Way> | string => spot.key ?? spot;

/** The same environment, whose waits tell what they look at. */
export function watched(environment: Environment, looks: Looks): Environment {
  const threads = environment.threads.map((thread): Thread => ({
    ...thread,
    items: thread.items.map((item) =>
      item.kind === 'wait' && item.until === 'world'
        ? { ...item, holds: (world) => item.holds(new Glance(world, looks)) }
        : item,
    ),
  }));
  return { ...environment, threads };
}
