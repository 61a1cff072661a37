import type { Steps } from '../../kernel/loop.ts';
import { hex, mixHi, mixLo } from '../../trace/digest.ts';
import type { ReadSet } from '../../oracles/tracked-world.ts';
import { faultTransitionsAt, transitionsAt, oldest, type Transition, type SearchState } from './transitions.ts';
import { happened, predecessorsOf, wayTo, type Node } from './node.ts';
import { begin, retrace, step, type SearchStart } from './execute-prefix.ts';
import { likenessAt } from './worlds.ts';

/** The number of worlds that are kept in memory; others are made again when they are needed. */
const HELD_MAX = 10_000;

/** The transitions of a world. */
export interface Successors {
  /** Equal for equal worlds. */
  readonly key: string;
  /** The transitions of processes and of the workload. */
  readonly transitions: readonly Transition[];
  /** The oldest of these; undefined if there are none. */
  readonly usual: Transition | undefined;
  /** The possible faults. */
  readonly faults: readonly Transition[];
}

/** The worlds that were met, as JSON. */
export interface SavedStateGraph {
  readonly reads: ReadSet;
  readonly known: readonly string[];
}

/** The worlds that were met, and paths to them. */
export class StateGraph {
  private readonly known = new Set<string>();
  private readonly held = new Set<Node>();
  private readonly keys = new WeakMap<SearchState, string>();
  private readonly successorsOf = new WeakMap<SearchState, Successors>();

  constructor(
    private readonly beginning: SearchStart,
    /** The reads that distinguish worlds. */
    readonly reads: ReadSet,
  ) {}

  save(): SavedStateGraph {
    return { reads: this.reads, known: [...this.known] };
  }

  restore({ known }: SavedStateGraph): void {
    for (const key of known) this.known.add(key);
  }

  *root(): Steps<Node> {
    const state = yield* begin(this.beginning);
    return this.hold({
      parent: undefined,
      by: undefined,
      depth: 0,
      since: 0,
      needs: [],
      previous: 0,
      state,
    });
  }

  isKnown(state: SearchState): boolean {
    return this.known.has(this.keyOf(state));
  }

  /** Adds a world. Returns whether it is new. */
  meet({ key }: Successors): boolean {
    if (this.known.has(key)) return false;
    this.known.add(key);
    return true;
  }

  /** The transitions at a state. */
  successorsAt(state: SearchState): Successors {
    let successors = this.successorsOf.get(state);
    if (successors !== undefined) return successors;
    const transitions = transitionsAt(state, this.beginning.environment);
    const usual = transitions.length === 0 ? undefined : oldest(transitions);
    successors = { key: this.keyOf(state), transitions, usual, faults: faultTransitionsAt(state) };
    this.successorsOf.set(state, successors);
    return successors;
  }

  /** The transition with this key, if it can happen. */
  transitionAt(state: SearchState, key: number): Transition | undefined {
    const isIt = (transition: Transition): boolean => transition.key === key;
    const successors = this.successorsOf.get(state);
    return (
      (successors?.transitions ?? transitionsAt(state, this.beginning.environment)).find(isIt) ??
      (successors?.faults ?? faultTransitionsAt(state)).find(isIt)
    );
  }

  *stateOf(node: Node): Steps<SearchState> {
    if (node.state !== undefined) return node.state;
    return yield* retrace(this.beginning, wayTo(node));
  }

  /** The node after a transition. */
  *advance(from: Node, state: SearchState, transition: Transition): Steps<Node> {
    const since = state.session.world.length;
    // While code awaits something, its world cannot be copied, and is lost with the step.
    if (state.session.fork === undefined) from.state = undefined;
    const predecessors = predecessorsOf(from, transition);
    return this.hold({
      parent: from,
      by: happened(transition),
      depth: from.depth + 1,
      since,
      ...predecessors,
      state: yield* step(state, transition),
    });
  }

  /** The state after some transitions, in a copy of the world; undefined if one of them cannot happen, or no copy can be made. */
  *look(from: SearchState, keys: readonly number[]): Steps<SearchState | undefined> {
    let state = from;
    for (const key of keys) {
      const transition = this.transitionAt(state, key);
      if (transition === undefined || state.session.fork === undefined) return undefined;
      state = yield* step(state, transition);
    }
    return state;
  }

  /** Whether two transitions commute at this state. */
  *commutes(here: SearchState, one: number, other: number): Steps<boolean> {
    const first = yield* this.look(here, [one, other]);
    const second = first && (yield* this.look(here, [other, one]));
    return first !== undefined && second !== undefined && this.keyOf(first) === this.keyOf(second);
  }

  private keyOf(state: SearchState): string {
    let key = this.keys.get(state);
    if (key !== undefined) return key;
    // A world that cannot be compared equals another only if the same events in the same order led to both.
    key = likenessAt(state, this.beginning.environment, this.reads) ?? wayTaken(state);
    this.keys.set(state, key);
    return key;
  }

  private hold(node: Node): Node {
    this.held.add(node);
    if (this.held.size <= HELD_MAX) return node;
    const [first] = this.held;
    this.held.delete(first as Node);
    (first as Node).state = undefined;
    return node;
  }
}

/** The name of the sequence of events that led to a state. */
function wayTaken({ names }: SearchState): string {
  let [hi, lo] = [0, 0];
  for (const name of names) {
    hi = mixHi(hi, name.hi);
    lo = mixLo(lo, name.lo);
  }
  return `${names.length} ${hex({ hi, lo })}`;
}
