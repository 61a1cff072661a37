import { ReplayStrategy } from '../schedule/replay/exact-replay.ts';
import type { OracleReads } from './dependence/oracle-reads.ts';
import { execution, type Steps } from '../kernel/loop.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { allOf } from '../oracles/all-of.ts';
import { named } from '../oracles/named-oracle.ts';
import { invariantOracle, noUncaughtException } from '../oracles/invariants.ts';
import type { Origin } from '../execution/record.ts';
import { targetOf } from '../hosts/target.ts';
import { hex, mixHi, mixLo, type Digest } from '../trace/digest.ts';
import type { Event, External } from '../trace/event.ts';
import type { Verdict, Violated } from '../trace/verdict.ts';
import { remembers } from '../oracles/remembers.ts';

/**
 * Judges executions that share prefixes. Oracles without memory judge every world once. Oracles with memory judge whole
 * executions, which are executed again for them.
 */
export class Verdicts {
  /** The reason of the first unknown verdict. */
  whyUnknown: string | undefined;
  /** The first execution that has ended. */
  first: readonly Event[] | undefined;
  private readonly stateless: Oracle;
  private readonly stateful: Oracle | undefined;
  readonly fingerprints = new Set<string>();
  private violations: (readonly Event[])[] = [];
  /**
   * Names of execution prefixes that violate an invariant. Violations at the end of an execution are not carried over
   * to longer ones.
   */
  readonly violated = new Set<string>();
  /**
   * The number of events after which the current execution violated an oracle: later worlds are not judged. Each plan
   * has its own.
   */
  violatedAt = Number.POSITIVE_INFINITY;
  private readonly waiting: (readonly Event[])[] = [];
  private hasBegun = false;
  /** Whether the first starts alone violate something: then nothing else is judged. */
  private isOver = false;

  constructor(
    private readonly origin: Origin,
    private readonly oracleReads: OracleReads,
  ) {
    const { invariants, oracles } = origin.system;
    const all = [...oracles].map(([name, oracle]) => named(name, oracle));
    this.stateless = allOf(
      noUncaughtException,
      invariantOracle(invariants),
      ...all.filter((oracle) => !remembers(oracle)),
    );
    const stateful = all.filter(remembers);
    this.stateful = stateful.length === 0 ? undefined : allOf(...stateful);
  }

  /** Whether oracles judge the ends of executions. Otherwise, a prefix of another execution need not be explored separately. */
  get judgesEnds(): boolean {
    const { invariants, oracles } = this.origin.system;
    const isSampled = [...invariants.values()].some((invariant) => typeof invariant !== 'function');
    return isSampled || [...oracles.values()].some((oracle) => remembers(oracle) || oracle.end !== undefined);
  }

  /** Whether an oracle has a memory. */
  get remembers(): boolean {
    return this.stateful !== undefined;
  }

  /** Whether a verdict may depend on the order of independent events. */
  get remembersOrder(): boolean {
    const { oracles } = this.origin.system;
    return [...oracles.values()].some((oracle) => remembers(oracle) && oracle.ignoresOrder !== true);
  }

  get countsRounds(): boolean {
    return [...this.origin.system.oracles.values()].some(({ fairRounds }) => fairRounds !== undefined);
  }

  /** Whether an oracle of the user declares that order makes no difference to it. */
  get trustsOracles(): boolean {
    const { oracles } = this.origin.system;
    return [...oracles.values()].some(
      ({ ignoresOrder, fairRounds }) => ignoresOrder === true && fairRounds === undefined,
    );
  }

  /** Judges the worlds before and between the first starts, which are the same in all executions. */
  *begin(): Steps<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { system, seed } = this.origin;
    const { items, startsFirst } = system.plan(seed);
    const session = targetOf(system).open(seed);
    for (const start of items.slice(0, startsFirst) as External[]) {
      this.take(this.stateless.judge(session.world, session.world.last), session);
      this.isOver = this.violatedAt === session.world.length;
      if (this.isOver) return;
      const pending = session.perform(start);
      if (pending !== undefined) yield pending;
    }
  }

  /** Judges a new world. */
  arrived(session: Session): void {
    if (this.isOver) return;
    const { length, last } = session.world;
    if (length <= this.violatedAt) this.violatedAt = Number.POSITIVE_INFINITY;
    else return;
    const verdict = this.stateless.judge(this.oracleReads.watch(session.world), this.oracleReads.watchLast(last));
    this.take(verdict, session);
    if (verdict.kind === 'violated') this.violated.add(namesOf(session.recording.events.since(0)).at(-1) as string);
  }

  ended(session: Session, ending: string): void {
    this.first ??= session.recording.events.since(0);
    if (this.isOver || session.world.length > this.violatedAt || ending === 'blocked') return;
    const isQuiet = ending === 'finished' && session.enabled.length === 0;
    this.take(this.stateless.end?.(this.oracleReads.watchEnd(session.world), isQuiet) ?? { kind: 'holds' }, session);
    if (this.stateful !== undefined) this.waiting.push(session.recording.events.since(0));
  }

  /** Judges the ended executions by the oracles with memory. */
  *judgeEnded(): Steps<void> {
    for (const events of this.waiting.splice(0)) yield* this.again(events);
  }

  get hasViolations(): boolean {
    return this.violations.length > 0;
  }

  takeViolations(): (readonly Event[])[] {
    const taken = this.violations;
    this.violations = [];
    return taken;
  }

  private *again(events: readonly Event[]): Steps<void> {
    const session = targetOf(this.origin.system).open(this.origin.seed);
    const steps = execution(session, {
      strategy: new ReplayStrategy(events),
      oracle: this.stateful as Oracle,
      eventsMax: Number.POSITIVE_INFINITY,
    });
    const outcome = yield* steps;
    this.take(outcome.verdict, session);
  }

  private take(verdict: Verdict, session: Session): void {
    if (verdict.kind === 'unknown') this.whyUnknown ??= verdict.why;
    if (verdict.kind !== 'violated') return;
    this.violatedAt = session.world.length;
    this.add(verdict, session);
  }

  private add({ fingerprint, events }: Violated, { recording }: Session): void {
    const happened = recording.events.since(0).slice(0, events);
    if (this.isFollowUp(happened) || this.fingerprints.has(fingerprint)) return;
    this.fingerprints.add(fingerprint);
    this.violations.push(happened);
  }

  /**
   * Whether an earlier world of the execution violates an invariant. Stateful searches continue from such worlds as
   * from any other.
   */
  private isFollowUp(events: readonly Event[]): boolean {
    return namesOf(events)
      .slice(0, -1)
      .some((name) => this.violated.has(name));
  }
}

/** The names of all prefixes of an execution, the shortest first. */
function namesOf(events: readonly Event[]): string[] {
  let digest: Digest = { hi: 0, lo: 0 };
  return [
    hex(digest),
    ...events.map(({ hi, lo }) => hex((digest = { hi: mixHi(digest.hi, hi), lo: mixLo(digest.lo, lo) }))),
  ];
}
