import { Attempts, type WhyAttempt } from './attempts.ts';
import { Continuations, DECIDING, horizonOf, type SampledOdds } from './continuations.ts';
import { Counterfactuals } from './counterfactuals.ts';
import { answerOf } from './what-if.ts';
import { candidateRaces, mostEffective, type WeighedRace } from './rank-races.ts';
import { noReturnIn, turnIn } from './point-of-no-return.ts';
import type { ExplainWhyOptions } from './options.ts';
import { Races } from '../../schedule/reversible-races.ts';
import { ReplayDiverged, ReplayStrategy } from '../../schedule/replay/exact-replay.ts';
import { TIME_IS_UP, WhyBudget } from './budget.ts';
import type { Judge } from '../../execution/run-and-judge.ts';
import { diagnosed } from '../../determinism/not-deterministic.ts';
import { passingTrace } from './nearest-passing.ts';
import type { Origin } from '../../execution/record.ts';
import { judgeFor } from '../../execution/judge-for-violation.ts';
import { isConsequence, type Deliver, type Event, type Internal } from '../../trace/event.ts';
import type { Trace } from '../../trace/format.ts';
import { eventOf } from '../../trace/codec.ts';
import { type Violated, HOLDS } from '../../trace/verdict.ts';
import type { Counterfactual, Odds, Why } from '../../trace/why.ts';
import { describeChange } from './what-if.ts';
import { surely } from '../../kernel/drive.ts';
import { execution, type Steps } from '../../kernel/loop.ts';
import { linkRules } from '../../kernel/network/rules.ts';
import { targetOf } from '../../hosts/target.ts';

/** Longer executions are changed only at the end, and sampled only at some positions. */
const WHOLE_MAX = { changed: 300, sampled: 100 };

/**
 * For long executions: the number of evenly spread positions, and of positions before the end, where most is decided.
 */
const PLACES = 24;

/** The default limit on events, for all trials of changes and for all continuations: some seconds. */
const EVENTS_MAX = { changes: 600_000, odds: 200_000 };

const clamped = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, Math.floor(value)));

/** Explains one violation. */
export class Explainer {
  private readonly recorded: readonly Event[];
  private readonly judge: Judge;
  private readonly places: readonly number[];
  private readonly schedulesMax: number;
  private readonly counting: { readonly continuations: number; readonly seed: number; readonly violation: Violated };
  private readonly budget: WhyBudget;
  private readonly limits: string[] = [];

  constructor(
    private readonly origin: Origin,
    private readonly trace: Trace,
    private readonly violation: Violated,
    options: ExplainWhyOptions & { readonly seed: number; readonly seconds: number },
  ) {
    this.recorded = trace.events.map(eventOf);
    const { length } = this.recorded;
    this.judge = judgeFor(origin, violation);
    this.places = placesIn(this.recorded);
    this.schedulesMax = options.schedules ?? clamped(EVENTS_MAX.changes / length, 60, 3_000);
    const affordable = clamped(EVENTS_MAX.odds / (this.places.length * horizonOf(length)), 20, 100);
    const continuations = options.continuations ?? affordable - (affordable % 10);
    this.counting = { continuations, seed: options.seed, violation };
    this.budget = new WhyBudget(options);
  }

