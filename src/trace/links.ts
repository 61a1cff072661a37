import { ENVIRONMENT, type Occurrence } from './event.ts';

/** Stands for no event, and in `chain` for no process. */
export const NONE = -1;

/** The fields that happens-before is computed from. */
export type Linked = Pick<Occurrence, 'process' | 'cause'>;

/** The direct predecessors of every event: its cause, and the event before it in its process. */
export class Links {
  readonly length: number;
  /** The number of processes. */
  readonly chains: number;
  /** By event: the number of its process. The environment is not one process, so its events have none. */
  readonly chain: Int32Array;
  readonly cause: Int32Array;
  readonly previous: Int32Array;
  /** The direct effects of each event of the environment, in order. */
  private readonly effects = new Map<number, number[]>();

  constructor(events: readonly Linked[]) {
    this.length = events.length;
    this.chain = new Int32Array(this.length).fill(NONE);
    this.cause = new Int32Array(this.length);
    this.previous = new Int32Array(this.length).fill(NONE);
    const numbers = new Map<string, number>();
    const latest: number[] = [];
    for (const [at, { process, cause }] of events.entries()) {
      this.cause[at] = cause;
      if (this.chain[cause] === NONE) this.addEffect(cause, at);
      if (process === ENVIRONMENT) continue;
      const chain = numbers.get(process) ?? numbers.size;
      numbers.set(process, chain);
      this.chain[at] = chain;
      this.previous[at] = latest[chain] ?? NONE;
      latest[chain] = at;
    }
    this.chains = numbers.size;
  }

  /** The direct effects of an event of the environment. */
  effectsOf(at: number): readonly number[] {
    return this.effects.get(at) ?? [];
  }

  private addEffect(cause: number, effect: number): void {
    const known = this.effects.get(cause);
    if (known === undefined) this.effects.set(cause, [effect]);
    else known.push(effect);
  }
}
