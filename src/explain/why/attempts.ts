import type { Counterfactuals, TriedChange } from './counterfactuals.ts';
import type { Bound, Overtaking, Races } from '../../schedule/reversible-races.ts';
import { outcomeOf, type ChangeOutcome } from './outcome.ts';
import { isConsequence, type Event } from '../../trace/event.ts';
import type { Violated } from '../../trace/verdict.ts';
import type { Counterfactual } from '../../trace/why.ts';

/** A change that was tried, or could not be. Events are indices; those beyond the recording never happened in it. */
export interface WhyAttempt {
  readonly change: Counterfactual['change'];
  readonly event: number;
  readonly before: number | undefined;
  readonly along: readonly number[];
  readonly outcome: ChangeOutcome;
  /** Whether both happen to the same process. */
  readonly isDirect: boolean;
  readonly isPutOff: boolean;
  /** Why it cannot be, as far as that was known beforehand. */
  readonly why: Bound['why'] | undefined;
  readonly tried: TriedChange | undefined;
  /** How many events move, are added, are left out, or no longer happen. */
  readonly distance: number;
}

/** To move something is one change; to add it is another one, as it never happened. */
const COST: Readonly<Record<WhyAttempt['change'], number>> = { without: 1, earlier: 1, added: 2 };

/** What is changed, and what of. */
export interface Subject {
  /** What happened, then what might have happened as well. */
  readonly events: readonly Event[];
  /** How many of them happened. */
  readonly count: number;
  /** The first event that is changed. */
  readonly from: number;
  readonly violation: Violated;
}

/** Asked after every schedule: whether there is nothing left to spend. */
export type IsOver = () => Promise<boolean>;

/** Tries one change after the other, from the end, where the violation is; what makes least difference first. */
export class Attempts {
  readonly list: WhyAttempt[] = [];

  constructor(
    private readonly subject: Subject,
    private readonly counterfactuals: Counterfactuals,
    private readonly races: Races,
    private readonly isOver: IsOver,
  ) {}

  /** Whether all of them could be tried. */
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
    const isPutOff = outcome === 'holds' && this.outcome(await this.counterfactuals.last(event, tried)) === 'violated';
    this.add({ change: 'without', event, before: undefined, along: [], outcome, isPutOff }, tried);
    return !(await this.isOver());
  }

  /** Every event overtakes what happened to its process just before; those to which that makes no difference go on. */
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

  /** Whether it makes a difference. Where it does not, only the nearest one is worth a word. */
  private async overtake(overtaking: Overtaking | Bound, isFirst: boolean): Promise<boolean> {
    const { event, before } = overtaking;
    const change = event < this.subject.count ? 'earlier' : 'added';
    const isTold = isFirst && change === 'earlier';
    const attempt = { change, event, before, along: [], isDirect: true } as const;
    if ('why' in overtaking) {
      if (isTold) this.add({ ...attempt, outcome: 'impossible', why: overtaking.why }, undefined);
      return false;
    }
    const tried = await this.counterfactuals.earlier(overtaking);
    const outcome = this.outcome(tried);
    const isDecided = outcome !== 'impossible' && outcome !== 'violated';
    if (isDecided || isTold) this.add({ ...attempt, along: overtaking.along, outcome }, tried);
    return isDecided;
  }

  /** What happens elsewhere is overtaken until that makes a difference; what makes none is not worth a word. */
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
    this.list.push({ isDirect: true, isPutOff: false, why: undefined, ...attempt, tried, distance });
  }
}
