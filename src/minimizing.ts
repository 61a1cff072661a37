import { isSameBug } from './minimize/same-bug.ts';
import type { Failing, Pass } from './minimize/pass.ts';
import { certifyingPasses, passCalled } from './minimize/passes.ts';
import { isSimpler } from './minimize/simpler.ts';
import type { Certificate, Stage } from './minimize.ts';
import type { Shorter } from './explore/shorter.ts';
import { Proving } from './proving.ts';
import { oracleOf, type Origin } from './record.ts';
import { actors } from './targets/actors/target.ts';
import { isConsequence, isInternal, type Event } from './trace/event.ts';
import type { Violated } from './trace/verdict.ts';
import { exactly, Trials } from './trials.ts';

export interface Limits {
  readonly schedules: number;
  readonly seconds: number;
  readonly worlds: number;
  readonly signal: AbortSignal | undefined;
}

/** What is told while it goes on. */
export interface Spectator {
  /** After every schedule. */
  tried(): void;
  /** There is a simpler one. */
  improved(best: Failing): void | Promise<void>;
}

/** A minimisation under way: passes take turns until none of them finds anything, or there is nothing left to spend. */
export class Minimizing {
  readonly stages: Stage[] = [];
  /** Other bugs that were met, one of each fingerprint. */
  readonly others = new Map<string, Failing>();
  readonly trials: Trials;
  readonly proving: Proving;
  pass = 'verify';
  private found: Failing | undefined;
  private readonly beganMs = performance.now();

  constructor(
    origin: Origin,
    private readonly initial: readonly Event[],
    violation: Violated,
    private readonly limits: Limits,
    private readonly spectator: Spectator,
  ) {
    const isSame = (other: Violated): boolean => isSameBug(other, violation);
    this.proving = new Proving(origin, isSame, limits.worlds);
    this.trials = new Trials({
      target: actors(origin.system),
      oracle: oracleOf(origin.system),
      seed: origin.seed,
      handlerMs: origin.handlerMs,
      contentOf: origin.system.hints.contentOf,
      rules: origin.system.hints,
      isSame,
      onOther: (other) => {
        const { fingerprint } = other.violation;
        if (!this.others.has(fingerprint)) this.others.set(fingerprint, other);
      },
    });
  }

  /** The simplest so far. */
  get best(): Failing {
    if (this.found === undefined) throw new Error('nothing has been executed yet');
    return this.found;
  }

  get seconds(): number {
    return (performance.now() - this.beganMs) / 1000;
  }

  get isOver(): boolean {
    const { schedules, seconds, signal } = this.limits;
    return signal?.aborted === true || this.trials.schedules >= schedules || this.seconds >= seconds;
  }

  async run(names: readonly string[]): Promise<Certificate | undefined> {
    const passes = names.map((name) => ({ name, pass: passCalled(name) }));
    await this.verify();
    for (let shorter = 'found'; shorter === 'found';) {
      if (!(await this.settle(passes)) || !certifyingPasses.every((name) => names.includes(name))) return undefined;
      shorter = await this.prove();
      if (shorter === 'none') return 'shortest';
    }
    return '1-minimal';
  }

  /** Until a whole round of passes finds nothing; false where that could not be finished. */
  private async settle(passes: readonly { readonly name: string; readonly pass: Pass }[]): Promise<boolean> {
    for (let before; before !== this.best;) {
      before = this.best;
      for (const { name, pass } of passes) if (!(await this.take(name, pass))) return false;
    }
    return true;
  }

  /** Whether there is a shorter one for the same externals, which then is the best. */
  private async prove(): Promise<Shorter['kind']> {
    if (this.limits.worlds === 0) return 'unknown';
    this.pass = 'shortest';
    const isOver = (): boolean => {
      this.spectator.tried();
      return this.isOver;
    };
    const { shorter, others } = await this.proving.look(this.best, isOver);
    for (const events of others) await this.trials.ask(exactly(events));
    if (shorter.kind === 'found') {
      const { failing } = await this.trials.ask(exactly(shorter.events));
      if (failing === undefined) throw new Error('an execution that was just made cannot be made again');
      await this.keep(failing);
    }
    this.stages.push(stageOf(this, this.pass));
    return shorter.kind;
  }

  /** Exactly as it was: what the passes go by is seen then. */
  private async verify(): Promise<void> {
    const { failing } = await this.trials.ask(exactly(this.initial));
    if (failing === undefined) throw new Error('an execution that was just replayed cannot be replayed');
    this.found = failing;
    this.trials.begin(failing);
    this.stages.push(stageOf(this, this.pass));
  }

  /** Answers the questions of one pass; false where it could not be finished. */
  private async take(name: string, pass: Pass): Promise<boolean> {
    this.pass = name;
    const asking = pass(this.best);
    let step = asking.next();
    while (step.done !== true && !this.isOver) {
      const answer = await this.trials.ask(step.value);
      this.spectator.tried();
      if (answer.failing !== undefined) await this.keep(answer.failing);
      step = asking.next(answer);
    }
    this.stages.push(stageOf(this, name));
    return step.done === true;
  }

  private async keep(failing: Failing): Promise<void> {
    if (!isSimpler(failing.events, this.best.events)) return;
    this.found = failing;
    this.trials.begin(failing);
    await this.spectator.improved(failing);
  }
}

const stageOf = ({ best, trials, seconds }: Minimizing, pass: string): Stage => ({
  pass,
  events: best.events.length,
  externals: externalsIn(best.events),
  schedules: trials.schedules,
  seconds,
});

export const externalsIn = (events: readonly Event[]): number =>
  events.filter((event) => !isInternal(event) && !isConsequence(event, events)).length;
