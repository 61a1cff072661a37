import { Random } from '../kernel/data/random.ts';
import type { Session } from '../kernel/ports.ts';
import type { WriteRate } from '../system/fault-rates.ts';
import { hex } from '../trace/digest.ts';
import type { Complete, Internal } from '../trace/event.ts';
import { answeredRate, roundsAt } from './rates.ts';

/**
 * Lets writes end late, where the session has a clock: at the rate of the system, each waits for a round, and then at the same rate for one more. No
 * external says so: the end of a write is an event, and its place in the execution is when it happened.
 */
export class LateWrites {
  /** When each write may end, by identity. */
  private readonly dueMs = new Map<string, number>();

  constructor(
    private readonly rate: WriteRate,
    private readonly salt: number,
  ) {}

  /** The enabled events without those that are to wait. */
  timely({ enabled, nowMs, wait, roundMs = 0 }: Session): readonly Internal[] {
    if (wait === undefined) return enabled;
    return enabled.filter((event) => !isWrite(event) || this.due(event, nowMs, roundMs) <= nowMs);
  }

  /** When the next write may end that waits now; infinity if none does. */
  nextMs({ enabled, nowMs }: Session): number {
    const due = enabled.flatMap((event) => this.dueMs.get(hex(event)) ?? []);
    return Math.min(Infinity, ...due.filter((ms) => ms > nowMs));
  }

  private due(write: Complete, nowMs: number, roundMs: number): number {
    const id = hex(write);
    const known = this.dueMs.get(id);
    if (known !== undefined) return known;
    const random = Random.seeded(write.hi ^ this.salt, write.lo);
    const rate = answeredRate('writes', this.rate, write);
    const ms = nowMs + (random.float() < rate ? roundsAt(rate, random) * roundMs : 0);
    this.dueMs.set(id, ms);
    return ms;
  }
}

const isWrite = (event: Internal): event is Complete => event.kind === 'complete' && event.operation === 'write';
