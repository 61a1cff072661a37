import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import { Frontier, likenessOf, type Spot } from '../../schedule/frontier.ts';
import { TrackedWorld, sameReadSet, type ReadSet } from '../../oracles/tracked-world.ts';
import { transitionsAt, type Environment, type SearchState } from './transitions.ts';
import type { SearchVisitor } from './visitor.ts';
import { standing, type EnvironmentProgram } from '../../schedule/environment-program.ts';
import { lineage } from './lineage.ts';
import { StaleCheckpoint } from './saved.ts';
import { begin, retrace, step, type SearchStart, type Footstep } from './execute-prefix.ts';

export interface WorldsOptions extends SearchStart {
  /**
   * `breadth`: the nearest worlds first, so that the first violation is one of the shortest (except that the
   * consequences of an action count as one event). `depth`: fewer worlds are kept at a time.
   */
  readonly order: 'breadth' | 'depth';
  readonly eventsMax: number;
  readonly worldsMax: number;
  /** The reads of the visitor and of the actions of the system. */
  readonly reads: ReadSet;
  readonly visitor: WorldsVisitor;
}

/** Gets each world once, and the worlds in which no event is possible. */
interface WorldsVisitor extends SearchVisitor<'finished'> {
  /** Called when the search starts over: all worlds so far are void. */
  startedOver?(): void;
}

interface Way {
  readonly parent: Spot<SearchState, Way> | undefined;
  /** Undefined at the start. */
  readonly by: Footstep | undefined;
}

type Somewhere = Spot<SearchState, Way>;

/** The worlds that were met, and those that are left, as JSON. Spots are indices into `spots`. */
export interface SavedWorlds {
  readonly reads: ReadSet;
  readonly worlds: number;
  readonly metAgain: number;
  readonly met: readonly (readonly [key: string, length: number])[];
  /** Each spot after its parent, with the transition from there; the first one is the start. */
  readonly spots: readonly (readonly [parent: number, transition: number, length: number, key: string | null])[];
  readonly stack: readonly number[];
  readonly kept: readonly number[];
  readonly far: readonly (number | string)[];
  /** The spot that was being explored. */
  readonly under?: number;
}

/**
 * Explores each world once, however many paths lead there. Worlds are equal if they have the same future
 * (`worldDigest`), the same progress of the environment, and the same notes of clients. An oracle that reads something
 * else may see a difference: then the search starts over, and that distinguishes worlds as well.
 */
export class Worlds {
  /** The number of worlds. */
  worlds = 0;
  /** The number of steps that led to a known world. */
  metAgain = 0;
  /** Whether the bound on worlds was reached. */
  isCutByWorlds = false;
  /** Worlds that were too far away to be explored. */
  private readonly far = new Set<Somewhere | string>();
  /** The spot that is being explored; undefined between two. */
  private under: Somewhere | undefined;
  private hasEnded = false;
  /** The number of worlds when the search was resumed. */
  private before = 0;
  private frontier = new Frontier<SearchState, Way>();
  /** The reads that distinguish worlds. */
  private reads: ReadSet;
  private readonly beginning: SearchStart;

  constructor(private readonly options: WorldsOptions) {
    this.reads = { ...options.reads };
    this.beginning = { ...options, environment: watched(options.environment, options.reads) };
  }

  /** Whether it pauses between two worlds, and can be saved. */
  get isBetween(): boolean {
    return this.under === undefined;
  }

  save(): SavedWorlds {
    const { met, stack, kept } = this.frontier.outstanding;
    const { under, far, worlds, metAgain, reads } = this;
    const apart = [...far].filter((one) => typeof one !== 'string');
    const ends = [...stack, ...kept, ...apart, ...(under === undefined ? [] : [under])];
    const { all, numberOf } = lineage(ends, ({ way }) => way.parent);
    return {
      reads,
      worlds,
      metAgain,
      met,
      spots: all.map(({ way, length, key }) => [
        way.parent === undefined ? -1 : numberOf(way.parent),
        way.by?.key ?? 0,
        length,
        key ?? null,
      ]),
      stack: stack.map(numberOf),
      kept: kept.map(numberOf),
      far: [...far].map((one) => (typeof one === 'string' ? one : numberOf(one))),
      ...(under === undefined ? {} : { under: numberOf(under) }),
    };
  }

  restore(saved: SavedWorlds): void {
    const spots: Somewhere[] = [];
    for (const [parent, key, length, likeness] of saved.spots) {
      const by = parent < 0 ? undefined : { key, transition: undefined };
      spots.push({ way: { parent: spots[parent], by }, length, key: likeness ?? undefined, held: undefined });
    }
    const spotOf = (number: number): Somewhere => spots[number] as Somewhere;
    Object.assign(this.options.reads, saved.reads);
    this.reads = { ...saved.reads };
    this.frontier.restore({ met: saved.met, stack: saved.stack.map(spotOf), kept: saved.kept.map(spotOf) });
    for (const one of saved.far) this.far.add(typeof one === 'string' ? one : spotOf(one));
    this.under = saved.under === undefined ? undefined : spotOf(saved.under);
    this.worlds = this.before = saved.worlds;
    this.metAgain = saved.metAgain;
  }

  /** Whether some worlds are farther away than the bound on events. */
  get isCutByEvents(): boolean {
    return this.far.size > 0;
  }

