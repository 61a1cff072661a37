import { violationLines } from '../explain/violation.ts';
import type { MinimizedSaved, NotMinimized } from '../minimize/minimize-saved.ts';
import type { Reproduction } from '../minimize/flaky.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-word.ts';
import type { SavedTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';

/** The trace that is shown of a finding: the minimized execution if there is one. */
export interface Shown extends SavedTrace {
  /** The file of the execution as it was found, if the shown one is another. */
  readonly found?: string;
  /** Other violations that happened during minimization. */
  readonly others?: readonly SavedTrace[];
  /** How often the violation happened in replays, if that was tried. */
  readonly reproduction?: Reproduction;
  /** Why the finding was not minimized, although it should have been. */
  readonly whyNot?: string;
}

/** The error of a failing test: the story, the file, and the command that shows it again. */
export class ViolationFound extends Error {
  override readonly name = 'ViolationFound';
  // No fields: test runners print the fields of an error, and the story says it better.
  readonly #trace: Trace;
  readonly #path: string | undefined;

  /** `earlier`: the violation is of an earlier hunt, and still happens. */
  constructor(shown: Shown, when: 'now' | 'earlier') {
    const { trace, path, unsaved, whyNot, reproduction } = shown;
    const { seed, options } = trace.header;
    const by = `found     ${when === 'earlier' ? 'earlier, ' : ''}by seed ${seed}, ${options.strategy}`;
    const lines = [...violationLines(trace, { whyNot, reproduction }), '', by, ...pointers(shown)];
    super(lines.map(printable).join('\n'));
    this.#trace = trace;
    this.#path = unsaved === undefined ? path : undefined;
  }

  /** The minimized execution, or the one that was found. */
  get trace(): Trace {
    return this.#trace;
  }

  /** The file of the trace; undefined if it could not be saved. */
  get path(): string | undefined {
    return this.#path;
  }
}

/** Shows the result of minimizing a finding. */
export const shownOf = (saved: SavedTrace, minimized: MinimizedSaved | NotMinimized | undefined): Shown => {
  if (minimized === undefined) return saved;
  if ('why' in minimized) return { ...saved, whyNot: minimized.why };
  const { trace, path, unsaved, others, reproduction } = minimized;
  const shown = { trace, path, others, reproduction, ...(unsaved === undefined ? {} : { unsaved }) };
  return saved.unsaved === undefined ? { ...shown, found: saved.path } : shown;
};

/** The file of the trace, files of other violations, and the commands that show them. */
export function pointers(shown: Shown, isOver = isMinimal(shown.trace.header)): string[] {
  const { path, unsaved, found, others = [] } = shown;
  const also = others.map(alsoLine);
  if (unsaved !== undefined)
    return [
      `unsaved   ${unsaved.message}`,
      ...(found === undefined ? [] : [`saved     ${found}, before minimizing`]),
      ...also,
    ];
  return [
    `saved     ${path}`,
    ...(found === undefined ? [] : [`          ${found}, before minimizing`]),
    ...also,
    `replay    npx culprit replay ${shellWord(path)}`,
    ...(isOver ? [] : [`resume    npx culprit minimize ${shellWord(path)}`]),
  ];
}

const alsoLine = ({ trace, path, unsaved }: SavedTrace): string =>
  `also      ${unsaved === undefined ? path : 'not saved'}, found on the way: ${messageOf(trace)}`;

const isMinimal = ({ minimized }: Trace['header']): boolean =>
  minimized === undefined || minimized.certificate !== undefined;

const messageOf = ({ verdict }: Trace): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;
