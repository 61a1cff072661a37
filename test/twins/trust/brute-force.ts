import { noFaults, targetOf, type ResolvedSystem } from 'culprit/kernel';
import { crash, resume } from 'culprit';
import type { Faults, PlanItem, Session, Wait } from 'culprit/kernel';
import type { External, Internal } from 'culprit/trace';
import type { Sink } from './actor.ts';
import { endText, eventText, isOrderedIn, namesIn, worldText } from './world-text.ts';

export interface Bounds {
  readonly faults: Faults;
  readonly eventsMax: number;
  /** Whether each world is explored once; otherwise every order is executed to its end. */
  readonly memo: boolean;
  readonly nodesMax: number;
  /** Whether faults of the workload count against the budgets. */
  readonly countsWorkload: boolean;
  /** Whether faults also happen to joined processes, and not to declared ones only. */
  readonly reachesAll: boolean;
}

/** All facts about a system within the bounds. */
export interface Truth {
  readonly fingerprints: ReadonlySet<string>;
  /** The ends of executions without a violation. */
  readonly ends: ReadonlySet<string>;
  /** The ends of executions that continued after a violation. */
  readonly endsAfter: ReadonlySet<string>;
  /** Whether some executions had not ended at the limit on events. */
  readonly isCut: boolean;
  /** Whether some execution, and whether every one, makes data with a hidden part. */
  readonly hides: boolean;
  readonly alwaysHides: boolean;
  /** Errors of the kernel: codes with which it refused to continue, or actions of scripts that it did not see. */
  readonly errors: ReadonlySet<string>;
  readonly nodes: number;
  /** The number of orders. */
  readonly executions: number;
}

export interface Subject {
  readonly resolved: ResolvedSystem;
  readonly sink: Sink;
  /** The name of the violation in a world, except for exceptions. */
  readonly judge: (session: Session) => string | undefined;
  /** Roles whose code may be suspended between two events. */
  readonly withPast: ReadonlySet<string>;
}

/** A step by its index among the enabled events, so that it is found again in another session; or an external. */
type Choice = Place | { readonly external: External };

interface Place {
  readonly at: number;
  readonly text: string;
}

interface Node {
  readonly session: Session;
  readonly taken: readonly Choice[];
  /** The next item of the workload, and the number of events when it did the last one. */
  readonly next: number;
  readonly since: number;
  readonly spent: Faults;
  readonly isViolated: boolean;
  readonly hides: boolean;
}

interface Child {
  readonly choice: Choice;
  readonly next: number;
  readonly isWorkload: boolean;
}

const budgetOf: Readonly<Partial<Record<External['kind'], keyof Faults>>> = {
  crash: 'crashes',
  restart: 'restarts',
  cut: 'partitions',
  lose: 'losses',
  duplicate: 'duplicates',
  hold: 'holds',
  pause: 'pauses',
};

const PLENTY = 99;

class TooLarge extends Error {}

/**
 * Takes every possible step, depth first, and executes every prefix again from the start. Undefined if there are more
 * nodes than allowed.
 */
