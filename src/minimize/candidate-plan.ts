import type { JobSource } from '../workers/pool.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Tried } from './candidate-executor.ts';
import { CandidateBase, isShorter, type CandidateAnswer, type CandidateJob } from './candidate-jobs.ts';
import { keyOf } from './candidates.ts';
import type { CandidateSchedule, Failing } from './pass.ts';

/** The time that a piece should take: long enough for handing it out to cost little, short enough to be called off. */
const PIECE_MS = 10;

/** A piece has at most so many candidates: all of them exist at a time. */
const PIECE_MAX = 64;

/** A candidate, and its key. */
export interface Planned {
  readonly key: string;
  readonly candidate: CandidateSchedule;
}

/** What other threads have to know of a plan. */
export interface SharedPlan {
  /** The violation that is minimized now. */
  readonly violation: () => Violated;
  /** Shared memory with the number of the newest round. */
  readonly newest: Int32Array;
}

/**
 * The candidate that a pass asks about, and those that it asks about next if it accepts no answer. Threads execute them in pieces, in any
 * order, and answers are taken in the order of the questions. So it makes no difference how many threads there are, and how much was
 * executed in vain.
 */
export class CandidatePlan implements JobSource<CandidateJob, CandidateAnswer> {
  readonly held = 2;
  /** The number of candidates that were executed. */
  executed = 0;
  private round = 0;
  /** Planned and not claimed: those that came back, before those that were not looked at yet. */
  private readonly waiting: Planned[] = [];
  private upcoming: Iterator<CandidateSchedule> | undefined;
  /** Those that other threads execute, and those that only this thread can. */
  private readonly elsewhere = new Set<string>();
  private readonly ours = new Set<string>();
  private readonly arrived = new Map<string, Tried>();
  /** A result that the pass is likely to accept: until then, nothing else is worth executing. */
  private shorter: string | undefined;
  private readonly given = new WeakMap<CandidateJob, readonly Planned[]>();
  private claims = 0;
  private candidateMs = PIECE_MS;
  private base = new CandidateBase(0, { events: [], targets: new Map() });
  private bases = 0;
  private length = 0;

  constructor(
    /** Whether the answer to a candidate is known. */
    private readonly isKnown: (key: string) => boolean,
    /** What other threads have to know, if there are any. */
    private readonly shared: SharedPlan | undefined,
  ) {}

  /** The pass continues with another execution, or looks for another violation: nothing that is under way counts. */
  rebase(failing: Pick<Failing, 'events' | 'targets'>): void {
    this.base = new CandidateBase(++this.bases, failing);
    this.length = failing.events.length;
    this.forget();
  }

  /** Forgets all results. */
  forget(): void {
    this.arrived.clear();
    this.begin(undefined);
  }

  /** The pass asks about this candidate. If it was not expected, what follows it is the new plan. */
  ask({ key, candidate }: Planned): void {
    if (this.isUnderWay(key)) return;
    const place = this.waiting.findIndex((one) => one.key === key);
    if (place >= 0) this.waiting.splice(place, 1);
    else this.begin(candidate.upcoming?.candidates);
    this.lookAhead();
  }

  /** The result of a candidate, if it has arrived. It is given once, and executed again for another question. */
  take(key: string): Tried | undefined {
    const tried = this.arrived.get(key);
    this.arrived.delete(key);
    if (this.shorter === key) this.shorter = undefined;
    return tried;
  }

  isElsewhere(key: string): boolean {
    return this.elsewhere.has(key);
  }

  /** The next candidates that no thread has claimed; with those that the caller has, they make a piece. */
  claim(has = 0): readonly Planned[] {
    const size = Math.min(2 ** (this.claims++ >> 1), PIECE_MAX, Math.max(1, Math.floor(PIECE_MS / this.candidateMs)));
    const piece: Planned[] = [];
    while (this.shorter === undefined && piece.length < size - has) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      piece.push(next);
      this.lookAhead();
    }
    return piece;
  }

  /** Adds the results of the first candidates of a piece. The others wait again. */
  put(piece: readonly Planned[], tried: readonly Tried[], tookMs: number): void {
    this.executed += tried.length;
    if (tried.length > 0) this.candidateMs = (this.candidateMs + tookMs / tried.length) / 2;
    for (const [at, { key }] of piece.entries()) {
      const result = tried[at];
      if (result === undefined) break;
      this.arrived.set(key, result);
      this.ours.delete(key);
      if (isShorter(result, this.length)) this.shorter ??= key;
    }
    this.waiting.unshift(...piece.slice(tried.length));
  }

  next(): CandidateJob | undefined {
    const violation = this.shared?.violation();
    const piece = violation === undefined ? [] : this.claim();
    if (violation === undefined || piece.length === 0) return undefined;
    const candidates = piece.map(({ candidate }) => candidate);
    const job = this.base.job(this.round, violation, candidates);
    if (job === undefined) {
      for (const { key } of piece) this.ours.add(key);
      return undefined;
    }
    this.given.set(job, piece);
    for (const { key } of piece) this.elsewhere.add(key);
    return job;
  }

  answered(job: CandidateJob, { tried, tookMs }: CandidateAnswer): undefined {
    if (job.round !== this.round) return;
    const piece = this.takenBack(job);
    const isCutShort = tried.length < piece.length && !tried.some((one) => isShorter(one, this.length));
    // Another thread could not execute it, so it is not given to one again.
    const failed = isCutShort ? piece[tried.length] : undefined;
    if (failed !== undefined) this.ours.add(failed.key);
    this.put(
      piece.filter((one) => one !== failed),
      tried,
      tookMs,
    );
  }

  giveBack(job: CandidateJob): void {
    this.answered(job, { tried: [], tookMs: 0 });
  }

  private takenBack(job: CandidateJob): readonly Planned[] {
    const piece = this.given.get(job) ?? [];
    for (const { key } of piece) this.elsewhere.delete(key);
    return piece;
  }

  private begin(upcoming: Iterable<CandidateSchedule> | undefined): void {
    this.round += 1;
    if (this.shared !== undefined) Atomics.store(this.shared.newest, 0, this.round);
    this.waiting.length = 0;
    this.elsewhere.clear();
    this.ours.clear();
    this.shorter = undefined;
    this.claims = 0;
    this.upcoming = upcoming?.[Symbol.iterator]();
  }

  /** At least one candidate waits, if there is one more: by it the next question is recognized. */
  private lookAhead(): void {
    while (this.waiting.length === 0) {
      const next = this.upcoming?.next();
      if (next === undefined || next.done === true) return;
      const planned = { key: keyOf(next.value), candidate: next.value };
      if (!this.isKnown(planned.key) && !this.isUnderWay(planned.key)) this.waiting.push(planned);
    }
  }

  private isUnderWay(key: string): boolean {
    return this.arrived.has(key) || this.elsewhere.has(key) || this.ours.has(key);
  }
}
