import { ReplayStrategy } from '../schedule/replay/exact-replay.ts';
import type { OracleReads } from './dependence/oracle-reads.ts';
import { execution, type Steps } from '../kernel/loop.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { allOf } from '../oracles/all-of.ts';
import { named } from '../oracles/named-oracle.ts';
import { invariantOracle, noUncaughtException } from '../oracles/invariants.ts';
import type { Origin } from '../execution/record.ts';
import { actors } from '../hosts/actor/target.ts';
import { hex, mixHi, mixLo, type Digest } from '../trace/digest.ts';
import type { Event, External } from '../trace/event.ts';
import type { Verdict, Violated } from '../trace/verdict.ts';

/**
 * Judges executions that share their beginnings. Oracles that remember nothing are asked at every world, once; the others
 * about whole executions, which are executed again for them.
 */
export class Verdicts {
  /** Why an execution could not be judged, the first time. */
  whyUnknown: string | undefined;
  /** The first execution that has ended. */
  first: readonly Event[] | undefined;
  private readonly atOnce: Oracle;
  private readonly remembering: Oracle | undefined;
  readonly fingerprints = new Set<string>();
  private violations: (readonly Event[])[] = [];
  /** Names of executions that led to a violated world; what is wrong with how one ends is nothing that others have. */
  readonly violated = new Set<string>();
  /** After how many events the execution under way was violated: what comes later is not judged. Each plan has its own. */
  violatedAt = Number.POSITIVE_INFINITY;
  private readonly waiting: (readonly Event[])[] = [];
  private hasBegun = false;
  /** Whether the starts alone violate something: then there is nothing else to judge. */
  private isOver = false;

  constructor(
    private readonly origin: Origin,
    private readonly observed: OracleReads,
  ) {
    const { invariants, oracles } = origin.system;
    const all = [...oracles].map(([name, oracle]) => named(name, oracle));
    this.atOnce = allOf(
      noUncaughtException,
      invariantOracle(invariants),
      ...all.filter((oracle) => oracle.begin === undefined),
    );
    const remembering = all.filter((oracle) => oracle.begin !== undefined);
    this.remembering = remembering.length === 0 ? undefined : allOf(...remembering);
  }

  /** Whether it matters how executions end: otherwise, what begins another execution need not be one of its own. */
  get judgesEnds(): boolean {
    const { invariants, oracles } = this.origin.system;
    const isSampled = [...invariants.values()].some((invariant) => typeof invariant !== 'function');
    return isSampled || [...oracles.values()].some((oracle) => oracle.begin !== undefined || oracle.end !== undefined);
  }

  /** Whether an oracle goes by what happened before. */
  get remembers(): boolean {
    return this.remembering !== undefined;
  }

  /** Whether what it says of an execution may depend on the order of independent events. */
  get remembersOrder(): boolean {
    const { oracles } = this.origin.system;
    return [...oracles.values()].some((oracle) => oracle.begin !== undefined && oracle.ignoresOrder !== true);
  }

  get countsRounds(): boolean {
    return [...this.origin.system.oracles.values()].some(({ fairRounds }) => fairRounds !== undefined);
  }

  /** Whether somebody else's oracle says that order makes no difference to it. */
  get trustsOracles(): boolean {
    const { oracles } = this.origin.system;
    return [...oracles.values()].some(
      ({ ignoresOrder, fairRounds }) => ignoresOrder === true && fairRounds === undefined,
    );
  }

  /** Judges the worlds before and between the first starts: they are the same in all executions. */
  *begin(): Steps<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { system, seed } = this.origin;
    const { items, startsFirst } = system.plan(seed);
    const session = actors(system).open(seed);
    for (const start of items.slice(0, startsFirst) as External[]) {
      this.take(this.atOnce.judge(session.world, session.world.last), session);
      this.isOver = this.violatedAt === session.world.length;
      if (this.isOver) return;
      const pending = session.perform(start);
      if (pending !== undefined) yield pending;
    }
  }

  /** A world that was not there before. */
  arrived(session: Session): void {
    if (this.isOver) return;
    const { length, last } = session.world;
    if (length <= this.violatedAt) this.violatedAt = Number.POSITIVE_INFINITY;
    else return;
    const verdict = this.atOnce.judge(this.observed.watch(session.world), this.observed.watchLast(last));
    this.take(verdict, session);
    if (verdict.kind === 'violated') this.violated.add(namesOf(session.recording.events.since(0)).at(-1) as string);
  }

  ended(session: Session, ending: string): void {
    this.first ??= session.recording.events.since(0);
    if (this.isOver || session.world.length > this.violatedAt || ending === 'blocked') return;
    const isQuiet = ending === 'finished' && session.enabled.length === 0;
    this.take(this.atOnce.end?.(this.observed.watchEnd(session.world), isQuiet) ?? { kind: 'holds' }, session);
    if (this.remembering !== undefined) this.waiting.push(session.recording.events.since(0));
  }

  /** Asks the oracles that remember about the executions that have ended. */
  *deliberate(): Steps<void> {
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
    const session = actors(this.origin.system).open(this.origin.seed);
    const steps = execution(session, {
      strategy: new ReplayStrategy(events),
      oracle: this.remembering as Oracle,
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

  /** Whether a world on the way is violated. Searches that go from world to world go on from those that are, as from any. */
  private isFollowUp(events: readonly Event[]): boolean {
    return namesOf(events)
      .slice(0, -1)
      .some((name) => this.violated.has(name));
  }
}

/** Names of an execution, and of all that it began with, the shortest first. */
function namesOf(events: readonly Event[]): string[] {
  let digest: Digest = { hi: 0, lo: 0 };
  return [
    hex(digest),
    ...events.map(({ hi, lo }) => hex((digest = { hi: mixHi(digest.hi, hi), lo: mixLo(digest.lo, lo) }))),
  ];
}