  async run(): Promise<Why> {
    const { recorded, origin, counting } = this;
    const events = [...recorded, ...(await undeliveredEvents(origin, recorded))];
    const counterfactuals = new Counterfactuals(origin, events, recorded.length, this.judge);
    const attempts = await this.changes(events, counterfactuals);
    for (const attempt of attempts) {
      await this.budget.report('changes', counterfactuals.schedules);
      await this.confirm(attempt, counterfactuals);
    }
    const sampled = await this.odds();
    const odds = sampled.map(({ all }) => all);
    const deciding = sampled.map((one) => one.deciding);
    const { oracle } = this.violation;
    const tell = (attempt: WhyAttempt): Counterfactual => describeChange(attempt, events, this.trace.events, oracle);
    const noReturn = noReturnIn(odds);
    const turn = turnIn(odds);
    const isAnyOrder = noReturnIn(deciding) === 0;
    const found = isAnyOrder ? undefined : await this.race(attempts, deciding, counterfactuals);
    const race = found && tell(found);
    const passing = await passingTrace(origin, attempts, found);
    const list = attempts.map(tell).sort(inOrder);
    return {
      oracle,
      answer: answerOf({ oracle, race, counterfactuals: list, start: isAnyOrder ? deciding[0] : undefined }),
      counterfactuals: list,
      ...(race === undefined ? {} : { race }),
      ...(passing === undefined ? {} : { nearest: passing.trace, nearestBy: tell(passing.attempt) }),
      odds,
      sampling: { continuations: counting.continuations, seed: counting.seed, how: this.samplingText },
      ...(turn === undefined ? {} : { turn }),
      ...(noReturn === undefined ? {} : { noReturn }),
      limits: this.limits,
    };
  }

  private async changes(events: readonly Event[], counterfactuals: Counterfactuals): Promise<readonly WhyAttempt[]> {
    const { length } = this.recorded;
    const last = length <= WHOLE_MAX.changed ? length : Math.max(20, Math.floor(this.schedulesMax / 6));
    const from = Math.max(0, length - last);
    if (from > 0) this.limits.push(`only the last ${last} of ${length} events were changed`);
    const { declaration } = this.origin.system;
    const isOrdered = (message: Deliver): boolean =>
      linkRules(declaration, message.from, message.process, message.lane).order === 'fifo';
    const subject = { events, count: length, from, violation: this.violation };
    const isOver = async (): Promise<boolean> =>
      (await this.budget.isOver('changes', counterfactuals.schedules)) ||
      counterfactuals.schedules >= this.schedulesMax;
    const attempts = new Attempts(subject, counterfactuals, new Races(events, length, isOrdered), isOver);
    if (!(await attempts.run()))
      this.limits.push(
        this.budget.isTimeUp
          ? `${TIME_IS_UP} before some changes were tried, after ${counterfactuals.schedules} schedules`
          : `some changes were not tried: the limit of ${counterfactuals.schedules} schedules was reached`,
      );
    return attempts.list;
  }

  /** Every reported result was executed twice, the second time from the start. */
  private async confirm({ tried, outcome }: WhyAttempt, counterfactuals: Counterfactuals): Promise<void> {
    if (tried === undefined || outcome === 'impossible' || (await counterfactuals.isReproduced(tried))) return;
    const { events } = tried;
    const what = 'the same events had different effects on re-execution.';
    throw await diagnosed(new ReplayDiverged(events.length, what), this.origin, events);
  }

  private async odds(): Promise<readonly SampledOdds[]> {
    const { length } = this.recorded;
    const continuations = new Continuations(this.origin, this.recorded, this.judge, this.counting);
    const odds: SampledOdds[] = [];
    for (const place of this.places) {
      if (await this.budget.isOver('odds', continuations.schedules)) {
        this.limits.push(`${TIME_IS_UP} before the odds from event ${place} on were sampled`);
        break;
      }
      odds.push(place === length ? this.atEnd : await continuations.after(place));
    }
    if (this.places.length <= length && length > WHOLE_MAX.sampled)
      this.limits.push(`the odds were sampled at ${this.places.length} of ${length + 1} positions`);
    return odds;
  }

  private get samplingText(): string {
    const { length } = this.recorded;
    const { fair } = this.judge;
    const until =
      fair === undefined
        ? `for at most ${horizonOf(length)} events`
        : `until there are ${length} events, then for ${fair.rounds} fair rounds`;
    return `chosen as in a hunt, with seed ${this.counting.seed}, ${until}; the environment only does what remains of the recording`;
  }

