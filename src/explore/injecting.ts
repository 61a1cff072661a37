import type { External, Internal } from '../trace/event.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import type { Random } from '../kernel/random.ts';
import type { Candidate, Chooser } from './chooser.ts';

/** Out of a hundred steps, how many are given to faults while their budgets last. */
const FAULT_PERCENT = 3;

/** What the environment has in mind. */
export interface Plan {
  readonly externals: readonly External[];
  /** The first so many happen before anything else: the starts. */
  readonly startsFirst: number;
}

/** Lets a chooser decide between the enabled events and the next external of a plan, and throws in faults by chance. */
export class Injecting implements Strategy {
  private injected = 0;

  constructor(
    private readonly chooser: Chooser,
    private readonly random: Random,
    private readonly plan: Plan,
  ) {}

  next(session: Session): Internal | External | undefined {
    if (this.injected < this.plan.startsFirst) return this.plan.externals[this.injected++];
    if (this.random.below(100) < FAULT_PERCENT) {
      const faults = session.faults();
      if (faults.length > 0) return this.random.pick(faults);
    }
    const external = this.nextExternal(session);
    const { enabled } = session;
    const at = session.world.length;
    if (external === undefined) return enabled.length === 0 ? undefined : this.chooser.choose(enabled, at);
    return this.taken(this.chooser.choose([...enabled, external], at), external);
  }

  private taken(chosen: Candidate, external: External): Candidate {
    if (chosen === external) this.injected += 1;
    return chosen;
  }

  /** The next external that can happen in this world: a crash of what is down already is passed over. */
  private nextExternal(session: Session): External | undefined {
    const { externals } = this.plan;
    for (; this.injected < externals.length; this.injected++) {
      const external = externals[this.injected] as External;
      if (session.refusal(external) === undefined) return external;
    }
    return undefined;
  }
}
