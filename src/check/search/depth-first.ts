import { isInternal } from '../../trace/event.ts';
import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import { transitionsAt, type Transition, type SearchState } from './transitions.ts';
import type { SearchVisitor } from './visitor.ts';
import { StaleCheckpoint } from './saved.ts';
import { begin, step, executePrefix, type SearchStart } from './execute-prefix.ts';

export interface DepthFirstOptions extends SearchStart {
  readonly eventsMax: number;
  /**
   * The maximum number of preemptions: switches away from a process that could continue. An event of the environment is
   * no switch, and the process that ran before it still runs.
   */
  readonly preemptionsMax?: number;
  /** Worlds with fewer events than this are known, and the visitor does not get them again. */
  readonly known?: number;
  readonly visitor: SearchVisitor<InterleavingEnding>;
}

/**
 * `finished`: no event was possible. `bound`: the execution had too many events. `preempted`: in this world, some event
 * was left out because it would have been one preemption too many; the others are explored.
 */
export type InterleavingEnding = 'finished' | 'bound' | 'preempted';

/** The running process, and the number of preemptions so far. */
interface Turn {
  readonly process: string | undefined;
  readonly preemptions: number;
}

interface OpenChoice {
  readonly transition: Transition;
  /** The turn after this choice. */
  readonly turn: Turn;
}

/** The unexplored choices at each world of the stack, as JSON: keys of transitions. */
export interface SavedDepthFirst {
  readonly frames: readonly {
    readonly left: readonly { readonly key: number; readonly turn: Turn }[];
    /** The current choice; undefined in the last frame. */
    readonly transition?: number;
  }[];
}

interface DepthFirstFrame {
  /** Undefined if the world has to be made again. */
  state: SearchState | undefined;
  /** The unexplored choices, the next one last. */
  readonly left: OpenChoice[];
  /** The current choice. */
  transition: Transition | undefined;
}

/** Explores every order of events, depth first. */
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

  /** Returns to the saved state by taking the same steps. */
  *restore({ frames }: SavedDepthFirst): Steps<void> {
    let state = yield* begin(this.options);
    for (const { left, transition: key } of frames) {
      const transitions = transitionsAt(state, this.options.environment);
      const transition = key === undefined ? undefined : called(key, transitions);
      const isKept = state.session.fork !== undefined || transition === undefined;
      this.frames.push({
        state: isKept ? state : undefined,
        left: left.map((choice) => ({ transition: called(choice.key, transitions), turn: choice.turn })),
        transition,
      });
      if (transition !== undefined) state = yield* step(state, transition);
    }
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const slice = new TimeSlice();
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
      if (slice.isOver()) yield undefined;
    }
  }

  /** Returns whether to continue. */
  private *follow(frame: DepthFirstFrame, { transition, turn }: OpenChoice): Steps<boolean> {
    const here = frame.state ?? (yield* this.again());
    const from = here.session.world.length;
    // While code awaits something, its world cannot be copied, and is lost with the step.
    frame.state = here.session.fork === undefined ? undefined : here;
    frame.transition = transition;
    return this.arrive(yield* step(here, transition), turn, from);
  }

  /** The last world of the stack. */
  private *again(): Steps<SearchState> {
    const transitions = this.frames.slice(0, -1).map(({ transition }) => transition as Transition);
    return yield* executePrefix(this.options, transitions);
  }

  /** Adds the world after a step from a world with `from` events. Returns whether to continue. */
  private arrive(state: SearchState, turn: Turn, from: number): boolean {
    const { visitor, environment, eventsMax, known = 0 } = this.options;
    const { session } = state;
    const isNew = from >= known;
    if (isNew && visitor.arrived(session) === false) return false;
    const transitions = transitionsAt(state, environment);
    const isAtBound = transitions.length > 0 && session.world.length >= eventsMax;
    const left = isAtBound ? [] : this.choices(transitions, turn);
    this.frames.push({ state, left, transition: undefined });
    if (isAtBound) return visitor.ended(session, 'bound');
    if (transitions.length === 0) return !isNew || visitor.ended(session, 'finished');
    return left.length === transitions.length || session.world.length < known || visitor.ended(session, 'preempted');
  }

  /** The choices within the bound on preemptions, the first one last. */
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

/** The process of a transition; undefined for the environment. */
const processOf = ({ step: event }: Transition): string | undefined => (isInternal(event) ? event.process : undefined);
