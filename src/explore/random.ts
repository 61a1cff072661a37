import type { External, Internal } from '../trace/event.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { Random } from '../kernel/random.ts';

/** Out of a hundred steps on which there is a choice, how many go to the workload and to faults. */
const EXTERNAL_PERCENT = 20;
const FAULT_PERCENT = 3;

/** Uniformly random among the enabled events; the workload is injected in order, and faults come from their budgets. */
export class RandomStrategy implements Strategy {
  private readonly random: Random;
  private injected = 0;

  constructor(
    seed: number,
    private readonly externals: readonly External[],
    /** The first so many externals happen before anything else: the starts. */
    private readonly atOnce: number,
  ) {
    this.random = Random.seeded(seed, 0x7261_6e64);
  }

  next(session: Session): Internal | External | undefined {
    if (this.injected < this.atOnce) return this.inject(session);
    const dice = this.random.below(100);
    if (dice < FAULT_PERCENT) {
      const faults = session.faults();
      if (faults.length > 0) return this.random.pick(faults);
    }
    const { enabled } = session;
    if (enabled.length === 0 || dice >= 100 - EXTERNAL_PERCENT) {
      const external = this.inject(session);
      if (external !== undefined) return external;
    }
    return enabled.length === 0 ? undefined : this.random.pick(enabled);
  }

  /** The next external that can happen in this world: a crash of what is down already is passed over. */
  private inject(session: Session): External | undefined {
    while (this.injected < this.externals.length) {
      const external = this.externals[this.injected++] as External;
      if (session.refusal(external) === undefined) return external;
    }
    return undefined;
  }
}
