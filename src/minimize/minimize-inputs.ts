import { CulpritError } from '../error.ts';
import { callback, count, list, text } from '../kernel/options/fields.ts';
import { optionsOf, signal } from '../kernel/options/options.ts';
import { ENVIRONMENT, type Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Answer, Failing } from './pass.ts';
import { certifyingUncontrolled, parsePass, type PassName } from './pass-registry.ts';
import { noRules } from './rules.ts';

/** What a testbed says of a list of inputs that it replayed. */
export type TestbedAnswer = 'violated' | 'holds' | 'unknown';

/** The options of `minimizeInputs`. */
export interface MinimizeInputsOptions<T> {
  /** Names of passes that drop externals; by default ddmin of 1999, then single inputs until none can be dropped. */
  readonly passes?: readonly PassName[];
  /** How often a list is replayed, at most, until it is violated; 1 by default. */
  readonly replays?: number;
  /** The name of a group of inputs that are kept or dropped together, such as a failure and its recovery. */
  readonly atom?: (input: T) => string | undefined;
  /** Ends it early, with the smallest list so far. */
  readonly signal?: AbortSignal;
}

/** The result of `minimizeInputs`. */
export interface MinimizedInputs<T> {
  /** The smallest list that is violated. */
  readonly inputs: readonly T[];
  /** How often the testbed replayed something. */
  readonly replays: number;
  /** Whether each input was left out alone, and nothing was violated then. */
  readonly is1Minimal: boolean;
}

/** The testbed does not show the violation with all inputs. */
export class NotViolated extends CulpritError {
  readonly code = 'NOT_VIOLATED';

  constructor(answer: TestbedAnswer, replays: number) {
    super(
      `the testbed says ${answer} of all inputs${replays === 1 ? '' : ` in ${replays} replays`}, so that nothing can be minimized.`,
      'Replay them more often (`replays`), or look at what the testbed does.',
    );
  }
}

const PASSES: readonly PassName[] = ['externals-ddmin1999', 'single-externals'];

export const inputsOptions = optionsOf<MinimizeInputsOptions<never>>('minimizeInputs', {
  passes: list('a list of names of passes', text),
  replays: count(1),
  atom: callback,
  signal,
});

/**
 * Minimizes the inputs of a testbed that culprit does not drive: `replay` replays a list of them there, and says whether the violation
 * happened. The passes are those that minimize executions of culprit.
 */
export async function minimizeInputs<T>(
  inputs: readonly T[],
  replay: (inputs: readonly T[]) => TestbedAnswer | Promise<TestbedAnswer>,
  options: MinimizeInputsOptions<T> = {},
): Promise<MinimizedInputs<T>> {
  const checked = inputsOptions.checked(options) as MinimizeInputsOptions<T>;
  return await new InputsMinimizer(inputs, replay, checked).run();
}

class InputsMinimizer<T> {
  private replays = 0;
  /** By the places of the inputs in the original list. */
  private readonly answers = new Map<string, TestbedAnswer>();
  private isEveryAnswerKnown = true;

  constructor(
    private readonly inputs: readonly T[],
    private readonly replay: (inputs: readonly T[]) => TestbedAnswer | Promise<TestbedAnswer>,
    private readonly options: MinimizeInputsOptions<T>,
  ) {}

  async run(): Promise<MinimizedInputs<T>> {
    const { passes = PASSES } = this.options;
    let smallest = this.failing(this.inputs.map(asExternal));
    const answer = await this.answerTo(smallest.events);
    if (answer !== 'violated') throw new NotViolated(answer, this.replays);
    for (let before; before !== smallest && !this.isOver;) {
      before = smallest;
      this.isEveryAnswerKnown = true;
      for (const name of passes) smallest = await this.after(name, smallest);
    }
    const isCertified = certifyingUncontrolled(false).every((name) => passes.includes(name));
    return {
      inputs: smallest.events.map((event) => this.inputs[placeOf(event)] as T),
      replays: this.replays,
      is1Minimal: isCertified && this.isEveryAnswerKnown && !this.isOver,
    };
  }

  private get isOver(): boolean {
    return this.options.signal?.aborted === true;
  }

  /** What a pass leaves. */
  private async after(name: string, failing: Failing): Promise<Failing> {
    const asking = parsePass(name)(failing);
    let best = failing;
    let step = asking.next();
    while (step.done !== true && !this.isOver) {
      const { events } = step.value;
      const answer = await this.answerTo(events);
      if (answer === 'unknown') this.isEveryAnswerKnown = false;
      const found: Answer = {
        failing: answer === 'violated' ? this.failing(events) : undefined,
        isUnknown: answer === 'unknown',
        ambiguities: [],
      };
      if (found.failing !== undefined && events.length < best.events.length) best = found.failing;
      step = asking.next(found);
    }
    return step.done === true ? step.value : best;
  }

  private async answerTo(events: readonly Event[]): Promise<TestbedAnswer> {
    const key = events.map(placeOf).join();
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    let answer: TestbedAnswer = 'holds';
    for (let nth = 0; nth < (this.options.replays ?? 1) && answer !== 'violated'; nth++) {
      this.replays += 1;
      const now = await this.replay(events.map((event) => this.inputs[placeOf(event)] as T));
      if (now !== 'holds') answer = now;
    }
    this.answers.set(key, answer);
    return answer;
  }

  /** A list of inputs as passes know it: an execution in which nothing but externals happens. */
  private failing(events: readonly Event[]): Failing {
    const { atom } = this.options;
    return {
      events,
      violation: VIOLATION,
      targets: new Map(),
      lostToCuts: [],
      paths: () => undefined,
      shortcuts: () => [],
      rules: { ...noRules, atom: (event) => atom?.(this.inputs[placeOf(event)] as T) },
    };
  }
}

const VIOLATION: Violated = {
  kind: 'violated',
  oracle: 'testbed',
  message: 'the testbed says so',
  processes: [],
  fingerprint: 'testbed',
};

const asExternal = (_input: unknown, place: number): Event => ({
  kind: 'send',
  to: 'testbed',
  message: place,
  process: ENVIRONMENT,
  cause: -1,
  hi: place,
  lo: 0,
});

/** The place of its input in the original list. */
const placeOf = ({ hi }: Event): number => hi;
