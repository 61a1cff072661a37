import { Coverage } from '../coverage/coverage.ts';
import { CoverageSampler } from '../coverage/coverage-sample.ts';
import { writeDown, type Origin } from '../execution/record.ts';
import type { Session } from '../kernel/ports.ts';
import { GivenUp, overdue } from '../kernel/user-code/overdue.ts';
import { trustedStrategy } from '../schedule/strategies.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Trace } from '../trace/format.ts';
import { BadPhrase } from '../execution/wording.ts';
import type { Bounds } from './options.ts';
import type { Finding, SearchReport } from './report.ts';
import { SearchEnded } from './search-ended.ts';

/**
 * Searches a system in which events appear by themselves. A seed decides the inputs and nothing else, so every execution is
 * recorded as it happens, and none is executed again. One thread: executions wait more than they compute.
 */
export class UncontrolledSearcher {
  private readonly findings: Finding[] = [];
  private readonly fingerprints = new Set<string>();
  private readonly coverage: Coverage;
  private readonly strategies: readonly string[];
  private readonly beganMs = performance.now();
  private executions = 0;
  private events = 0;
  private unknown = 0;
  private whyUnknown: string | undefined;

  constructor(
    private readonly system: ResolvedSystem,
    private readonly bounds: Bounds,
  ) {
    this.strategies = bounds.strategy.split(',').map((name) => name.trim());
    this.coverage = new Coverage(system.sometimes);
  }

  async run(): Promise<SearchReport> {
    const { seed: first, executions, violations } = this.bounds;
    let seed = first;
    try {
      for (; seed < first + executions && this.findings.length < violations && !this.isOver(); seed++)
        this.add(await this.execute(seed), seed);
      return this.report(seed);
    } catch (error) {
      if (error instanceof GivenUp) return this.report(seed);
      throw new SearchEnded(this.report(seed), seed, error);
    }
  }

  private async execute(seed: number): Promise<Trace> {
    const { weights = this.system.weights, eventsMax } = this.bounds;
    const { pace } = this.system;
    const origin = this.originOf(seed);
    const plan = this.system.plan(seed);
    const options = { seed, plan, weights, steps: eventsMax, ...(pace === undefined ? {} : { pace }) };
    const strategy = trustedStrategy(origin.strategy);
    const sampler = new CoverageSampler(this.coverage.missed);
    let session: Session | undefined;
    const listener = { opened: (opened: Session) => (session = opened) };
    try {
      return await writeDown(origin, () => strategy(options), eventsMax, listener);
    } catch (error) {
      if (error instanceof BadPhrase) this.add(error.trace, seed);
      throw error;
    } finally {
      if (session !== undefined) sampler.add(session);
      this.coverage.add(sampler.seen);
    }
  }

  private add(trace: Trace, seed: number): void {
    const { verdict } = trace;
    this.executions += 1;
    this.events += trace.events.length;
    if (verdict.verdict === 'unknown') {
      this.unknown += 1;
      this.whyUnknown ??= verdict.why;
    }
    this.reportProgress();
    if (verdict.verdict !== 'violated' || this.fingerprints.has(verdict.fingerprint)) return;
    this.fingerprints.add(verdict.fingerprint);
    this.findings.push({ trace, strategy: this.strategyOf(seed), executions: this.executions });
  }

  private strategyOf(seed: number): string {
    return this.strategies[seed % this.strategies.length] as string;
  }

  private originOf(seed: number): Origin {
    const { module, eventsMax, handlerMs } = this.bounds;
    const isOverdue = overdue(() => this.isOver());
    return { system: this.system, module, seed, strategy: this.strategyOf(seed), eventsMax, handlerMs, isOverdue };
  }

  private isOver(): boolean {
    const { seconds, signal } = this.bounds;
    return signal?.aborted === true || performance.now() >= this.beganMs + seconds * 1000;
  }

  private reportProgress(): void {
    const { executions, events, bounds, coverage } = this;
    const marks = this.system.sometimes.size;
    bounds.onProgress?.({
      executions,
      events,
      distinct: coverage.distinct,
      marks,
      marksReached: marks - coverage.missed.size,
      elapsedMs: performance.now() - this.beganMs,
      executionsMax: bounds.executions,
      secondsMax: bounds.seconds,
    });
  }

  private report(nextSeed: number): SearchReport {
    const { findings, executions, unknown, whyUnknown, events } = this;
    const why = whyUnknown === undefined ? {} : { whyUnknown };
    return { findings, executions, unknown, ...why, events, nextSeed, coverage: this.coverage.report() };
  }
}
