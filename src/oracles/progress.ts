import { hex } from '../trace/digest.ts';
import { isInternal, type Event } from '../trace/event.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import { shownAnswer, truthOf } from '../kernel/user-code/answer.ts';
import { count } from '../kernel/options/fields.ts';
import { BadOption, optionsOf } from '../kernel/options/options.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { Rounds } from '../kernel/rounds.ts';
import type { World } from '../kernel/world.ts';

/** The options of `progress`. */
export interface ProgressOptions {
  /** The maximum number of fair rounds. In each round, every event that was enabled at its beginning happens. */
  readonly rounds?: number;
}

const ROUNDS = 20;

export const progressOptions = optionsOf<ProgressOptions>('progress', { rounds: count(1) });

/**
 * The goal must be reached again and again, once the environment does nothing and no link is cut: within this many fair
 * rounds, and before the system is quiet. If a world recurs without the goal in between, the system can loop forever;
 * the violation reports that loop.
 *
 * @example
 * defineSystem({ processes: { client }, invariants: { served: progress((world) => world.up(client).some(({ state }) => state.holds)) } });
 */
export function progress(goal: (world: World) => boolean, options: ProgressOptions = {}): Oracle {
  if (typeof goal !== 'function')
    throw new BadOption(`progress takes a function, not ${shownAnswer(goal)}.`, 'Give progress((world) => …).');
  const { rounds = ROUNDS } = progressOptions.checked(options);
  return {
    judge: () => HOLDS,
    begin: (session) => new ProgressWatch(session, goal, rounds),
    fairRounds: rounds,
    // The pending events at the end are the same in any order, and so is a loop. Only the number of rounds may differ.
    ignoresOrder: true,
  };
}

class ProgressWatch implements Oracle {
  private rounds: Rounds;
  /** Whether no link is cut. */
  private isFree = true;
  /** The worlds at the ends of rounds, with the number of events. */
  private worlds = new Map<string, number>();
  /** Whether the goal has been reached since the last event of the environment. */
  private hadChance = true;

  constructor(
    private readonly session: Session,
    private readonly goal: (world: World) => boolean,
    private readonly roundsMax: number,
  ) {
    this.rounds = new Rounds(session);
  }

  judge(world: World, last: Event | undefined): Verdict {
    const isDisturbed = last === undefined || !isInternal(last);
    const isReached = this.isReached(world);
    if (isDisturbed) {
      this.isFree = world.cutLinks.length === 0;
      this.hadChance = false;
    }
    if (isReached) this.hadChance = true;
    if (isReached || isDisturbed) {
      this.restart(world);
      return HOLDS;
    }
    if (!this.isFree || !this.rounds.advance(this.session)) return HOLDS;
    return this.loop(world) ?? this.lateness();
  }

  /** Unknown if an execution is cut short before the goal could be reached. */
  end(world: World, quiet: boolean): Verdict {
    if (this.isReached(world)) return HOLDS;
    if (quiet && this.isFree) return violated('nothing is left that could happen', 'stuck');
    if (this.hadChance) return HOLDS;
    if (!this.isFree) return { kind: 'unknown', why: 'a link was still cut when the execution ended' };
    const why = `${this.rounds.count} of ${this.roundsMax} fair rounds fit in before the execution was ended`;
    return { kind: 'unknown', why };
  }

  private isReached(world: World): boolean {
    return truthOf('the goal of progress', this.goal(world));
  }

  private restart(world: World): void {
    this.rounds = new Rounds(this.session);
    this.worlds = new Map([[hex(this.session.worldDigest(undefined, true)), world.length]]);
  }

  private loop(world: World): Violated | undefined {
    const digest = hex(this.session.worldDigest(undefined, true));
    const before = this.worlds.get(digest);
    this.worlds.set(digest, world.length);
    if (before === undefined) return undefined;
    const length = world.length - before;
    return violated(
      `the world after event ${world.length} is that after event ${before}: ${length} events that can go on for ever`,
      'loop',
    );
  }

  private lateness(): Verdict {
    if (this.rounds.count < this.roundsMax) return HOLDS;
    return violated(`not reached in ${this.roundsMax} fair rounds`, 'late');
  }
}

const violated = (message: string, how: string): Violated => ({
  kind: 'violated',
  oracle: 'progress',
  message,
  processes: [],
  fingerprint: `progress ${how}`,
});
