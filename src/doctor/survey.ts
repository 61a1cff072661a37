import { Coverage, type CoverageReport } from '../coverage/coverage.ts';
import { CoverageSampler, type Marks } from '../coverage/coverage-sample.ts';
import { typeOf } from '../trace/event-subject.ts';
import type { Faults } from '../kernel/declaration.ts';
import { Pause, type Session, type Strategy } from '../kernel/ports.ts';
import type { Listener } from '../execution/record.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { isInternal, type Event, type External, type Internal } from '../trace/event.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';

/** The deliveries of one message type. */
export interface Deliveries {
  count: number;
  /** Whether one of them had an effect: changed a state, sent, set, canceled or logged something. */
  hadEffect: boolean;
}

/** Observes executions, and notes what they exercise. */
export class Survey {
  private readonly sampler: CoverageSampler;
  private readonly marks: Marks;
  /** Declared faults that were possible at some point. */
  readonly offered = new Set<keyof Faults>();
  /** Processes that received a message, or at which a timer or operation completed. */
  readonly busy = new Set<string>();
  /** Kinds of processes that joined or were spawned. */
  readonly kinds = new Set<string>();
  readonly messages = new Map<string, Deliveries>();
  private readonly declared: readonly (keyof Faults)[];
  private session: Session | undefined;
  /** The events that were pending beside the delivery that is about to happen. */
  private before: ReadonlySet<Internal> | undefined;

  constructor({ declaration, sometimes }: ResolvedSystem) {
    this.marks = sometimes;
    this.sampler = new CoverageSampler(sometimes);
    this.declared = (Object.keys(declaration.faults) as (keyof Faults)[]).filter(
      (fault) => declaration.faults[fault] > 0,
    );
  }

  coverage(): CoverageReport {
    const coverage = new Coverage(this.marks);
    coverage.add(this.sampler.seen);
    return coverage.report();
  }

  get listener(): Listener {
    return {
      opened: (session) => (this.session = session),
      line: (line) => this.line(line, this.session as Session),
    };
  }

  around(strategy: Strategy): Strategy {
    return {
      next: (session) => {
        this.lookAtFaults(session);
        const chosen = strategy.next(session);
        this.before = chosen === undefined || chosen instanceof Pause ? undefined : this.pendingBefore(chosen, session);
        return chosen;
      },
    };
  }

  /** Adds a complete execution. */
  add({ events }: Trace): void {
    this.sampler.add(this.session as Session);
    for (const line of events) {
      if ('of' in line && line.of !== undefined) this.kinds.add(line.of);
      else if (isInternal(eventOf(line))) this.busy.add(line.process);
    }
  }

  get faultsNeverOffered(): readonly (keyof Faults)[] {
    return this.declared.filter((fault) => !this.offered.has(fault));
  }

  private lookAtFaults(session: Session): void {
    if (this.offered.size === this.declared.length) return;
    for (const { kind } of session.faults()) {
      const fault = faultOf[kind];
      if (fault !== undefined) this.offered.add(fault);
    }
  }

  private pendingBefore(chosen: Internal | External, session: Session): ReadonlySet<Internal> | undefined {
    // A reply goes to code that awaits it, so it has an effect.
    if (chosen.kind !== 'deliver' || chosen.reply !== 0) return undefined;
    if (this.messages.get(typeOf(chosen))?.hadEffect === true) return undefined;
    return new Set(session.world.pending.filter((event) => event !== chosen));
  }

  private line(line: EventLine, session: Session): void {
    this.sampler.observe?.(session);
    if (line.kind !== 'deliver') return;
    const type = typeOf(line);
    const seen = this.messages.get(type) ?? { count: 0, hadEffect: false };
    this.messages.set(type, seen);
    seen.count += 1;
    if (this.before === undefined || didSomething(line, session, this.before)) seen.hadEffect = true;
  }
}

/** Whether a delivery had a visible effect. Suspended code may have one later. */
function didSomething(
  { changes, log, output, dropped }: EventLine,
  { world, fork }: Session,
  before: ReadonlySet<Internal>,
): boolean {
  if (changes !== undefined || log !== undefined || output !== undefined || dropped !== undefined) return true;
  return (
    fork === undefined || world.pending.length !== before.size || world.pending.some((event) => !before.has(event))
  );
}

const faultOf: { readonly [K in Event['kind']]?: keyof Faults } = {
  crash: 'crashes',
  restart: 'restarts',
  cut: 'partitions',
  lose: 'losses',
  duplicate: 'duplicates',
  hold: 'holds',
  pause: 'pauses',
};