export async function bruteForce(subject: Subject, bounds: Bounds): Promise<Truth | undefined> {
  try {
    return await new BruteForce(subject, bounds).run();
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

class BruteForce {
  private readonly fingerprints = new Set<string>();
  private readonly ends = new Set<string>();
  private readonly endsAfter = new Set<string>();
  private readonly errors = new Set<string>();
  /** Explored worlds, and the number of executions from each. */
  private readonly met = new Map<string, number>();
  private readonly declared: readonly string[];
  private readonly workload: readonly PlanItem[];
  private readonly starts: readonly External[];
  private isCut = false;
  private hides = false;
  private alwaysHides = true;
  private nodes = 0;

  constructor(
    private readonly subject: Subject,
    private readonly bounds: Bounds,
  ) {
    const { declaration } = subject.resolved;
    const { items, startsFirst } = subject.resolved.plan(0);
    this.declared = [...declaration.processes.keys()];
    this.starts = items.slice(0, startsFirst) as External[];
    this.workload = items.slice(startsFirst);
  }

  async run(): Promise<Truth> {
    const executions = await this.begin();
    const { fingerprints, ends, endsAfter, isCut, hides, alwaysHides, errors, nodes } = this;
    return { fingerprints, ends, endsAfter, isCut, hides, alwaysHides, errors, nodes, executions };
  }

  /** The starts come first, and are in order. */
  private async begin(): Promise<number> {
    let node: Node | undefined = {
      session: this.open(),
      taken: [],
      next: 0,
      since: 0,
      spent: noFaults,
      isViolated: false,
      hides: false,
    };
    for (const external of this.starts) {
      node = this.judged(node);
      node = await this.after(node, { choice: { external }, next: 0, isWorkload: true });
      // No verdicts after a start has violated something.
      if (node === undefined || node.isViolated) return 1;
    }
    return this.visit({ ...node, since: node.session.world.length });
  }

  private open(): Session {
    const { resolved } = this.subject;
    const { declaration } = resolved;
    const plenty = (budget: number): number => (budget > 0 ? PLENTY : 0);
    const { crashes, restarts, partitions, losses, duplicates, holds, pauses } = this.bounds.faults;
    const faults: Faults = {
      crashes: plenty(crashes),
      restarts: plenty(restarts),
      partitions: plenty(partitions),
      losses: plenty(losses),
      duplicates: plenty(duplicates),
      holds: plenty(holds),
      pauses: plenty(pauses),
    };
    return targetOf({ ...resolved, declaration: { ...declaration, faults } }).open(0);
  }

  /** Returns the number of executions from there. */
  private async visit(arrived: Node): Promise<number> {
    this.nodes += 1;
    if (this.nodes > this.bounds.nodesMax) throw new TooLarge();
    const node = this.judged(arrived);
    const key = this.bounds.memo ? this.keyOf(node) : '';
    const known = this.met.get(key);
    if (known !== undefined) return known;
    const executions = await this.goOn(node);
    if (this.bounds.memo) this.met.set(key, executions);
    return executions;
  }

  private async goOn(node: Node): Promise<number> {
    const children = this.childrenOf(node);
    const isOver = children.every(({ isOptional }) => isOptional);
    if (isOver) this.end(node);
    if (children.length > 0 && node.session.world.length >= this.bounds.eventsMax) {
      this.isCut = true;
      if (!node.hides) this.alwaysHides = false;
      return 1;
    }
    let executions = isOver ? 1 : 0;
    // The first child continues in this session; the others execute the prefix again.
    let here: Node = node;
    for (const [at, child] of children.entries()) {
      if (at > 0) here = { ...node, session: await this.again(node.taken) };
      const after = await this.after(here, child);
      executions += after === undefined ? 1 : await this.visit(after);
    }
    return executions;
  }

  private end({ session, isViolated, hides }: Node): void {
    (isViolated ? this.endsAfter : this.ends).add(
      endText(session.world, namesIn(session, this.declared), isOrderedIn(this.subject.resolved.declaration)),
    );
    if (!hides) this.alwaysHides = false;
  }

  private judged(node: Node): Node {
    const { session, isViolated } = node;
    const wrong = failureIn(session) ?? this.subject.judge(session);
    if (wrong === undefined) return node;
    if (!isViolated) this.fingerprints.add(wrong);
    return { ...node, isViolated: true };
  }

  /** Equal only if the same futures are possible, with equal weight. */
  private keyOf(node: Node): string {
    const { session, next, since, spent, isViolated, hides } = node;
    const deliveries = this.workload[next]?.kind === 'until' ? deliveriesSince(since, session) : 0;
    const world = worldText(session, this.declared, this.subject.withPast);
    const paused = namesIn(session, this.declared).filter((name) => session.refusal(resume(name)) === undefined);
    // The distance to the bound distinguishes two worlds only if executions reach it.
    const length = this.bounds.eventsMax < PLENTY ? session.world.length : 0;
    return [next, deliveries, Object.values(spent).join(), isViolated, hides, length, paused, world].join('|');
  }

  private childrenOf(node: Node): (Child & { readonly isOptional: boolean })[] {
    const { session, next } = node;
    const internal = session.enabled.map((event, at) => ({ choice: { at, text: textOf(event) }, next }));
    const item = this.nextOfWorkload(node);
    return [
      ...internal.map((child) => ({ ...child, isWorkload: false, isOptional: false })),
      ...(item === undefined ? [] : [{ ...item, isWorkload: true, isOptional: false }]),
      ...this.faultsAt(node).map((external) => ({ choice: { external }, next, isWorkload: false, isOptional: true })),
    ];
  }

  private nextOfWorkload(node: Node): Pick<Child, 'choice' | 'next'> | undefined {
    for (let next = node.next; next < this.workload.length; next++) {
      const item = this.workload[next] as PlanItem;
      if (this.isPassed(node, item)) continue;
      return item.kind === 'until' ? undefined : { choice: { external: item }, next: next + 1 };
    }
    return undefined;
  }

  /** Whether the workload continues with the next item: this one is no longer awaited, or impossible. */
  private isPassed({ session, since }: Node, item: PlanItem): boolean {
    return item.kind === 'until' ? isWaitedFor(item, since, session) : session.refusal(item) !== undefined;
  }

  private faultsAt({ session, spent }: Node): External[] {
    const left = ({ kind }: External): boolean => {
      const budget = budgetOf[kind];
      return budget === undefined || spent[budget] < this.bounds.faults[budget];
    };
    const isDeclared = (external: External): boolean =>
      this.bounds.reachesAll || namesOf(external).every((name) => this.declared.includes(name));
    const others = session.faults().filter((fault) => fault.kind !== 'crash');
    const crashes = namesIn(session, this.declared)
      .map((name) => crash(name))
      .filter((one) => session.refusal(one) === undefined);
    return [...crashes, ...others].filter((fault) => left(fault) && isDeclared(fault));
  }

  /** The node after one more step; undefined if the kernel refuses to continue. */
  private async after(node: Node, { choice, next, isWorkload }: Child): Promise<Node | undefined> {
    const { session, taken, spent, since } = node;
    const { sink } = this.subject;
    const isGone = await this.take(session, choice);
    const hides = node.hides || sink.hidden;
    if (hides) this.hides = true;
    if (isGone) return undefined;
    const isFault = 'external' in choice && (!isWorkload || this.bounds.countsWorkload);
    return {
      ...node,
      hides,
      next,
      since: isWorkload ? session.world.length : since,
      taken: [...taken, choice],
      spent: isFault ? withSpent(spent, choice.external) : spent,
    };
  }

  /** Returns whether the kernel refused to continue. */
  private async take(session: Session, choice: Choice): Promise<boolean> {
    const { sink } = this.subject;
    sink.hidden = sink.threw = false;
    try {
      await session.perform('external' in choice ? choice.external : eventAt(session, choice));
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === undefined) throw error;
      if (!sink.hidden) this.errors.add(code);
      return true;
    }
    if (sink.threw && session.world.failure === undefined) this.errors.add('an exception is no violation');
    if (sink.ticking > 0) this.errors.add('an event is over before its microtasks');
    sink.ticking = 0;
    return false;
  }

  private async again(taken: readonly Choice[]): Promise<Session> {
    const session = this.open();
    for (const choice of taken) await this.take(session, choice);
    return session;
  }
}

const textOf = (event: Internal): string => `${event.process} ${eventText(event)}`;

/** Enabled events have the same order whenever the same has happened. */
function eventAt({ enabled }: Session, { at, text }: Place): Internal {
  const event = enabled[at];
  if (event === undefined || textOf(event) !== text) throw new Error(`executed again, ${text} is not enabled`);
  return event;
}

function failureIn({ world }: Session): string | undefined {
  const { failure } = world;
  return failure && `noUncaughtException ${failure.process} ${String(failure.error)}`;
}

const withSpent = (spent: Faults, { kind }: External): Faults => {
  const budget = budgetOf[kind];
  return budget === undefined ? spent : { ...spent, [budget]: spent[budget] + 1 };
};

const namesOf = (external: External): string[] =>
  'links' in external
    ? external.links.flatMap(([from, to]) => [from, to])
    : 'process' in external
      ? [external.process]
      : [];

function isWaitedFor(wait: Wait, since: number, session: Session): boolean {
  if (wait.awaits === 'world') return wait.holds(session.world);
  if (wait.awaits === 'deliveries') return deliveriesSince(since, session) >= wait.count;
  return session.enabled.every(({ kind }) => kind === 'fire');
}

const deliveriesSince = (since: number, { recording }: Session): number =>
  recording.events.since(since).filter(({ kind }) => kind === 'deliver').length;
