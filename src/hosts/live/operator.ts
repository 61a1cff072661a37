import { mkdirSync } from 'node:fs';
import type { OpaqueBehavior } from '../../kernel/behavior.ts';
import type { Host } from '../../kernel/host.ts';
import { amount } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Io } from '../../kernel/uncontrolled/io.ts';
import type { Place } from './connector.ts';
import { CannotStart } from './errors.ts';
import type { Instruction, InstructionResult } from './instructions.ts';
import { placeOf } from './place.ts';
import { Child } from './process/child.ts';
import { LiveSession, MARK } from './session/live-session.ts';
import { Surroundings } from './surroundings.ts';

/** The options of `operator`. */
export interface OperatorOptions {
  /** How long a command or an answer may take, in milliseconds; 10,000 by default. */
  readonly withinMs?: number;
}

const WITHIN_MS = 10_000;

/** How much of an answer is kept. */
const KEPT = 2_000;

const operatorOptions = optionsOf<OperatorOptions>('operator', { withinMs: amount });

/** It sends no messages: what it does reaches other processes in its own way. */
const host: Host = { name: 'live', repeatable: false, controlled: false, messagesAreOurs: true };

/** What invariants and actions see of an operator. */
export interface OperatorView {
  /** How its instructions ended, in their order. */
  readonly results: readonly InstructionResult[];
}

/**
 * A process that does what administrators do: it runs programs and requests URLs, when `execute(…)` and `request(…)` of the workload say so,
 * one at a time. Each is over when the program has ended, or the answer is there.
 */
export function operator(options: OperatorOptions = {}): OpaqueBehavior<Operator, OperatorView, Instruction> {
  const { withinMs = WITHIN_MS } = operatorOptions.checked(options);
  return {
    host,
    // A process of a host that is not controlled gets its `io` where other processes get their context.
    start: (ctx) => Operator.start(ctx as unknown as Io, withinMs),
    receive: (self, instruction) => self.follow(instruction),
    view: (self) => ({ results: self.results }),
    close: (self) => self.close(),
  };
}

class Operator {
  readonly results: InstructionResult[] = [];
  private readonly around: Surroundings;
  private readonly over = new AbortController();
  private child: Child | undefined;

  private constructor(
    private readonly io: Io,
    private readonly session: LiveSession,
    private readonly place: Place,
    private readonly withinMs: number,
  ) {
    this.around = new Surroundings(io, place);
  }

  static async start(io: Io, withinMs: number): Promise<Operator> {
    const session = io.shared(LiveSession.open);
    const place = await placeOf(io, session, undefined, true);
    mkdirSync(place.dir, { recursive: true });
    return new Operator(io, session, place, withinMs);
  }

  async follow(instruction: Instruction): Promise<void> {
    const result = await (instruction.type === 'execute' ? this.execute(instruction) : this.request(instruction));
    if (this.over.signal.aborted) return;
    this.results.push(result);
    this.io.observe('result', result);
  }

  private async execute({ words: given }: Instruction & { type: 'execute' }): Promise<InstructionResult> {
    const words = given.map((word) => this.around.filled(word));
    const child = await this.started(words);
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      void child.kill();
    }, this.withinMs);
    const { code = null, lastLines = [] } = await child.ended.finally(() => clearTimeout(limit));
    // Descendants that it left behind end with it.
    await child.kill();
    this.child = undefined;
    return { of: words.join(' '), code, output: lastLines.join('\n'), isLate };
  }

  private async started(words: readonly string[]): Promise<Child> {
    const { session, place, io } = this;
    const [file = '', ...args] = words;
    const mark = session.markOf(place.number, io.restarts);
    const env = this.around.environment({}, mark);
    const options = {
      file,
      args,
      cwd: place.dir,
      env,
      mark: `${MARK}=${mark}`,
      folder: session.folder,
      speaksInStreams: false,
    };
    try {
      this.child = await Child.start(options, {
        expect: (what) => session.expect(what),
        found: (pid, startTime) => session.watch(pid, startTime),
      });
      return this.child;
    } catch (error) {
      throw new CannotStart(place.name, words, place.dir, error);
    }
  }

  private async request(instruction: Instruction & { type: 'request' }): Promise<InstructionResult> {
    const { method, headers, body } = instruction;
    const url = this.around.filled(instruction.url);
    const late = AbortSignal.timeout(this.withinMs);
    const of = `${method} ${url}`;
    try {
      const answer = await fetch(url, { method, headers, body, signal: AbortSignal.any([late, this.over.signal]) });
      return { of, code: answer.status, output: (await answer.text()).slice(0, KEPT), isLate: false };
    } catch (error) {
      return { of, code: null, output: reasonOf(error), isLate: late.aborted };
    }
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.child?.kill();
  }
}

/** `fetch` hides the reason behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
