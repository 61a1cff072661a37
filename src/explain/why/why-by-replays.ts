import type { Origin } from '../../execution/record.ts';
import { WaitingReplays } from '../../execution/waiting-replay.ts';
import { rateInterval } from '../../execution/rate.ts';
import { sampleOf } from '../../replay/sampled-replay.ts';
import { eventOf } from '../../trace/codec.ts';
import { isConsequence, isInternal, type Event } from '../../trace/event.ts';
import type { EventLine, Trace } from '../../trace/format.ts';
import { successorsOf } from '../../trace/live-causality.ts';
import { undeliveredOf } from '../../trace/undelivered.ts';
import type { Violated } from '../../trace/verdict.ts';
import type { Counterfactual, ReplayCounts, Why } from '../../trace/why.ts';
import { eventsOf } from '../label-lines.ts';
import { TIME_IS_UP, WhyBudget } from './budget.ts';
import type { ExplainWhyOptions } from './options.ts';
import { numbered } from './what-if.ts';

/**
 * Why a violation happened where executions cannot be repeated. The recording says on which externals it may depend. Replays without
 * each of these say how often it still happens, if they are asked for.
 */
export class WhyByReplays {
  private readonly events: readonly Event[];
  private readonly limits: string[] = [];
  private readonly budget: WhyBudget;

  constructor(
    private readonly origin: Origin,
    private readonly trace: Trace,
    private readonly violation: Violated,
    private readonly options: ExplainWhyOptions & { readonly seed: number; readonly seconds: number },
  ) {
    this.events = trace.events.map(eventOf);
    this.budget = new WhyBudget(options);
  }

  async run(): Promise<Why> {
    const externals = ownExternals(this.events);
    const past = pastOf(this.events, [...this.lastOf(this.violation.processes), ...this.operations()]);
    const relevant = externals.filter((at) => past.has(at));
    const { replays = 0, seed } = this.options;
    const counterfactuals = replays === 0 ? [] : await this.without(relevant, replays);
    const { oracle } = this.violation;
    const needed = counterfactuals.filter(({ outcome }) => outcome === 'holds');
    if (replays === 0) this.limits.push('nothing was executed: with --replays 10, each of them is left out ten times');
    else this.limits.push(doubt(replays));
    return {
      oracle,
      answer: needed.length === 0 ? fromFile(relevant, externals.length) : this.answer(needed, replays),
      counterfactuals,
      odds: [],
      sampling: { continuations: 0, seed, how: 'none were sampled: an execution cannot be continued twice' },
      limits: this.limits,
    };
  }

  /** The last event, and the last one at each process that the violation names. */
  private lastOf(processes: readonly string[]): readonly number[] {
    const last = processes.map((name) => this.events.findLastIndex(({ process }) => process === name));
    return [this.events.length - 1, ...last];
  }

  /** The calls and returns of clients: an oracle may judge all of them together, also those that do not depend on each other. */
  private operations(): readonly number[] {
    return this.trace.events.flatMap(({ history = [] }, at) => (history.length === 0 ? [] : [at]));
  }

  /** Leaves out each external in turn. */
  private async without(externals: readonly number[], replays: number): Promise<readonly Counterfactual[]> {
    const waits = WaitingReplays.of(this.origin);
    if (waits === undefined) throw new Error('a system in which nothing happens by itself is executed again');
    waits.knows(this.events, undeliveredOf(this.trace));
    const tried: Counterfactual[] = [];
    for (const at of externals) {
      if (await this.budget.isOver('changes', waits.counts.replays)) {
        this.limits.push(`${TIME_IS_UP} after ${tried.length} of ${externals.length} externals`);
        break;
      }
      const schedule = this.events.filter((_, place) => place !== at);
      const sampling = { origin: this.origin, waits, violation: this.violation, events: this.events };
      const { reproduced, unknown } = await sampleOf(sampling, schedule, replays);
      tried.push(this.counterfactual(at, { replays, reproduced, unknown }));
    }
    return tried;
  }

  private counterfactual(at: number, counts: ReplayCounts): Counterfactual {
    const line = this.trace.events[at] as EventLine;
    const { reproduced, unknown, replays } = counts;
    const undecided = unknown === 0 ? '' : `, ${unknown} unknown`;
    return {
      change: 'without',
      event: at + 1,
      outcome: reproduced > 0 ? 'violated' : unknown > 0 ? 'unknown' : 'holds',
      absent: [],
      replays: counts,
      what: `without ${numbered(line)}, ${this.violation.oracle} was violated in ${reproduced} of ${replays} replays${undecided}`,
    };
  }

  private answer(needed: readonly Counterfactual[], replays: number): string {
    const [first] = needed;
    if (needed.length === 1 && first !== undefined) return first.what;
    const all = eventsOf(needed.map(({ event }) => event));
    return `without any one of ${all}, ${this.violation.oracle} was violated in none of ${replays} replays`;
  }
}

/** What the environment did, besides starting the processes that the system declares. */
const ownExternals = (events: readonly Event[]): readonly number[] =>
  events.flatMap((event, at) => {
    const isSetUp = event.kind === 'start' && event.of === undefined;
    return isInternal(event) || isSetUp || isConsequence(event, events) ? [] : [at];
  });

/** The events on which one of these may depend. */
function pastOf(recorded: readonly Event[], ends: readonly number[]): ReadonlySet<number> {
  const names = [...new Set(recorded.map(({ process }) => process))];
  const events = recorded.map((event) => withLinks(event, names));
  const past = events.flatMap((_, at) => {
    const successors = successorsOf(events, at);
    return ends.some((end) => end === at || successors.has(end)) ? [at] : [];
  });
  return new Set(past);
}

/** A cut or a heal of every link concerns all processes. */
const withLinks = (event: Event, names: readonly string[]): Event =>
  (event.kind === 'cut' || event.kind === 'heal') && event.links.length === 0
    ? { ...event, links: names.map((name) => [name, name]) }
    : event;

const fromFile = (relevant: readonly number[], externals: number): string =>
  relevant.length === 0
    ? 'it may depend on no external of the recording'
    : `it may depend on ${relevant.length} of ${externals} externals, ${eventsOf(relevant.map((at) => at + 1))}, and on no other`;

function doubt(replays: number): string {
  const [, most] = rateInterval(0, replays);
  return `that it did not happen in ${replays} replays leaves a rate of up to ${Math.round(most * 100)} % possible`;
}
