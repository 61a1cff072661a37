import { CulpritError } from './error.ts';
import { Following, isConsequence } from './explore/following.ts';
import { Matcher, type ContentOf } from './explore/likeness.ts';
import { drive, execution, HANDLER_RETURNS, hung } from './kernel/loop.ts';
import type { Oracle, Session, Target } from './kernel/ports.ts';
import { Checkpoints, perform } from './minimize/checkpoints.ts';
import type { Answer, Candidate, Failing } from './minimize/pass.ts';
import type { Rules } from './minimize/rules.ts';
import { StatePaths } from './minimize/state-paths.ts';
import { digestNumber, digestText, hex, mixHi, mixLo, sameDigest } from './trace/digest.ts';
import type { Deliver, Event } from './trace/event.ts';
import type { Verdict, Violated } from './trace/verdict.ts';

export interface TrialOptions {
  readonly target: Target;
  readonly oracle: Oracle;
  readonly seed: number;
  readonly handlerMs: number;
  /** What messages amount to. */
  readonly contentOf: ContentOf;
  readonly rules: Rules;
  /** Whether it is the violation that is being minimised, and not another bug. */
  readonly isSame: (violation: Violated) => boolean;
  /** Told of other violations. */
  readonly onOther: (other: Failing) => void;
}

/** Candidates that came to nothing are remembered, up to so many. */
const REMEMBERED_MAX = 100_000;

const NOTHING: Answer = { failing: undefined, ambiguities: [] };

/** Executes candidates: what they begin with only once, and no candidate twice. */
export class Trials {
  /** Schedules and events executed so far. */
  schedules = 0;
  events = 0;
  private readonly came: Map<string, Answer> = new Map();
  private readonly matcher: Matcher;
  private checkpoints: Checkpoints | undefined;
  private base: readonly Event[] = [];

  constructor(private readonly options: TrialOptions) {
    this.matcher = new Matcher(options.contentOf);
  }

  /** From now on candidates are likely to begin like this execution. */
  begin({ events }: Failing): void {
    const { target, oracle, seed } = this.options;
    this.base = events;
    // What an oracle has seen cannot be copied with a world.
    this.checkpoints = oracle.begin === undefined ? new Checkpoints(() => target.open(seed), events) : undefined;
  }

  async ask(candidate: Candidate): Promise<Answer> {
    const key = keyOf(candidate);
    const known = this.came.get(key);
    if (known !== undefined) return known;
    const answer = await this.execute(candidate);
    if (answer.failing === undefined) this.remember(key, answer);
    return answer;
  }

  private remember(key: string, answer: Answer): void {
    if (this.came.size >= REMEMBERED_MAX) this.came.delete(this.came.keys().next().value as string);
    this.came.set(key, answer.ambiguities.length === 0 ? NOTHING : answer);
  }

  private async execute(candidate: Candidate): Promise<Answer> {
    const { target, seed } = this.options;
    const { events, likeness, targets, choices = [] } = candidate;
    const absent = candidate.absent ?? (likeness === 'content' ? 'skip' : 'repair');
    const session = this.checkpoints?.upTo(sharedBy(this.base, events)) ?? target.open(seed);
    const before = session.world.length;
    const strategy = new Following(events, { matcher: this.matcher, likeness, absent, choices, targets }, before);
    this.schedules += 1;
    const verdict = await this.verdictOn(session, strategy);
    this.events += session.world.length - before;
    session.close();
    const { ambiguities } = strategy;
    if (verdict?.kind !== 'violated') return { failing: undefined, ambiguities };
    const failing = this.failingIn(session, verdict);
    if (this.options.isSame(verdict)) return { failing, ambiguities };
    this.options.onOther(failing);
    return { failing: undefined, ambiguities };
  }

  /** Undefined where an oracle cannot judge such an execution at all. */
  private async verdictOn(session: Session, strategy: Following): Promise<Verdict | undefined> {
    const { oracle, handlerMs } = this.options;
    try {
      const options = { strategy, oracle, eventsMax: Number.POSITIVE_INFINITY };
      return (await drive(execution(session, options), handlerMs)).verdict;
    } catch (error) {
      if (error instanceof CulpritError) return undefined;
      return hung(error, session);
    }
  }

  /** What happened, up to the violation. */
  private failingIn(session: Session, violation: Violated): Failing {
    const events = session.recording.events.since(0).slice(0, violation.events);
    const { rules } = this.options;
    // What did not return would not do so now, and left no state.
    const whole = violation.oracle === HANDLER_RETURNS ? events.slice(0, -1) : events;
    return { events, violation, targets: targetsIn(session, events), paths: () => this.pathsOf(whole), rules };
  }

  private pathsOf(events: readonly Event[]): StatePaths | undefined {
    const session = this.options.target.open(this.options.seed);
    const paths = new StatePaths();
    while (session.world.length < events.length) {
      const before = session.world.length;
      if (!perform(session, events[before] as Event)) return undefined;
      for (const { process } of events.slice(before, session.world.length))
        paths.add(process, stateOf(session, process));
    }
    return paths;
  }
}

const stateOf = ({ world }: Session, name: string): object | undefined =>
  world.up().find((process) => process.name === name)?.state;

function targetsIn({ recording, world }: Session, events: readonly Event[]): ReadonlyMap<string, Deliver> {
  const wanted = new Set(
    events.flatMap((event) => (event.kind === 'lose' || event.kind === 'duplicate' ? [event.target] : [])),
  );
  if (wanted.size === 0) return new Map();
  const dropped = recording.notes.since(0).flatMap((note) => (note.kind === 'dropped' ? [note.message] : []));
  const messages = [...events, ...world.pending, ...dropped].filter((event) => event.kind === 'deliver');
  return new Map(
    messages.map((message): [string, Deliver] => [hex(message), message]).filter(([id]) => wanted.has(id)),
  );
}

/** How many events both begin with. */
function sharedBy(base: readonly Event[], events: readonly Event[]): number {
  const length = Math.min(base.length, events.length);
  let shared = 0;
  while (shared < length && sameDigest(base[shared] as Event, events[shared] as Event)) shared += 1;
  // An action and what it brings about are not torn apart.
  while (shared < base.length && isConsequence(base[shared] as Event)) shared -= 1;
  return shared;
}

/** Of a candidate's events in their order, and how they are matched. */
function keyOf({ events, likeness, absent, choices = [] }: Candidate): string {
  let { hi, lo } = digestText(`${likeness} ${absent ?? ''}`);
  const mix = (digest: { readonly hi: number; readonly lo: number }): void => {
    hi = mixHi(mixHi(hi, digest.hi), digest.lo);
    lo = mixLo(mixLo(lo, digest.lo), digest.hi);
  };
  events.forEach(mix);
  choices.map(digestNumber).forEach(mix);
  return hex({ hi, lo });
}
