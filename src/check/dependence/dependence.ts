import { ENVIRONMENT, type Deliver, type Event, type Internal } from '../../trace/event.ts';
import type { Declaration } from '../../kernel/declaration.ts';
import { hasReports } from '../../kernel/network/link-reports.ts';
import { linkRules } from '../../kernel/network/rules.ts';
import type { Session } from '../../kernel/ports.ts';
import type { PlanItem } from '../../system/workload.ts';
import type { Footprint } from './footprint.ts';
import type { Environment } from '../search/transitions.ts';
import type { Numbering } from '../search/saved.ts';

const ofEverything: ReadonlySet<Event['kind']> = new Set([
  'act',
  'cut',
  'heal',
  'lose',
  'duplicate',
  'hold',
  'pause',
  'resume',
]);

export const lifecycle: ReadonlySet<Event['kind']> = new Set(['crash', 'stop', 'restart']);

/** A point of an execution. */
export interface Mark {
  readonly events: number;
  readonly notes: number;
}

export const markOf = ({ recording: { events, notes } }: Session): Mark => ({
  events: events.length,
  notes: notes.length,
});

/** Facts about a step besides its events. */
export interface Sight {
  /** Whether it waited for a condition on the whole world. */
  readonly isGuarded: boolean;
  /** Whether it changed something that oracles read. */
  readonly isVisible: boolean;
}

export interface DependenceOptions {
  /** Whether oracles look at the states of processes. */
  readonly isWatched?: boolean;
  /** Whether oracles can distinguish any two orders. */
  readonly isOrderSeen?: boolean;
  /** Whether crashes and restarts depend on everything, as in SAMC's black box. */
  readonly isBlackBox?: boolean;
}

/** The resource of events that concern the world as a whole. */
const EVERYTHING = 'everything';

const unseen = { isOrderSeen: false, isWatched: false, isBlackBox: false };

/**
 * Finds the resources that events touch: two events without a common resource commute. The state of a process is one
 * resource; its existence and its messages in flight are others. Only this file knows which rules of the transport make
 * events dependent.
 */
export class Dependence implements Numbering {
  private readonly isOrderSeen: boolean;
  private readonly isBlackBox: boolean;