  /** At the end, the violation has happened: sampling is not needed. */
  private get atEnd(): SampledOdds {
    const { length: after } = this.recorded;
    const odds = (sampled: number): Odds => ({ after, violated: sampled, other: 0, unknown: 0, sampled });
    return { all: odds(this.counting.continuations), deciding: odds(this.deciding) };
  }

  private get deciding(): number {
    return Math.min(DECIDING, this.counting.continuations);
  }

  private async race(
    attempts: readonly WhyAttempt[],
    odds: readonly Odds[],
    counterfactuals: Counterfactuals,
  ): Promise<WhyAttempt | undefined> {
    const helpful = attempts.filter(({ change, outcome }) => change !== 'without' && outcome === 'holds');
    const weighed: WeighedRace<WhyAttempt>[] = [];
    for (const attempt of candidateRaces(helpful)) {
      if (await this.budget.isOver('odds', weighed.length)) {
        this.limits.push(`${TIME_IS_UP} before all races were weighed`);
        break;
      }
      weighed.push({ helpful: attempt, effect: await this.effect(attempt, odds, counterfactuals) });
    }
    return mostEffective(weighed);
  }

  /** How much a change lowers the odds, measured after the last event that the change moves. */
  private async effect(attempt: WhyAttempt, odds: readonly Odds[], counterfactuals: Counterfactuals): Promise<number> {
    const { event, before = 0, along, tried } = attempt;
    const place = counterfactuals.extent({ event, before, along });
    const recorded = odds.find(({ after }) => after === place) ?? (await this.oddsAfter(this.recorded, place));
    const changed = await this.oddsAfter(tried?.events ?? [], tried?.through ?? 0);
    return (recorded.violated - changed.violated) / recorded.sampled;
  }

  private async oddsAfter(events: readonly Event[], place: number): Promise<Odds> {
    if (events === this.recorded && place === events.length) return this.atEnd.deciding;
    const counting = { ...this.counting, continuations: this.deciding };
    return (await new Continuations(this.origin, events, this.judge, counting).after(place)).deciding;
  }
}

/** The positions at which odds are sampled: never between an action and the events that it brings about. */
function placesIn(events: readonly Event[]): number[] {
  const { length } = events;
  const isWhole = length <= WHOLE_MAX.sampled;
  const spread = Array.from({ length: PLACES + 1 }, (_, at) => Math.round((at * length) / PLACES));
  const places = Array.from({ length: length + 1 }, (_, at) => at).filter(
    (at) => isWhole || at > length - PLACES || spread.includes(at),
  );
  return places.filter((at) => at === length || !isConsequence(events[at] as Event, events));
}

const changes: readonly Counterfactual['change'][] = ['without', 'earlier', 'added'];

/** By event, then by the kind of change, then the nearest first. */
const inOrder = (one: Counterfactual, other: Counterfactual): number =>
  one.event - other.event ||
  changes.indexOf(one.change) - changes.indexOf(other.change) ||
  (other.before ?? 0) - (one.before ?? 0);

/**
 * Events that could have happened as well: messages and operations that were pending at the end, or lost. Timers are
 * left out, because they may fire at any time.
 */
async function undeliveredEvents({ system, seed, handlerMs }: Origin, recorded: readonly Event[]): Promise<Internal[]> {
  const options = { oracle: { judge: () => HOLDS }, eventsMax: recorded.length };
  let session = targetOf(system).open(seed);
  const attempt = (isCareful: boolean): Steps<unknown> => {
    if (isCareful) session = targetOf(system).open(seed);
    return execution(session, { ...options, strategy: new ReplayStrategy(recorded), isCareful });
  };
  await surely(attempt, handlerMs);
  await session.close();
  const lost = session.recording.notes.since(0).flatMap((note) => (note.kind === 'dropped' ? [note.message] : []));
  const all = [...lost, ...session.world.pending].filter(({ kind }) => kind !== 'fire');
  // On one link, messages stay in the order in which they were sent.
  return all.sort((one, other) => one.cause - other.cause);
}
