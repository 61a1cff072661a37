import { addFaults, type FaultCount, type Marks, type CoverageSample } from './coverage-sample.ts';

/** What a hunt has seen: whether it tested anything. */
export interface CoverageReport {
  /** Executions that differ in more than the order of independent events. */
  readonly distinct: number;
  /** How many of the executions so far were distinct, at some points of the hunt. */
  readonly saturation: readonly (readonly [executions: number, distinct: number])[];
  /** How often each kind of event happened. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Different worlds that executions ended in. */
  readonly worlds: number;
  /** How many faults of each kind there were, and how many of them made a difference. */
  readonly faults: Readonly<Record<string, FaultCount>>;
  /** Messages and timers that were sent and set, and never once delivered or fired. */
  readonly never: readonly string[];
  readonly marksReached: readonly string[];
  readonly marksMissed: readonly string[];
}

/** Adds up what was seen, in the order of the executions, so that it does not matter who saw what. */
export class Coverage {
  private readonly names = new Set<number>();
  private readonly saturation: [number, number][] = [];
  private readonly kinds = new Map<string, number>();
  private readonly delivered = new Set<string>();
  private readonly fired = new Set<string>();
  private readonly inFlight = new Set<string>();
  private readonly set = new Set<string>();
  private readonly reached = new Set<string>();
  private executions = 0;
  private readonly worlds = new Set<number>();
  private readonly faults = new Map<string, FaultCount>();

  constructor(private readonly marks: Marks) {}

  /** Executions so far that differ in more than the order of independent events. */
  get distinct(): number {
    return this.names.size;
  }

  /** The marks that were not reached yet. */
  get missed(): Marks {
    return new Map([...this.marks].filter(([name]) => !this.reached.has(name)));
  }

  add(seen: CoverageSample): void {
    for (const name of seen.names) this.count(name);
    for (const [kind, count] of seen.kinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + count);
    for (const what of ['delivered', 'fired', 'inFlight', 'set', 'reached'] as const) {
      for (const one of seen[what]) this[what].add(one);
    }
    for (const world of seen.worlds) this.worlds.add(world);
    for (const [kind, count] of seen.faults) addFaults(this.faults, kind, count);
  }

  report(): CoverageReport {
    return {
      distinct: this.distinct,
      saturation: [...this.saturation, [this.executions, this.names.size]],
      kinds: Object.fromEntries([...this.kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
      worlds: this.worlds.size,
      faults: Object.fromEntries([...this.faults].sort(([a], [b]) => (a < b ? -1 : 1))),
      never: [
        ...[...this.inFlight].filter((type) => !this.delivered.has(type)).map((type) => `message ${type}`),
        ...[...this.set].filter((timer) => !this.fired.has(timer)).map((timer) => `timer ${timer}`),
      ].sort(),
      marksReached: [...this.marks.keys()].filter((name) => this.reached.has(name)),
      marksMissed: [...this.missed.keys()],
    };
  }

  private count(name: number): void {
    this.executions += 1;
    this.names.add(name);
    if (Math.log2(this.executions) % 1 === 0) this.saturation.push([this.executions, this.names.size]);
  }
}