  /** Whether oracles look at the states of processes. */
  readonly isWatched: boolean;
  /** Whether events touch only their processes. */
  readonly isPlain: boolean;
  /** Whether processes come and go after the start, so that the time of a send to them matters. */
  readonly hasLives: boolean;
  /** Whether messages may come back to their senders. */
  readonly mayReturn: boolean;
  /** Whether something reads the world as a whole, so that its order among all events matters. */
  private readonly hasEverything: boolean;
  private readonly semantics: TransportSemantics;
  /** Whether messages come back because of events that they did not follow from. */
  private readonly isIntricate: boolean;
  /** The resources that are states of processes. */
  private readonly local = new Set<number>();
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];

  constructor(
    private readonly declaration: Declaration,
    { threads, tampers }: Environment,
    options: DependenceOptions = {},
  ) {
    const { isOrderSeen, isWatched, isBlackBox }: Required<DependenceOptions> = { ...unseen, ...options };
    this.isOrderSeen = isOrderSeen;
    this.isBlackBox = isBlackBox;
    this.isWatched = isWatched;
    const kinds = new Set(threads.flatMap(({ items }) => items.map(({ kind }) => kind)));
    const has = (...some: readonly PlanItem['kind'][]): boolean => some.some((kind) => kinds.has(kind));
    this.hasLives = has('start', 'stop', 'crash', 'restart', 'act');
    this.semantics = transportSemanticsOf(declaration);
    this.mayReturn = this.hasLives && this.semantics.isReturned;
    this.isIntricate = this.mayReturn && (has('stop') || declaration.transport.onCrash.to === 'keep');
    const isUnknown = isBlackBox && this.hasLives;
    if (isUnknown) this.local.add(this.numberOf(EVERYTHING));
    const isSeen =
      isOrderSeen ||
      declaration.timers !== 'any' ||
      has('cut', 'heal', 'pause', 'resume', 'act', 'until') ||
      mayPassOver(threads);
    this.hasEverything = isSeen || tampers || isUnknown || this.isIntricate;
    this.isPlain = !this.hasLives && !this.hasEverything && !isWatched;
  }

  /** The footprint of a step: of its events, and of the events that they made. */
  footprint(session: Session, since: Mark, { isGuarded, isVisible }: Sight): Footprint {
    const writes: number[] = [];
    const reads: number[] = [];
    const events = session.recording.events.since(since.events);
    for (const event of events) this.addEvent(event, session, writes, reads);
    if (!this.isPlain) {
      for (const made of madeSince(session, since)) this.addSend(made, reads);
    }
    if (isVisible) writes.push(this.numberOf('what oracles see'));
    if (this.hasEverything)
      (isGuarded || this.hasHeld(session) || events.some((event) => this.isOfEverything(event)) ? writes : reads).push(
        this.numberOf(EVERYTHING),
      );
    return { writes, reads };
  }

  /** Whether messages of the same channel are delivered in the order in which they were sent. */
  isOrdered({ from, process, lane }: Deliver): boolean {
    return linkRules(this.declaration, from, process, lane).order === 'fifo';
  }

  /** Whether messages may be held back: then any event may enable others, so all of them depend on one another. */
  private hasHeld({ recording }: Session): boolean {
    return this.declaration.faults.holds > 0 && recording.events.since(0).some(({ kind }) => kind === 'hold');
  }

  private localNumber(process: string): number {
    const number = this.numberOf(process);
    this.local.add(number);
    return number;
  }

  /** Whether two events conflict only in states of processes, or in the black box of a crash. */
  isOnlyLocal(one: Footprint, other: Footprint): boolean {
    return (
      !this.isShared(one.writes, other.writes) &&
      !this.isShared(one.writes, other.reads) &&
      !this.isShared(one.reads, other.writes)
    );
  }

  private isShared(some: readonly number[], others: readonly number[]): boolean {
    return some.some((resource) => others.includes(resource) && !this.isLocal(resource));
  }

  /** Whether a resource is the state of a process. */
  private isLocal(resource: number): boolean {
    return this.local.has(resource);
  }

  /**
   * Whether the histories of processes already determine the order in which a resource was touched. A black-box crash
   * is in no history.
   */
  isInHistories(resource: number): boolean {
    return this.isLocal(resource) && this.nameOf(resource) !== EVERYTHING;
  }

  /** The resources that are states of processes. */
  get localNames(): string[] {
    return [...this.local].map((number) => this.nameOf(number));
  }

  addLocal(resources: readonly string[]): void {
    for (const resource of resources) this.localNumber(resource);
  }

  nameOf(number: number): string {
    return this.names[number] as string;
  }

  numberOf(resource: string): number {
    let number = this.numbers.get(resource);
    if (number !== undefined) return number;
    number = this.names.push(resource) - 1;
    this.numbers.set(resource, number);
    return number;
  }

  /**
   * In virtual time, the future depends on every timer, and handlers can read the common clock. Events on links and
   * messages could be independent of more events; they are rare, and this is safe.
   */
  private isOfEverything({ kind }: Event): boolean {
    if (this.isOrderSeen || this.declaration.timers !== 'any' || ofEverything.has(kind)) return true;
    return (this.isIntricate || this.isBlackBox) && lifecycle.has(kind);
  }

  private addEvent(event: Event, session: Session, writes: number[], reads: number[]): void {
    if (event.process !== ENVIRONMENT) writes.push(this.localNumber(event.process));
    if (this.isPlain) return;
    if (session.world.failure?.process === event.process) this.addEnd(event.process, writes, reads);
    switch (event.kind) {
      case 'deliver':
        if (this.isCutOffByCrash) reads.push(this.numberOf(`sent by ${event.from}`));
        break;
      case 'crash':
        this.addEnd(event.process, writes, reads);
        break;
      case 'stop':
        // Messages in flight to the process are treated like later ones, and those that it has sent arrive. But without
        // the stop, nothing would come back.
        if (this.semantics.isReturned) writes.push(this.numberOf(`life of ${event.process}`));
        this.addNotices(event.process, writes, reads);
        break;
      case 'start':
        // Messages wait for a declared process that has not started, so the time of its start does not matter.
        if (event.of === undefined && this.semantics.isUnnoticed) break;
        writes.push(this.numberOf(`life of ${event.process}`));
        break;
      case 'restart':
        if (!this.semantics.isAlwaysKept) writes.push(this.numberOf(`life of ${event.process}`));
        if (this.semantics.isReported) this.addNotices(event.process, writes, reads);
        break;
      default:
      // Touches its process only, or everything.
    }
  }

  private get isCutOffByCrash(): boolean {
    return this.hasLives && this.semantics.isCutOff;
  }

  private addEnd(process: string, writes: number[], reads: number[]): void {
    if (!this.semantics.isCrashSilent) writes.push(this.numberOf(`life of ${process}`));
    if (this.isCutOffByCrash) writes.push(this.numberOf(`sent by ${process}`));
    this.addNotices(process, writes, reads);
  }

  /** Running processes are notified. */
  private addNotices(process: string, writes: number[], reads: number[]): void {
    if (this.semantics.isUnnoticed) return;
    writes.push(this.numberOf(`life of ${process}`));
    for (const name of this.declaration.processes.keys()) reads.push(this.numberOf(`life of ${name}`));
  }

  private addSend(made: Internal, reads: number[]): void {
    // A message comes back because of its receiver.
    if (this.hasLives) reads.push(this.numberOf(`life of ${made.kind === 'return' ? made.to : made.process}`));
  }
}

