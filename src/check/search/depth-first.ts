import { isInternal } from '../../trace/event.ts';
import { breather, type Steps } from '../../kernel/loop.ts';
import { transitionsAt, type Transition, type Place } from './transitions.ts';
import type { SearchVisitor } from './visitor.ts';
import { StaleCheckpoint } from './saved.ts';
import { begin, step, walk, type SearchStart } from './execute-prefix.ts';

export interface DepthFirstOptions extends SearchStart {
  readonly eventsMax: number;
  /**
   * How often an execution may leave a process that could have gone on, for another one. What the environment does is no
   * such change, nor does it make one: the process that ran before still does.
   */
  readonly preemptionsMax?: number;
  /** Worlds of fewer events than this are known: the visitor does not get them again. */
  readonly known?: number;
  readonly visitor: SearchVisitor<InterleavingEnding>;
}

/**
 * Nothing was left that could happen; or the bound on events was met; or, once in each world where something would have
 * been a preemption too many, that it was left out. What was not goes on from there.
 */
export type InterleavingEnding = 'finished' | 'bound' | 'preempted';

/** Who is at it, and how often another one was left for it. */
interface Turn {
  readonly process: string | undefined;
  readonly preemptions: number;
}

interface OpenChoice {
  readonly transition: Transition;
  /** Whose turn it is then. */
  readonly turn: Turn;
}

/** What is left to be gone on with from each world on the way, as JSON: keys of transitions. */
export interface SavedDepthFirst {
  readonly frames: readonly {
    readonly left: readonly { readonly key: number; readonly turn: Turn }[];
    /** What is gone on with now; not in the last one. */
    readonly transition?: number;
  }[];
}

interface DepthFirstFrame {
  /** Undefined where it has to be made again. */
  place: Place | undefined;
  /** What has not been gone on with yet, the next one last. */
  readonly left: OpenChoice[];
  /** What is gone on with now. */
  transition: Transition | undefined;
}

/** Every order in which things can happen, depth first. */
export class DepthFirst {
  private readonly frames: DepthFirstFrame[] = [];

  constructor(private readonly options: DepthFirstOptions) {}

  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;

  save(): SavedDepthFirst {
    const frames = this.frames.map(({ left, transition }) => ({
      left: left.map(({ transition: { key }, turn }) => ({ key, turn })),
      ...(transition === undefined ? {} : { transition: transition.key }),
    }));
    return { frames };
  }

  /** Gets to where it was left, by taking the same steps. */
  *restore({ frames }: SavedDepthFirst): Steps<void> {
    let place = yield* begin(this.options);
    for (const { left, transition: key } of frames) {
      const transitions = transitionsAt(place, this.options.environment);
      const transition = key === undefined ? undefined : called(key, transitions);
      const isKept = place.session.fork !== undefined || transition === undefined;
      this.frames.push({
        place: isKept ? place : undefined,
        left: left.map((choice) => ({ transition: called(choice.key, transitions), turn: choice.turn })),
        transition,
      });
      if (transition !== undefined) place = yield* step(place, transition);
    }
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const rest = breather();
    const { frames } = this;
    const isBegun = frames.length > 0;
    if (!isBegun && !this.arrive(yield* begin(this.options), { process: undefined, preemptions: 0 }, 0)) return;
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const choice = frame.left.pop();
      if (choice === undefined) frames.pop();
      else if (!(yield* this.follow(frame, choice))) return;
      if (frame.transition === undefined) {
        this.isBetween = true;
        yield undefined;
        this.isBetween = false;
      }
      yield* rest();
    }
  }

  /** Says whether to go on. */
  private *follow(frame: DepthFirstFrame, { transition, turn }: OpenChoice): Steps<boolean> {
    const here = frame.place ?? (yield* this.again());
    const from = here.session.world.length;
    // Where code awaits something, a world cannot be copied: it is gone after the step.
    frame.place = here.session.fork === undefined ? undefined : here;
    frame.transition = transition;
    return this.arrive(yield* step(here, transition), turn, from);
  }

  /** The last world on the way. */
  private *again(): Steps<Place> {
    const transitions = this.frames.slice(0, -1).map(({ transition }) => transition as Transition);
    return yield* walk(this.options, transitions);
  }

  /** After a step from a world of so many events. Says whether to go on. */
  private arrive(place: Place, turn: Turn, from: number): boolean {
    const { visitor, environment, eventsMax, known = 0 } = this.options;
    const { session } = place;
    const isNew = from >= known;
    if (isNew && visitor.arrived(session) === false) return false;
    const transitions = transitionsAt(place, environment);
    const isAtBound = transitions.length > 0 && session.world.length >= eventsMax;
    const left = isAtBound ? [] : this.choices(transitions, turn);
    this.frames.push({ place, left, transition: undefined });
    if (isAtBound) return visitor.ended(session, 'bound');
    if (transitions.length === 0) return !isNew || visitor.ended(session, 'finished');
    return left.length === transitions.length || session.world.length < known || visitor.ended(session, 'preempted');
  }

  /** What is within the bound on preemptions, the first one last. */
  private choices(transitions: readonly Transition[], { process, preemptions }: Turn): OpenChoice[] {
    const { preemptionsMax = Infinity } = this.options;
    const isAtIt = transitions.some((transition) => processOf(transition) === process);
    return transitions
      .map((transition): OpenChoice => {
        const next = processOf(transition) ?? process;
        const isPreemption = isAtIt && process !== undefined && next !== process;
        return { transition, turn: { process: next, preemptions: preemptions + (isPreemption ? 1 : 0) } };
      })
      .filter(({ turn }) => turn.preemptions <= preemptionsMax)
      .reverse();
  }
}

function called(key: number, transitions: readonly Transition[]): Transition {
  const found = transitions.find((transition) => transition.key === key);
  if (found === undefined) throw new StaleCheckpoint();
  return found;
}

/** Whose step it is; undefined for the environment's. */
const processOf = ({ step: event }: Transition): string | undefined => (isInternal(event) ? event.process : undefined);
