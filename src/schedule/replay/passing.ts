import type { PassingRule } from '../../kernel/declaration.ts';
import { isIncluded } from '../../kernel/uncontrolled/passing-rules.ts';
import { isInternal, type Event, type Internal } from '../../trace/event.ts';
import type { Undelivered } from '../../trace/undelivered.ts';
import type { Matcher } from './match.ts';
import { touchedIn, type Touched } from './touched.ts';

/** A recording, and the rules of its system. */
export interface PassingOptions {
  readonly rules: readonly PassingRule<unknown>[];
  readonly recording: readonly Event[];
  readonly undelivered: readonly Undelivered[];
  readonly roundMs: number;
  readonly matcher: Matcher;
  /** Settings of rules that depend on the whole recording (`untouched`), by name, instead of those that follow from it. */
  readonly given: Readonly<Record<string, boolean>>;
}

/** Whether messages pass by a rule that depends on the whole recording. */
export interface PassingSetting {
  /** The name of the rule. */
  readonly rule: string;
  readonly passes: boolean;
}

/** A rule by which messages pass, and those like which none does for a while. */
interface RuleInForce {
  readonly rule: PassingRule<unknown>;
  readonly touched: readonly Touched[];
}

/** So many rounds before and after one was touched, no equal message passes (STS: a checker of drops in the data plane). */
const ROUNDS_NEARBY = 10;

/** Which messages pass in the replays of a recording: see `PassingRule`. */
export class Passing {
  /** Of each rule that depends on the whole recording, if that has such messages. */
  readonly settings: readonly PassingSetting[];
  private readonly inForce: readonly RuleInForce[];
  private readonly nearbyMs: number;
  private readonly matcher: Matcher;

  constructor({ rules, recording, undelivered, roundMs, matcher, given }: PassingOptions) {
    this.matcher = matcher;
    this.nearbyMs = ROUNDS_NEARBY * roundMs;
    const touched = rules.length === 0 ? [] : touchedIn(recording, undelivered);
    const touchedBy = (rule: PassingRule<unknown>): readonly Touched[] =>
      touched.filter(({ event }) => isIncluded(rule, event));
    const passes = (rule: PassingRule<unknown>): boolean =>
      rule.when === 'untouched' ? (given[rule.name] ?? touchedBy(rule).length === 0) : rule.when !== 'never';
    this.inForce = rules
      .filter(passes)
      .map((rule) => ({ rule, touched: rule.when === 'untouchedNearby' ? touchedBy(rule) : [] }));
    const appeared = [...recording, ...undelivered.map(({ event }) => event)];
    this.settings = rules
      .filter(
        (rule) => rule.when === 'untouched' && appeared.some((event) => isInternal(event) && isIncluded(rule, event)),
      )
      .map((rule) => ({ rule: rule.name, passes: passes(rule) }));
  }

  /** Whether the event passes at this time of the recording. */
  has(event: Internal, atMs: number): boolean {
    return this.inForce.some(
      ({ rule, touched }) =>
        isIncluded(rule, event) &&
        !touched.some((one) => Math.abs(one.atMs - atMs) <= this.nearbyMs && this.isLike(event, one.event)),
    );
  }

  /** The same for an event of the recording. */
  hasRecorded(event: Event): boolean {
    return isInternal(event) && this.has(event, event.atMs ?? 0);
  }

  private isLike(event: Internal, other: Internal): boolean {
    return this.matcher.keyOf(event) === this.matcher.keyOf(other);
  }
}