/** Whether a thread may skip an item: only lifecycle events can be refused. */
const mayPassOver = (threads: Environment['threads']): boolean =>
  threads.some(
    ({ passesOver, items }) =>
      passesOver === true && items.some(({ kind }) => lifecycle.has(kind as Event['kind']) || kind === 'start'),
  );

/** The events that were made since the mark: pending, or lost at once. */
export function* madeSince({ world, recording }: Session, since: Mark): Generator<Internal> {
  for (const event of world.pending) if (event.cause >= since.events) yield event;
  for (const note of recording.notes.since(since.notes))
    if (note.kind === 'dropped' && note.message.cause >= since.events) yield note.message;
}

/** The consequences of a transport's rules for processes that come and go. */
export interface TransportSemantics {
  /** Whether processes get reports on links, which depend on the lives of both ends. */
  readonly isReported: boolean;
  /** Whether no process gets a notice of a crash, or a report on a link. */
  readonly isUnnoticed: boolean;
  /** Whether a message sent before a crash of its receiver fares like one sent after it. */
  readonly isCrashSilent: boolean;
  /** Whether the presence of the receiver makes no difference at all. */
  readonly isAlwaysKept: boolean;
  /** Whether a crash drops the messages that the process has sent. */
  readonly isCutOff: boolean;
  /** Whether messages come back to their senders. */
  readonly isReturned: boolean;
}

function transportSemanticsOf(declaration: Declaration): TransportSemantics {
  const { toAbsent, onCrash } = declaration.transport;
  const isReported = hasReports(declaration);
  const isUnnoticed = onCrash.notice === undefined && !isReported;
  const isCrashSilent = isUnnoticed && toAbsent === onCrash.to;
  return {
    isReported,
    isUnnoticed,
    isCrashSilent,
    isAlwaysKept: isCrashSilent && toAbsent === 'keep',
    isCutOff: onCrash.from === 'drop',
    isReturned: toAbsent === 'return',
  };
}
