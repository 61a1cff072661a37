import { addFaults, type FaultCount, type Marks, type CoverageSample } from './coverage-sample.ts';

/** The parts of a system that a hunt exercised. */
export interface CoverageReport {
  /** Executions that differ in more than the order of independent events. */
  readonly distinct: number;
  /** The number of these that happened in one execution only: see `chanceOfNew`. */
  readonly once: number;
  /** The number of distinct executions at some points of the hunt. */
  readonly saturation: readonly (readonly [executions: number, distinct: number])[];
  /** The number of events of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The number of inputs of each kind: actions by their name, messages by their type. */
  readonly inputs: Readonly<Record<string, number>>;
  /** Messages, each with what its receiver had printed last, without values: `packet_in to c1 after "learned #"`. */
  readonly pairs: readonly string[];
  /** The number of distinct end worlds. */
  readonly worlds: number;
  /** The number of faults of each kind, and how many had an effect. */
  readonly faults: Readonly<Record<string, FaultCount>>;
  /** Types of messages that were sent and never delivered, and timers that were set and never fired. */
  readonly never: readonly string[];
  /** Names of `sometimes` predicates that were true in some execution. */
  readonly marksReached: readonly string[];
  /** Names of `sometimes` predicates that never were: what the hunt has not tested. */
  readonly marksMissed: readonly string[];
}

/** Adds up samples in the order of the executions, so that the result does not depend on the threads that made them. */
export class Coverage {
  private readonly names = new Set<number>();
  /** The names of several executions. */
  private readonly repeated = new Set<number>();
  private readonly saturation: [number, number][] = [];
  private readonly kinds = new Map<string, number>();
  private readonly delivered = new Set<string>();
  private readonly fired = new Set<string>();
  private readonly inFlight = new Set<string>();
  private readonly set = new Set<string>();
  private readonly reached = new Set<string>();
  private readonly inputs = new Map<string, number>();
  private readonly pairs = new Set<string>();
  private executions = 0;
  private readonly worlds = new Set<number>();
  private readonly faults = new Map<string, FaultCount>();

  constructor(private readonly marks: Marks) {}

  /** Executions so far that differ in more than the order of independent events. */
  get distinct(): number {
    return this.names.size;
  }

  /** The marks that have not been reached. */
  get missed(): Marks {
    return new Map([...this.marks].filter(([name]) => !this.reached.has(name)));
  }

  add(seen: CoverageSample): void {
    for (const name of seen.names) this.count(name);
    for (const counted of ['kinds', 'inputs'] as const)
      for (const [kind, count] of seen[counted]) this[counted].set(kind, (this[counted].get(kind) ?? 0) + count);
    for (const what of ['delivered', 'fired', 'inFlight', 'set', 'reached', 'pairs'] as const) {
      for (const one of seen[what]) this[what].add(one);
    }
    for (const world of seen.worlds) this.worlds.add(world);
    for (const [kind, count] of seen.faults) addFaults(this.faults, kind, count);
  }

  report(): CoverageReport {
    return {
      distinct: this.distinct,
      once: this.distinct - this.repeated.size,
      saturation: [...this.saturation, [this.executions, this.names.size]],
      kinds: Object.fromEntries([...this.kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
      inputs: Object.fromEntries([...this.inputs].sort(([a], [b]) => (a < b ? -1 : 1))),
      pairs: [...this.pairs].sort(),
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
    if (this.names.has(name)) this.repeated.add(name);
    this.names.add(name);
    if (Math.log2(this.executions) % 1 === 0) this.saturation.push([this.executions, this.names.size]);
  }
}
