import { CulpritError } from '../error.ts';
import { emptyReadSet } from '../oracles/tracked-world.ts';
import { shorter, type Shorter } from './shorter-execution.ts';
import { ExternalMultiset } from './external-multiset.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { driveAtLength } from '../kernel/drive.ts';
import type { Failing } from './pass.ts';
import type { Origin } from '../execution/record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import { targetOf } from '../hosts/target.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import { watchedActions } from '../oracles/watched-actions.ts';
import { remembers } from '../oracles/remembers.ts';

export interface Proof {
  readonly shorter: Shorter;
  /** Executions that end with other bugs, one for each fingerprint. */
  readonly others: readonly (readonly Event[])[];
}

/** Searches for a shorter execution with the same externals, within a budget of worlds. */
export class ShortestProof {
  proofStates = 0;

  constructor(
    private readonly origin: Origin,
    private readonly isSame: (violation: Violated) => boolean,
    private readonly proofStatesMax: number,
  ) {}

  async search(best: Failing, isOver: () => boolean): Promise<Proof> {
    const others = new Map<string, readonly Event[]>();
    const why = this.obstacle(best);
    if (why !== undefined) return { shorter: { kind: 'unknown', why }, others: [] };
    const looks = emptyReadSet();
    const system = watchedActions(this.origin.system, looks);
    const steps = shorter({
      open: () => targetOf(system).open(this.origin.seed),
      oracle: oracleOf(system),
      looks,
      available: new ExternalMultiset(best.events),
      eventsMax: best.events.length - 1,
      isSame: this.isSame,
      onOther: ({ fingerprint }, events) => {
        if (!others.has(fingerprint)) others.set(fingerprint, events);
      },
      mayVisit: () => {
        if (this.proofStates >= this.proofStatesMax || isOver()) return false;
        this.proofStates += 1;
        return true;
      },
    });
    return { shorter: await orUnknown(driveAtLength(steps, this.origin.handlerMs)), others: [...others.values()] };
  }

  /** Why a proof is impossible. */
  private obstacle({ events, rules }: Failing): string | undefined {
    if (remembers(oracleOf(this.origin.system))) return 'an oracle remembers what it saw';
    if (events.some((event) => rules.keeps(event) || rules.atom(event) !== undefined))
      return 'the system says what must be kept';
    return undefined;
  }
}

/** If an execution cannot be judged, or a handler does not return, the answer is unknown. */
async function orUnknown(answer: Promise<Shorter>): Promise<Shorter> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CulpritError || error instanceof TimedOut) return { kind: 'unknown', why: error.message };
    throw error;
  }
}