  /** Pauses after a world from which executions ended, and now and then. */
  *run(): Steps<void> {
    while ((yield* this.sweep()) === 'again') {
      this.options.visitor.startedOver?.();
      this.reads = { ...this.options.reads };
      this.frontier = new Frontier();
      this.far.clear();
      this.under = undefined;
      this.worlds = this.before = 0;
      this.metAgain = 0;
      this.isCutByWorlds = false;
    }
  }

  private *sweep(): Steps<'again' | 'done'> {
    const slice = new TimeSlice();
    if (this.worlds === 0 && !this.arrive(yield* begin(this.beginning), { parent: undefined, by: undefined }))
      return 'done';
    for (;;) {
      const spot = (this.under ??= this.next());
      if (spot === undefined || !(yield* this.explore(spot))) return 'done';
      // Worlds that counted as equal so far may differ.
      if (!sameReadSet(this.options.reads, this.reads)) return 'again';
      this.under = undefined;
      if (this.hasEnded) yield undefined;
      this.hasEnded = false;
      if (slice.isOver()) yield undefined;
    }
  }

  /** Depth first, distances matter only if some worlds were too far away. */
  private next(): Somewhere | undefined {
    const newest = this.frontier.pop();
    if (newest !== undefined) return newest;
    return this.options.order === 'breadth' || this.isCutByEvents ? this.frontier.nearest() : undefined;
  }

  /** Takes all transitions of a spot. Returns whether to continue. */
  private *explore(spot: Somewhere): Steps<boolean> {
    this.far.delete(nameOf(spot));
    let here = spot.held ?? (yield* this.again(spot));
    const transitions = transitionsAt(here, this.beginning.environment);
    for (const [at, transition] of transitions.entries()) {
      // While code awaits something, its world cannot be copied, and is lost with the step.
      const isKept = here.session.fork !== undefined;
      if (!this.arrive(yield* step(here, transition), { parent: spot, by: { key: transition.key, transition } }))
        return false;
      if (!isKept && at < transitions.length - 1) here = yield* this.again(spot);
    }
    this.frontier.leave(spot);
    return true;
  }

  private *again(spot: Somewhere): Steps<SearchState> {
    const footsteps: Footstep[] = [];
    for (let at: Somewhere | undefined = spot; at?.way.by !== undefined; at = at.way.parent) footsteps.push(at.way.by);
    const state = yield* retrace(this.beginning, footsteps.reverse());
    if (this.keyOf(state) !== spot.key) throw new StaleCheckpoint();
    return state;
  }

  /** Returns whether to continue. */
  private arrive(state: SearchState, way: Way): boolean {
    const { session } = state;
    const { length } = session.world;
    if (session.clockRead) this.options.reads.clock = true;
    const key = this.keyOf(state);
    if (this.frontier.isNew(key) && !this.mayMeet()) return false;
    const news = this.frontier.meet(key, length);
    if (news !== 'new') this.metAgain += 1;
    if (news === 'known') return true;
    if (news === 'new') {
      this.worlds += 1;
      if (this.options.visitor.arrived(session) === false) return false;
      if (transitionsAt(state, this.beginning.environment).length === 0) {
        this.hasEnded = true;
        return this.options.visitor.ended(session, 'finished');
      }
    }
    this.keep({ way, length, key, held: state }, news);
    return true;
  }

  private mayMeet(): boolean {
    this.isCutByWorlds = this.worlds - this.before >= this.options.worldsMax;
    return !this.isCutByWorlds;
  }

  private keep(spot: Somewhere, news: 'new' | 'nearer'): void {
    if (spot.length >= this.options.eventsMax) this.far.add(nameOf(spot));
    else if (this.options.order === 'depth' && news === 'new') this.frontier.push(spot);
    else this.frontier.keep(spot);
  }

  private keyOf(state: SearchState): string | undefined {
    return likenessAt(state, this.beginning.environment, this.reads);
  }
}

/** Equal for states with the same future that will be judged alike; undefined if that cannot be decided. */
export function likenessAt(
  { session, threads: progress }: SearchState,
  { threads }: Environment,
  reads: ReadSet,
): string | undefined {
  const far = progress.map((one, at) => standing(threads[at] as EnvironmentProgram, one, session));
  const { failure } = session.world;
  // A failure belongs to the last event, but oracles read it: its message, not its stack.
  const failed = failure === undefined ? '' : `${failure.process} ${saidBy(failure.error)}`;
  return likenessOf(session, reads, `${far.join()} ${failed}`);
}

/** A world that cannot be compared is equal to no other. */
const nameOf = (spot: Somewhere): Somewhere | string => spot.key ?? spot;

/** The same environment, with waits that record their reads. */
export function watched(environment: Environment, reads: ReadSet): Environment {
  const threads = environment.threads.map((thread): EnvironmentProgram => ({
    ...thread,
    items: thread.items.map((item) =>
      item.kind === 'until' && item.awaits === 'world'
        ? { ...item, holds: (world) => item.holds(new TrackedWorld(world, reads)) }
        : item,
    ),
  }));
  return { ...environment, threads };
}

const saidBy = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? `${String('name' in error ? error.name : '')}: ${String(error.message)}`
    : String(error);
