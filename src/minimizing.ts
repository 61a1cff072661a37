import { isOwn } from './minimize/groups.ts';
import { isSameBug } from './minimize/same-bug.ts';
import type { Failing, Pass } from './minimize/pass.ts';
import { certifyingPasses, passCalled } from './minimize/passes.ts';
import { isSimpler } from './minimize/simpler.ts';
import type { Certificate, Stage } from './minimize.ts';
import { oracleOf, type Origin } from './record.ts';
import { actors } from './targets/actors/target.ts';
import type { Event } from './trace/event.ts';
import type { Violated } from './trace/verdict.ts';
import { Trials } from './trials.ts';

export interface Limits {
  readonly schedules: number;
  readonly seconds: number;
  readonly signal: AbortSignal | undefined;
}

/** What is told while it goes on. */
export interface Spectator {
  /** After every schedule. It goes on when this is done. */
  tried(): Promise<void>;
}

/** A minimisation under way: passes take turns until none of them finds anything, or there is nothing left to spend. */
export class Minimizing {
  readonly stages: Stage[] = [];
  /** Other bugs that were met, one of each fingerprint. */
  readonly others = new Map<string, Failing>();
  readonly trials: Trials;
  pass = 'verify';
  private found: Failing | undefined;
  private readonly beganMs = performance.now();

  constructor(
    origin: Origin,
    private readonly initial: readonly Event[],
    private readonly violation: Violated,
    private readonly limits: Limits,
    private readonly spectator: Spectator,
  ) {
    this.trials = new Trials({
      target: actors(origin.system),
      oracle: oracleOf(origin.system),
      seed: origin.seed,
      handlerMs: origin.handlerMs,
      contentOf: origin.system.hints.contentOf,
      rules: origin.system.hints,
      isSame: (other) => isSameBug(other, this.violation),
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
    for (let before; before !== this.best;) {
      before = this.best;
      for (const { name, pass } of passes) if (!(await this.take(name, pass))) return undefined;
    }
    return certifyingPasses.every((name) => names.includes(name)) ? '1-minimal' : undefined;
  }

  /** Exactly as it was: what the passes go by is seen then. */
  private async verify(): Promise<void> {
    const exactly = { events: this.initial, likeness: 'content', absent: 'stop', targets: new Map() } as const;
    const { failing } = await this.trials.ask(exactly);
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
      if (answer.failing !== undefined) this.keep(answer.failing);
      await this.spectator.tried();
      step = asking.next(answer);
    }
    this.stages.push(stageOf(this, name));
    return step.done === true;
  }

  private keep(failing: Failing): void {
    if (!isSimpler(failing.events, this.best.events)) return;
    this.found = failing;
    this.trials.begin(failing);
  }
}

const stageOf = ({ best, trials, seconds }: Minimizing, pass: string): Stage => ({
  pass,
  events: best.events.length,
  externals: externalsIn(best.events),
  schedules: trials.schedules,
  seconds,
});

export const externalsIn = (events: readonly Event[]): number => events.filter((event) => isOwn(event, events)).length;
