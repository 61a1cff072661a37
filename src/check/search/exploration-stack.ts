import { ENVIRONMENT, isInternal, type Deliver, type External, type Internal } from '../../trace/event.ts';
import { isSameChannel, processesOf } from '../../trace/event-subject.ts';
import { hex, type Digest } from '../../trace/digest.ts';
import type { Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { Bits } from './bits.ts';
import type { Footprint } from '../dependence/footprint.ts';
import { internalTransition, keyOf, transitionsAt, type Transition, type SearchState } from './transitions.ts';
import { branchIn, isSameFootprint, namedIn, savedBranch, savedNamed, StaleCheckpoint } from './saved.ts';
import type { SavedFrame, SavedExplorationStack } from './saved.ts';
import { lifecycle, madeSince, markOf, type Mark, type Dependence } from '../dependence/dependence.ts';
import { ordered, type Race, type ExecutedStep } from '../dependence/step.ts';
import { begin, step, executePrefix, executeElsewhere, type SearchStart } from './execute-prefix.ts';
import type { Branch, NamedTransition } from './wakeup-tree.ts';
import type { EstimatedExecution } from '../reduce/reduction-estimate.ts';

/** A world of the current execution, and its unexplored branches. */
export interface ExplorationFrame {
  /** Undefined if the world has to be made again. */
  state: SearchState | undefined;
  readonly transitions: readonly Transition[];
  /** The sleep set: transitions whose branches have been explored. */
  readonly asleep: NamedTransition[];
  /** Transitions with which other pieces begin there, later in order. */
  readonly elsewhere: NamedTransition[];
  readonly tree: Branch[];
  /** The number of explored branches. */
  explored: number;
  isNew: boolean;
}

/** An event that was tried at another point of the execution. */
export interface TriedBranch extends NamedTransition {
  /** The keys of the steps that it needs. */
  readonly needs: readonly number[];
  readonly leadsTo: SearchState;
}

export interface ExplorationStackOptions extends SearchStart {
  readonly dependence: Dependence;
  /** Whether the step changed something that oracles read. */
  readonly isVisible: (before: Session, after: Session, since: Mark) => boolean;
  /** Whether the order matters of two events that may both happen in this world, or could without others. */
  readonly depends: (session: Session | undefined, one: NamedTransition, other: NamedTransition) => boolean;
}

/** The current execution: its worlds, and the steps between them. */
export class ExplorationStack {
  readonly frames: ExplorationFrame[] = [];
  readonly steps: ExecutedStep[] = [];
  /** The step of each event, by the number of the event. */
  private readonly stepOf: number[] = [];
  /** Whether code has awaited something. */
  private isAsync = false;

  constructor(private readonly options: ExplorationStackOptions) {}

  arrive(state: SearchState, asleep: NamedTransition[], tree: Branch[]): ExplorationFrame {
    const transitions = transitionsAt(state, this.options.environment);
    const frame: ExplorationFrame = { state, transitions, asleep, elsewhere: [], tree, explored: 0, isNew: true };
    this.frames.push(frame);
    return frame;
  }

  /** Takes a step from the last world to a new one. */
  *follow(frame: ExplorationFrame, branch: Branch, transition: Transition): Steps<ExplorationFrame> {
    const from = yield* this.stateAt(this.steps.length);
    const { session } = from;
    const since = markOf(session);
    const wasPending = this.options.dependence.mayReturn ? new Set(session.world.pending) : undefined;
    const isKept = session.fork !== undefined;
    const { state, foot } = yield* this.take(from, transition, () => this.again(this.steps.length));
    if (!isKept) {
      frame.state = undefined;
      this.isAsync = true;
    }
    const named: NamedTransition = { key: transition.key, step: transition.step, foot };
    frame.tree[0] = { key: transition.key, step: transition.step, foot, children: branch.children };
    this.stepOf.length = since.events;
    while (this.stepOf.length < state.names.length) this.stepOf.push(this.steps.length);
    const asleep = frame.asleep.filter((other) => !this.options.depends(frame.state?.session, other, named));
    const next = this.arrive(state, asleep, branch.children);
    const taken = this.taken(transition, named, frame, next, since);
    this.steps.push(wasPending === undefined ? taken : { ...taken, sentBack: sentBackSince(wasPending, state) });
    return next;
  }

  /** Returns to the world before the last step, and puts the step to sleep there. */
  back(): void {
    this.frames.pop();
    const last = this.steps.pop();
    const frame = this.frames.at(-1);
    if (frame === undefined || last === undefined) return;
    frame.asleep.push({ key: last.key, step: last.step, foot: last.foot });
    frame.tree.shift();
    frame.explored += 1;
  }

  /** To be called between executions. */
  save(): SavedExplorationStack {
    const [first] = this.frames;
    const { dependence } = this.options;
    return {
      local: dependence.localNames,
      isAsync: this.isAsync,
      tree: first?.tree.map((branch) => savedBranch(branch, dependence)) ?? [],
      frames: this.frames.map(({ asleep, explored }, at) => ({
        asleep: asleep.map((event) => savedNamed(event, dependence)),
        explored,
        races: this.steps[at - 1]?.races.map(({ steps, triedAmong }) => omitUndefined(steps, triedAmong)) ?? [],
      })),
      world: this.worldNow,
    };
  }

  /** Returns to the saved state by taking the same steps. */
  *restore({ local, isAsync, tree, frames, world }: SavedExplorationStack): Steps<void> {
    const { dependence } = this.options;
    dependence.addLocal(local);
    const branches = tree.map((branch) => branchIn(branch, dependence));
    this.resume(this.arrive(yield* begin(this.options), [], branches), frames[0]);
    for (const saved of frames.slice(1)) {
      const frame = this.frames.at(-1) as ExplorationFrame;
      const branch = frame.tree[0];
      const transition = frame.transitions.find(({ key }) => key === branch?.key);
      if (branch === undefined || transition === undefined) throw new StaleCheckpoint();
      this.resume(yield* this.follow(frame, branch, transition), saved);
      const taken = this.steps.at(-1) as ExecutedStep;
      if (!isSameFootprint(taken.foot, branch.foot) || taken.races.length !== saved.races.length)
        throw new StaleCheckpoint();
      const races = taken.races.map((race, at) => ({ ...race, ...saved.races[at] }));
      this.steps[taken.at] = { ...taken, races };
    }
    if (world !== undefined && this.worldNow !== world) throw new StaleCheckpoint();
    this.isAsync = isAsync;
  }

  private resume(frame: ExplorationFrame, saved: SavedFrame | undefined): void {
    if (saved === undefined) throw new StaleCheckpoint();
    frame.asleep.splice(
      0,
      frame.asleep.length,
      ...saved.asleep.map((event) => namedIn(event, this.options.dependence)),
    );
    frame.elsewhere.push(...(saved.elsewhere ?? []).map((event) => namedIn(event, this.options.dependence)));
    frame.explored = saved.explored;
    frame.isNew = false;
  }

  private get worldNow(): string {
    const session = this.frames.at(-1)?.state?.session;
    return session === undefined ? '' : hex(session.worldDigest());
  }

  get execution(): EstimatedExecution {
    return { steps: this.steps, worldBefore: (at) => this.frames[at]?.state?.session };
  }

  isPossibleAt(at: number, key: number): boolean {
    return isAmong((this.frames[at] as ExplorationFrame).transitions, key);
  }

  /** Tries an event after some of the steps, instead of the step at this index; undefined if it cannot happen then. */
  *rehearse(at: number, steps: readonly ExecutedStep[], key: number): Steps<TriedBranch | undefined> {
    const state = yield* this.after(at, steps);
    if (state === undefined) return undefined;
    const transition = transitionsAt(state, this.options.environment).find((other) => other.key === key);
    if (transition === undefined) return undefined;
    const since = markOf(state.session);
    const { state: next, foot } = yield* this.take(
      state,
      transition,
      () => this.after(at, steps) as Steps<SearchState>,
    );
    const cause = causeSince(next, since);
    const ahead = steps[this.aheadOf(transition, steps)];
    const needs = [...(cause < 0 ? [] : [keyOf(next.names[cause] as Digest)]), ...(ahead ? [ahead.key] : [])];
    return { key, step: transition.step, foot, needs, leadsTo: next };
  }

  /** The state after some of the later steps, from an earlier world. */
  private *after(at: number, steps: readonly ExecutedStep[]): Steps<SearchState | undefined> {
    const { state: kept } = this.frames[at] as ExplorationFrame;
    const from = kept?.session.fork === undefined ? yield* this.again(at) : kept;
    const transitions = steps.map((taken) => taken.transition);
    return yield* executeElsewhere(from, transitions, this.options.environment);
  }

  /** Takes a step, and finds its footprint. */
  private *take(
    here: SearchState,
    transition: Transition,
    again: () => Steps<SearchState>,
  ): Steps<{ state: SearchState; foot: Footprint }> {
    const { dependence, isVisible } = this.options;
    const since = markOf(here.session);
    // A world that cannot be copied is lost with the step, so it is made once more if it is needed.
    const isLost = here.session.fork === undefined;
    const before = isLost && dependence.isWatched ? (yield* again()).session : here.session;
    const state = yield* step(here, transition);
    const sight = { isGuarded: transition.isGuarded, isVisible: isVisible(before, state.session, since) };
    return { state, foot: dependence.footprint(state.session, since, sight) };
  }

  private taken(
    transition: Transition,
    named: NamedTransition,
    from: ExplorationFrame,
    to: ExplorationFrame,
    since: Mark,
  ): ExecutedStep {
    const at = this.steps.length;
    const needed = this.neededFor(transition, causeSince(to.state as SearchState, since));
    const order = ordered(needed, this.steps, (earlier) =>
      this.options.depends(this.frames[earlier.at]?.state?.session, earlier, named),
    );
    const races: Race[] = order.direct
      .filter((other) => !needed.includes(other))
      .map((other) => ({ steps: this.andEarlier(other, transition, needed), key: transition.key, past: order.before }));
    for (const { key } of from.transitions)
      if (key !== transition.key && !isAmong(to.transitions, key)) races.push({ steps: [at], key, past: new Bits(0) });
    if (!this.options.dependence.isPlain) races.push(...this.barred(at, order.before, to, since));
    const { key, step: event, foot } = named;
    return {
      key,
      step: event,
      foot,
      transition,
      at,
      needed,
      before: order.before,
      direct: order.direct,
      sentBack: [],
      races,
    };
  }

  /**
   * The step, and earlier steps that may have barred the event: if its process was down or waiting, or the environment
   * was, the event cannot come right before the step, but perhaps before an earlier one.
   */
  private andEarlier(at: number, transition: Transition, needed: readonly number[]): number[] {
    const mayBar = this.barsOf(transition);
    if (mayBar === undefined) return [at];
    const isNeeded = (one: number): boolean =>
      needed.some((other) => other === one || (this.steps[other] as ExecutedStep).before.has(one));
    const earlier = this.steps.filter((other) => other.at < at && mayBar(other.transition) && !isNeeded(other.at));
    return [at, ...earlier.map((other) => other.at).toReversed()];
  }

  /** A predicate of the transitions that may bar this one; undefined if none can. */
  private barsOf({ step: event, isGuarded }: Transition): ((other: Transition) => boolean) | undefined {
    if (isGuarded) return () => true;
    if (isInternal(event) ? !this.options.dependence.hasLives && !this.isAsync : !lifecycle.has(event.kind))
      return undefined;
    return 'process' in event ? (other) => mayAffect(other, event.process) : undefined;
  }

  /** Races of events that a step made and that cannot happen, perhaps because of earlier events of the same process. */
  private barred(at: number, before: Bits, to: ExplorationFrame, since: Mark): Race[] {
    const { session, names } = to.state as SearchState;
    const past = new Bits(at + 1);
    past.addAll(before);
    past.add(at);
    const races: Race[] = [];
    for (const event of madeSince(session, since)) {
      const { key } = internalTransition(event, names);
      if (!isAmong(to.transitions, key)) races.push({ steps: this.inTheWayOf(event, before), key, past });
    }
    return races;
  }

  /** The steps that may bar an event, the last first. */
  private inTheWayOf({ process }: Internal, before: Bits): number[] {
    return this.steps
      .filter((other) => !before.has(other.at) && mayAffect(other.transition, process))
      .map((other) => other.at)
      .toReversed();
  }

  private neededFor(transition: Transition, cause: number): number[] {
    const { step: event, thread, key } = transition;
    const needed = [
      this.stepOf[cause] ?? -1,
      thread < 0 ? -1 : this.steps.findLastIndex((other) => other.transition.thread === thread),
      // A message comes back because of the event that made its receiver absent, perhaps long after its sending.
      event.kind === 'return' ? this.steps.findIndex(({ sentBack }) => sentBack.includes(key)) : -1,
      this.aheadOf(transition, this.steps),
    ];
    return needed.filter((at) => at >= 0);
  }

  /**
   * The delivery that this one had to wait for, because the messages of a channel keep their order, and no rule changes
   * that. Answers may overtake.
   */
  private aheadOf({ step: event }: Transition, steps: readonly ExecutedStep[]): number {
    if (!isQueued(event) || !this.options.dependence.isOrdered(event)) return -1;
    return steps.findLastIndex(({ step: other }) => isQueued(other) && isSameChannel(other, event));
  }

  private *stateAt(at: number): Steps<SearchState> {
    return (this.frames[at] as ExplorationFrame).state ?? (yield* this.again(at));
  }

  private *again(at: number): Steps<SearchState> {
    return yield* executePrefix(
      this.options,
      this.steps.slice(0, at).map(({ transition }) => transition),
    );
  }
}

function sentBackSince(wasPending: ReadonlySet<Internal>, { session, names }: SearchState): number[] {
  return session.world.pending
    .filter((event) => event.kind === 'return' && !wasPending.has(event))
    .map((event) => internalTransition(event, names).key);
}

/** Transitions are few, and a set of such large numbers is slow. */
const isAmong = (transitions: readonly Transition[], key: number): boolean =>
  transitions.some((transition) => transition.key === key);

const omitUndefined = (steps: readonly number[], triedAmong: number | undefined): SavedFrame['races'][number] =>
  triedAmong === undefined ? { steps } : { steps, triedAmong };

const isQueued = (event: Internal | External): event is Deliver =>
  event.kind === 'deliver' && (event.from !== ENVIRONMENT || event.lane !== undefined) && event.reply === 0;

/** The cause of the first event since the mark. */
const causeSince = ({ session }: SearchState, { events }: Mark): number =>
  session.recording.events.since(events)[0]?.cause ?? -1;

/** Whether a transition may change whether a process can act. An action may do anything; a message that is sent waits. */
const mayAffect = ({ step: event }: Transition, process: string): boolean =>
  event.kind === 'act' || (event.kind !== 'send' && processesOf(event).includes(process));
