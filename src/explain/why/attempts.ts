import type { Counterfactuals, TriedChange } from './counterfactuals.ts';
import type { Bound, Overtaking, Races } from '../../schedule/reversible-races.ts';
import { outcomeOf, type ChangeOutcome } from './outcome.ts';
import { isConsequence, type Event } from '../../trace/event.ts';
import type { Violated } from '../../trace/verdict.ts';
import type { Counterfactual } from '../../trace/why.ts';

/**
 * A change that was tried, or turned out to be impossible. Events are indices; indices beyond the recording are events
 * that never happened in it.
 */
export interface WhyAttempt {
  readonly change: Counterfactual['change'];
  readonly event: number;
  readonly before: number | undefined;
  readonly along: readonly number[];
  readonly outcome: ChangeOutcome;
  /** Whether both events happen at the same process. */
  readonly isDirect: boolean;
  readonly isDelayed: boolean;
  /** Why the change is impossible, if that is known without an execution. */
  readonly why: Bound['why'] | undefined;
  readonly tried: TriedChange | undefined;
  /** The number of events that move, are added, are left out, or no longer happen. */
  readonly distance: number;
}

/** Adding an event costs more than moving one, because it never happened in the recording. */
const COST: Readonly<Record<WhyAttempt['change'], number>> = { without: 1, earlier: 1, added: 2 };

/** The execution that is changed. */
export interface Subject {
  /** The recorded events, then events that could have happened as well. */
  readonly events: readonly Event[];
  /** The number of recorded events. */
  readonly count: number;
  /** The first event that may be changed. */
  readonly from: number;
  readonly violation: Violated;
}

/** Called after every schedule: whether the budget is spent. */
export type IsOver = () => Promise<boolean>;

/**
 * Tries changes one by one, from the end of the execution, where the violation is. Changes with the smallest effect
 * come first.
 */
export class Attempts {
  readonly list: WhyAttempt[] = [];

  constructor(
    private readonly subject: Subject,
    private readonly counterfactuals: Counterfactuals,
    private readonly races: Races,
    private readonly isOver: IsOver,
  ) {}

  /** True if all changes were tried. */
  async run(): Promise<boolean> {
    const { events, count, from } = this.subject;
    const happened = Array.from({ length: count - from }, (_, at) => count - 1 - at).filter(
      (at) => !isConsequence(events[at] as Event, events),
    );
    for (const event of happened) if (!(await this.leaveOut(event))) return false;
    const extra = [...events.keys()].slice(count).filter((at) => (events[at] as Event).cause >= from);
    if (!(await this.overtakeInTurns([...happened, ...extra]))) return false;
    for (const event of happened) if (!(await this.overtakeApart(event))) return false;
    return true;
  }

  private async leaveOut(event: number): Promise<boolean> {
    const tried = await this.counterfactuals.without(event);
    const outcome = this.outcome(tried);
    const isDelayed = outcome === 'holds' && this.outcome(await this.counterfactuals.last(event, tried)) === 'violated';
    this.add({ change: 'without', event, before: undefined, along: [], outcome, isDelayed }, tried);
    return !(await this.isOver());
  }

  /**
   * Moves every event before the previous event of its process. An event for which that made no difference is moved
   * further.
   */
  private async overtakeInTurns(events: readonly number[]): Promise<boolean> {
    let waiting = events.map((event) => ({ races: this.races.direct(event), isFirst: true }));
    while (waiting.length > 0) {
      const left: typeof waiting = [];
      for (const { races, isFirst } of waiting) {
        const step = races.next();
        if (step.done === true || this.isTooEarly(step.value)) continue;
        const isDecided = await this.overtake(step.value, isFirst);
        if (await this.isOver()) return false;
        if (!isDecided) left.push({ races, isFirst: false });
      }
      waiting = left;
    }
    return true;
  }

  private isTooEarly({ before }: Overtaking | Bound): boolean {
    return before < this.subject.from;
  }

  /** Whether the move makes a difference. If it does not, only the first move of an event is reported. */
  private async overtake(overtaking: Overtaking | Bound, isFirst: boolean): Promise<boolean> {
    const { event, before } = overtaking;
    const change = event < this.subject.count ? 'earlier' : 'added';
    const isReported = isFirst && change === 'earlier';
    const attempt = { change, event, before, along: [], isDirect: true } as const;
    if ('why' in overtaking) {
      if (isReported) this.add({ ...attempt, outcome: 'impossible', why: overtaking.why }, undefined);
      return false;
    }
    const tried = await this.counterfactuals.earlier(overtaking);
    const outcome = this.outcome(tried);
    const isDecided = outcome !== 'impossible' && outcome !== 'violated';
    if (isDecided || isReported) this.add({ ...attempt, along: overtaking.along, outcome }, tried);
    return isDecided;
  }

  /**
   * Moves an event before events of other processes, until that makes a difference. Moves without a difference are not
   * reported.
   */
  private async overtakeApart(event: number): Promise<boolean> {
    for (const overtaking of this.races.apart(event)) {
      if (this.isTooEarly(overtaking)) return true;
      const tried = await this.counterfactuals.earlier(overtaking);
      const outcome = this.outcome(tried);
      const isDecided = outcome !== 'impossible' && outcome !== 'violated';
      if (isDecided) this.add({ change: 'earlier', ...overtaking, outcome, isDirect: false }, tried);
      if (await this.isOver()) return false;
      if (isDecided) return true;
    }
    return true;
  }

  private outcome({ verdict }: TriedChange): ChangeOutcome {
    return outcomeOf(verdict, this.subject.violation);
  }

  private add(
    attempt: Pick<WhyAttempt, 'change' | 'event' | 'before' | 'along' | 'outcome'> & Partial<WhyAttempt>,
    tried: TriedChange | undefined,
  ): void {
    const distance = COST[attempt.change] + attempt.along.length + (tried?.missed.length ?? 0);
    this.list.push({ isDirect: true, isDelayed: false, why: undefined, ...attempt, tried, distance });
  }
}
