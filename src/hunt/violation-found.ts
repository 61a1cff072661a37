import { violationLines } from '../explain/violation.ts';
import { printable } from '../text/printable.ts';
import type { Trace } from '../trace/format.ts';
import { fileLines, type ShownTrace } from './saved-findings.ts';

/** The error of a failing test: the story, the file, and the command that replays it. */
export class ViolationFound extends Error {
  /** The name of the error, for test runners. */
  override readonly name = 'ViolationFound';
  // Private: test runners print the public fields of an error, which repeat the story.
  readonly #trace: Trace;
  readonly #path: string | undefined;

  /** `when` is `earlier` if a saved trace of an earlier hunt still fails. */
  constructor(shown: ShownTrace & { readonly why?: string | undefined }, when: 'now' | 'earlier') {
    const { trace, path, unsaved, whyNot, reproduction, why } = shown;
    const { seed, options } = trace.header;
    const by = `found     ${when === 'earlier' ? 'earlier, ' : ''}by seed ${seed}, ${options.strategy}`;
    const lines = [...violationLines(trace, { why, whyNot, reproduction }), '', by, ...fileLines(shown)];
    super(lines.map(printable).join('\n'));
    this.#trace = trace;
    this.#path = unsaved === undefined ? path : undefined;
  }

  /** Reports of test runners, such as JUnit files, get the story alone: they would print the whole trace. */
  toJSON(): { readonly name: string; readonly message: string } {
    return { name: this.name, message: this.message };
  }

  /** The minimized execution, or the one that was found if it was not minimized. */
  get trace(): Trace {
    return this.#trace;
  }

  /** Its file; undefined if it could not be saved. */
  get path(): string | undefined {
    return this.#path;
  }
}
