import { basename, dirname } from 'node:path';
import { writtenAsItHappened, type Origin } from '../execution/record.ts';
import { BadCommand } from '../step/bad-command.ts';
import { Stepping } from '../step/stepping.ts';
import { eventOf } from '../trace/codec.ts';
import { isConsequence } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import { undeliveredOf } from '../trace/undelivered.ts';
import type { Branch } from '../trace/view-model.ts';
import { exhibitOf } from '../view/view-model.ts';

/** Commands whose effect the page shows by itself. */
const SHOWN_BY_PAGE = /^(\d+|undo|redo|next)\b/;

/**
 * Lets the reader of a page leave a recorded execution after any event, and choose what happens next, with the commands of `step`. The
 * system runs only when the reader asks for it.
 */
export class Branching {
  private stepping: Stepping | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private readonly ending = new AbortController();

  constructor(
    private readonly path: string,
    private readonly trace: Trace,
    private readonly originOf: () => Promise<Origin>,
  ) {}

  /** Begins after so many events of the recording. One request at a time: a session has one present. */
  begin(after: number): Promise<Branch> {
    return this.inTurn(async () => {
      await this.stepping?.close();
      const recording = this.trace.events.map(eventOf);
      const origin = await this.originOf();
      const undelivered = undeliveredOf(this.trace);
      this.stepping = await Stepping.begin({ origin, recording, undelivered, out: dirname(this.path) });
      // An action and what it brings about are one step.
      const steps = recording.slice(0, after).filter((event) => !isConsequence(event, recording)).length;
      if (steps > 0) await this.stepping.enter(`next ${steps}`, { signal: this.ending.signal });
      return this.present(this.stepping, []);
    });
  }

  /** Executes a command of `step`, such as the number of a choice. */
  enter(line: string): Promise<Branch> {
    return this.inTurn(async () => {
      const { stepping } = this;
      if (stepping === undefined) throw new BadCommand('there is no branch.', 'Begin one: Branch from here.');
      const { lines } = await stepping.enter(line, { signal: this.ending.signal });
      return this.present(stepping, SHOWN_BY_PAGE.test(line) ? [] : lines);
    });
  }

  /** Interrupts what is under way: programs that a branch has started must not outlive it. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.last.catch(() => undefined);
    await this.stepping?.close();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.catch(() => undefined).then(work);
    this.last = next;
    return next;
  }

  private present({ track, choices }: Stepping, lines: readonly string[]): Branch {
    const { origin, session, isOver, outcome } = track;
    const trace = writtenAsItHappened(origin, session, track.lines, outcome);
    const [execution] = exhibitOf([{ file: `branch of ${basename(this.path)}`, trace }]).executions;
    if (execution === undefined) throw new Error('an exhibit has an execution');
    return {
      execution,
      choices: isOver ? [] : choices.map(({ who, what, note }) => ({ who, what, note })),
      isOver,
      lines: [...lines],
    };
  }
}
