import { Clocks } from './clocks.ts';
import { Links, NONE, type Linked } from './links.ts';

/**
 * Happens-before between the events of an execution, in Lamport's sense: through causes and the order within each
 * process. Events of the environment are ordered only through causes, as it is not one process. Events are named by
 * their index. Memory is linear in the number of events, for any number of processes.
 */
export class Causality {
  private readonly links: Links;
  private known: Clocks | undefined;

  constructor(events: readonly Linked[]) {
    this.links = new Links(events);
  }

  /** Irreflexive. */
  happensBefore(a: number, b: number): boolean {
    if (a >= b) return false;
    if (this.links.chain[a] !== NONE) return this.clocks.isAtOrBefore(a, b);
    return this.isBeforeByEffects(a, b);
  }

  /** Clocks do not include the environment: its events happen before everything that their effects happen before. */
  private isBeforeByEffects(a: number, b: number): boolean {
    const { chain } = this.links;
    const left = [...this.links.effectsOf(a)];
    for (let effect = left.pop(); effect !== undefined; effect = left.pop()) {
      if (effect === b) return true;
      if (effect > b) continue;
      if (chain[effect] === NONE) for (const next of this.links.effectsOf(effect)) left.push(next);
      else if (this.clocks.isAtOrBefore(effect, b)) return true;
    }
    return false;
  }

  /** Whether these are two events and neither happened before the other. */
  concurrent(a: number, b: number): boolean {
    return a !== b && !this.happensBefore(Math.min(a, b), Math.max(a, b));
  }

  /** Made on first use: `past` and `future` do not need them. */
  private get clocks(): Clocks {
    this.known ??= new Clocks(this.links);
    return this.known;
  }

  /** All events that happened before `b`, ascending. */
  past(b: number): number[] {
    const { cause, previous } = this.links;
    const isPast = new Uint8Array(b + 1);
    isPast[b] = 1;
    for (let at = b; at >= 0; at--) {
      if (isPast[at] === 0) continue;
      // For a missing cause this writes to index -1, which a typed array ignores.
      isPast[cause[at] as number] = 1;
      isPast[previous[at] as number] = 1;
    }
    return marked(isPast, 0, b);
  }

  /** All events that `a` happened before, ascending. */
  future(a: number): number[] {
    return marked(this.isAfter([a]), a + 1, this.links.length);
  }

  /** By event: 1 if any of these events happened before it. */
  isAfter(these: readonly number[]): Uint8Array {
    const { cause, previous, length } = this.links;
    const [isOne, isAfter] = [new Uint8Array(length), new Uint8Array(length)];
    for (const at of these) isOne[at] = 1;
    const leadsOn = (at: number): boolean => isOne[at] === 1 || isAfter[at] === 1;
    for (let at = 0; at < length; at++) {
      if (leadsOn(cause[at] as number) || leadsOn(previous[at] as number)) isAfter[at] = 1;
    }
    return isAfter;
  }
}

/** The marked events from `from` up to, not including, `to`. */
function marked(marks: Uint8Array, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at++) if (marks[at] === 1) found.push(at);
  return found;
}
