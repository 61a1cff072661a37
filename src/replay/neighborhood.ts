import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher, type Likeness } from '../schedule/replay/match.ts';
import { neighbors, type Neighbor } from './neighbors.ts';
import { RandomContinuation } from '../schedule/random-continuation.ts';
import { Random } from '../kernel/data/random.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { RegularTurns } from '../kernel/user-code/turns.ts';
import { judged, type Judge } from '../execution/run-and-judge.ts';
import { isSameBug } from '../execution/same-bug.ts';
import type { Origin } from '../execution/record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import { targetOf } from '../hosts/target.ts';
import { hex } from '../trace/digest.ts';
import { externalOf, isInternal, type Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';

/** Counts of the schedules that were tried near a recorded one. */
export interface Tried {
  /** The number of executed schedules. */
  readonly schedules: number;
  /** The number of executions that differ in more than the order of independent events. */
  readonly distinct: number;
  /** The number of executions on which the verdict is unknown. */
  readonly unknown: number;
}

/** An execution that ends with a violation. */
export interface ViolatingExecution {
  readonly session: Session;
  readonly violation: Violated;
}

const likenesses: readonly Likeness[] = ['content', 'type', 'place'];

/** Searches for a violation along a schedule that may no longer fit, and in schedules near it. */
export class Neighborhood {
  /** Other violations that happened, one of each fingerprint. */
  readonly others = new Map<string, ViolatingExecution>();
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

  /** Replays the schedule with stand-ins for missing events, which may be less and less alike. */
  async alongside(): Promise<ViolatingExecution | undefined> {
    for (const likeness of likenesses) {
      const met = await this.execute(() => this.following(this.schedule, likeness));
      if (met !== undefined) return met;
    }
    return undefined;
  }

  /** Executes this number of schedules that are nearly the same. */
  async around(count: number): Promise<ViolatingExecution | undefined> {
    const all = neighbors(this.schedule);
    for (let tried = 0; tried < count; tried++) {
      const neighbor = all.next().value;
      const met = await this.execute(() => this.strategyFor(neighbor));
      if (met !== undefined) return met;
    }
    return undefined;
  }

  private strategyFor({ events, random }: Neighbor): Strategy {
    const head = this.following(events, 'type');
    if (random === undefined) return head;
    const externals = random.rest.flatMap((event) =>
      isInternal(event) || event.cause >= 0 ? [] : [externalOf(event)],
    );
    const tail = new RandomContinuation(Random.seeded(random.seed, 0x7761_6e64), { externals, refused: 'drop' });
    return { next: (session) => head.next(session) ?? tail.next(session) };
  }

  private following(events: readonly Event[], likeness: Likeness): LenientReplay {
    // A file does not contain the messages that were lost or duplicated.
    const targets = unknownTargets(this.schedule);
    return new LenientReplay(events, {
      matcher: this.matcher,
      likeness,
      absent: 'repair',
      choices: undefined,
      targets,
    });
  }

  private async execute(strategy: () => Strategy): Promise<ViolatingExecution | undefined> {
    await this.turns.turnIfDue();
    const target = targetOf(this.origin.system);
    const begin = () => ({ session: target.open(this.origin.seed), strategy: strategy() });
    this.schedules += 1;
    const { session, verdict } = await judged(begin, this.judge, this.schedule.length);
    this.names.add(hex(session.name()));
    await session.close();
    if (verdict === undefined || verdict.kind === 'unknown') this.unknown += 1;
    if (verdict?.kind !== 'violated') return undefined;
    const met = { session, violation: verdict };
    if (isSameBug(verdict, this.violation)) return met;
    if (!this.others.has(verdict.fingerprint)) this.others.set(verdict.fingerprint, met);
    return undefined;
  }
}
