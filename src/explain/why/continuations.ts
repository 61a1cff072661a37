import { RandomContinuation, type RestOfExecution } from '../../schedule/random-continuation.ts';
import { ReplayThen } from '../../schedule/replay/exact-replay.ts';
import { judging, verdictOfError, type Judge } from '../../execution/run-and-judge.ts';
import { carefully, drive } from '../../kernel/drive.ts';
import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import { TimedOut } from '../../kernel/user-code/time-limit.ts';
import type { Session } from '../../kernel/ports.ts';
import { Random } from '../../kernel/data/random.ts';
import type { Checkpoints } from '../../execution/prefix-sessions.ts';
import { checkpointsOf, opened } from './sessions.ts';
import { outcomeOf, type ChangeOutcome } from './outcome.ts';
import type { Origin } from '../../execution/record.ts';
import { externalOf, isConsequence, isInternal, type Event, type External } from '../../trace/event.ts';
import type { Verdict, Violated } from '../../trace/verdict.ts';
import type { Odds } from '../../trace/why.ts';

/**
 * The first so many continuations decide which race matters, and whether the order matters at all. Further ones only make the shown odds
 * more precise, so that a short explanation, which samples no more, gives the same answer as a thorough one.
 */
export const DECIDING = 20;

/** The odds after some events: of all continuations, and of those that decide. */
export interface SampledOdds {
  readonly all: Odds;
  readonly deciding: Odds;
}

/** How continuations are sampled. */
export interface Counting {
  readonly continuations: number;
  readonly seed: number;
  readonly violation: Violated;
}

/** The current sample, and the results so far. */
interface Tally {
  sample: number;
  session: Session | undefined;
  readonly counts: Map<ChangeOutcome, number>;
  /** The results of the continuations that decide, when there are so many. */
  deciding: ReadonlyMap<ChangeOutcome, number> | undefined;
}

const counted: readonly ChangeOutcome[] = ['violated', 'other', 'unknown'];

/** The length of continuations: twice the recording and a few events more, up to a limit. */
export const horizonOf = (events: number): number => Math.min(HORIZON_MAX, 2 * events + 20);

const HORIZON_MAX = 500;

/** Samples random continuations of an execution. */
export class Continuations {
  /** The number of executed continuations. */
  schedules = 0;
  private readonly checkpoints: Checkpoints | undefined;

  constructor(
    private readonly origin: Origin,
    private readonly recorded: readonly Event[],
    private readonly judge: Judge,
    private readonly counting: Counting,
  ) {
    this.checkpoints = checkpointsOf(origin, recorded, judge);
  }

  /** The odds after this many events. */
  async after(count: number): Promise<SampledOdds> {
    const { continuations: sampled } = this.counting;
    const tally: Tally = { sample: 0, session: undefined, counts: new Map(), deciding: undefined };
    // All samples begin with these events. They may take longer than the time limit of one handler, which they share otherwise.
    this.checkpoints?.upTo(count);
    while (tally.sample < sampled) {
      try {
        await this.sampleInTime(count, tally);
      } catch (error) {
        if (tally.session === undefined) throw error;
        this.add(tally, verdictOfError(error, tally.session));
      }
    }
    const all = oddsIn(tally.counts, count, sampled);
    return { all, deciding: tally.deciding === undefined ? all : oddsIn(tally.deciding, count, DECIDING) };
  }

  /** If the time limit ends a sample, that sample is executed again by itself. */
  private async sampleInTime(count: number, tally: Tally): Promise<void> {
    const { handlerMs } = this.judge;
    try {
      await drive(this.samples(count, tally), handlerMs);
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      await carefully(() => this.sample(count, tally, true), handlerMs);
    }
  }

  /** Many samples share one time limit: watching each of them would take longer than executing it. */
  private *samples(count: number, tally: Tally): Steps<void> {
    const slice = new TimeSlice();
    while (tally.sample < this.counting.continuations) {
      yield* this.sample(count, tally);
      if (slice.isOver()) yield undefined;
    }
  }

  private *sample(count: number, tally: Tally, isCareful = false): Steps<void> {
    const next = this.rest(count);
    const onwards = new RandomContinuation(Random.seeded(this.counting.seed + tally.sample, 0x6f6e_7761 + count), next);
    const fork = this.checkpoints?.upTo(count);
    const strategy = fork === undefined ? new ReplayThen(this.recorded, count, onwards) : onwards;
    tally.session = fork ?? opened(this.origin);
    this.add(tally, yield* judging({ session: tally.session, strategy }, this.judge, next.enough, { isCareful }));
  }

  private add(tally: Tally, verdict: Verdict | undefined): void {
    const outcome = outcomeOf(verdict, this.counting.violation);
    tally.counts.set(outcome, (tally.counts.get(outcome) ?? 0) + 1);
    // Explanations are of systems in memory, which are closed at once.
    void tally.session?.close();
    tally.sample += 1;
    if (tally.sample === DECIDING) tally.deciding = new Map(tally.counts);
    this.schedules += 1;
  }

  private rest(count: number): Required<RestOfExecution> {
    const { weights } = this.origin.system;
    const later = this.recorded.slice(count);
    const externals = later.flatMap((event): External[] =>
      isInternal(event) || isConsequence(event, this.recorded) ? [] : [externalOf(event)],
    );
    const first = Math.max(0, this.recorded.findIndex(({ kind }) => kind !== 'start') - count);
    // With fair rounds at the end, the random part need not be longer than the recording.
    const enough = this.judge.fair === undefined ? count + horizonOf(this.recorded.length) : this.recorded.length;
    return { externals, first, weights, enough, refused: 'wait' };
  }
}

function oddsIn(counts: ReadonlyMap<ChangeOutcome, number>, after: number, sampled: number): Odds {
  const [violated = 0, other = 0, unknown = 0] = counted.map((outcome) => counts.get(outcome) ?? 0);
  return { after, violated, other, unknown, sampled };
}
