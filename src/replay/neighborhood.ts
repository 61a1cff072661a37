import { LenientReplay } from '../schedule/replay/lenient-replay.ts';
import { Matcher, type Likeness } from '../schedule/replay/match.ts';
import { neighbors, type Neighbor } from './neighbors.ts';
import { RandomWalk } from '../schedule/random-continuation.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { RegularTurns } from '../kernel/user-code/turns.ts';
import { judged, type Judge } from '../execution/run-and-judge.ts';
import { isSameBug } from '../execution/same-bug.ts';
import type { Origin } from '../execution/record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import { actors } from '../hosts/actor/target.ts';
import { unknownTargets } from '../schedule/replay/unknown-targets.ts';
import { hex } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';

/** What has been tried around a schedule. */
export interface Tried {
  /** Schedules that were executed. */
  readonly schedules: number;
  /** Executions among them that differ in more than the order of independent events. */
  readonly distinct: number;
  /** Of so many an oracle could not say whether they hold. */
  readonly unknown: number;
}

/** An execution that ends with a violation. */
export interface Met {
  readonly session: Session;
  readonly violation: Violated;
}

const likenesses: readonly Likeness[] = ['content', 'type', 'place'];

/** Looks for a violation along a schedule that need not fit any more, and around it. */
export class Neighborhood {
  /** Other bugs that were met, one of each fingerprint. */
  readonly others = new Map<string, Met>();
  private readonly names = new Set<string>();
  private schedules = 0;
  private unknown = 0;
  private readonly judge: Judge;
  private readonly matcher: Matcher;
  private readonly turns = new RegularTurns();

  constructor(
    private readonly origin: Origin,
    private readonly schedule: readonly Event[],
    private readonly violation: Violated,
  ) {
    this.judge = { oracle: oracleOf(origin.system), handlerMs: origin.handlerMs };
    this.matcher = new Matcher(origin.system.hints.contentOf);
  }

  get tried(): Tried {
    return { schedules: this.schedules, distinct: this.names.size, unknown: this.unknown };
  }

  /** The same schedule, with others in the place of what is not there: ever less alike. */
  async alongside(): Promise<Met | undefined> {
    for (const likeness of likenesses) {
      const met = await this.execute(() => this.following(this.schedule, likeness));
      if (met !== undefined) return met;
    }
    return undefined;
  }

  /** So many schedules that are nearly the same. */
  async around(count: number): Promise<Met | undefined> {
    const all = neighbors(this.schedule);
    for (let tried = 0; tried < count; tried++) {
      const neighbor = all.next().value;
      const met = await this.execute(() => this.strategyFor(neighbor));
      if (met !== undefined) return met;
    }
    return undefined;
  }

  private strategyFor({ events, wandering }: Neighbor): Strategy {
    const head = this.following(events, 'type');
    if (wandering === undefined) return head;
    const tail = new RandomWalk(wandering.rest, wandering.seed);
    return { next: (session) => head.next(session) ?? tail.next(session) };
  }

  private following(events: readonly Event[], likeness: Likeness): LenientReplay {
    // A file does not have the messages that were lost or duplicated then.
    const targets = unknownTargets(this.schedule);
    return new LenientReplay(events, {
      matcher: this.matcher,
      likeness,
      absent: 'repair',
      choices: undefined,
      targets,
    });
  }

  private async execute(strategy: () => Strategy): Promise<Met | undefined> {
    await this.turns.turnIfDue();
    const target = actors(this.origin.system);
    const begin = () => ({ session: target.open(this.origin.seed), strategy: strategy() });
    this.schedules += 1;
    const { session, verdict } = await judged(begin, this.judge, this.schedule.length);
    this.names.add(hex(session.name()));
    session.close();
    if (verdict === undefined || verdict.kind === 'unknown') this.unknown += 1;
    if (verdict?.kind !== 'violated') return undefined;
    const met = { session, violation: verdict };
    if (isSameBug(verdict, this.violation)) return met;
    if (!this.others.has(verdict.fingerprint)) this.others.set(verdict.fingerprint, met);
    return undefined;
  }
}
