import { violationLines } from './explain/violation.ts';
import type { MinimizedSaved, NotMinimized, SavedTrace } from './minimize-saved.ts';
import type { Reproduction } from './minimize/repeats.ts';
import { printable } from './printable.ts';
import { shellWord } from './shell-word.ts';
import type { Trace } from './trace/format.ts';

/** What is shown of a finding: the minimised execution, where there is one. */
export interface Shown extends SavedTrace {
  /** The execution as it was found, where that is another file. */
  readonly found?: string;
  /** Other violations met while it was minimised. */
  readonly others?: readonly SavedTrace[];
  /** How often it came when it was replayed, where that was tried. */
  readonly reproduction?: Reproduction;
  /** Why it was not minimised, where it should have been. */
  readonly whyNot?: string;
}

/** What a test fails with: the story, the file, and the command that shows it again. */
export class ViolationFound extends Error {
  override readonly name = 'ViolationFound';
  // No fields: test runners print the fields of an error, and the story says it better.
  readonly #trace: Trace;
  readonly #path: string;

  /** `when` says whether it is the violation of an earlier hunt that has come again. */
  constructor(shown: Shown, when: 'now' | 'earlier') {
    const { trace, path, whyNot, reproduction } = shown;
    const { seed, options } = trace.header;
    const by = `found     ${when === 'earlier' ? 'earlier, ' : ''}by seed ${seed}, ${options.strategy}`;
    const lines = [...violationLines(trace, { whyNot, reproduction }), '', by, ...pointers(shown)];
    super(lines.map(printable).join('\n'));
    this.#trace = trace;
    this.#path = path;
  }

  /** The minimised execution, where there is one. */
  get trace(): Trace {
    return this.#trace;
  }

  /** The file it is kept in. */
  get path(): string {
    return this.#path;
  }
}

/** Shows what came of minimising a finding. */
export const shownOf = (saved: SavedTrace, minimized: MinimizedSaved | NotMinimized | undefined): Shown => {
  if (minimized === undefined) return saved;
  if ('why' in minimized) return { ...saved, whyNot: minimized.why };
  const { trace, path, others, reproduction } = minimized;
  return { trace, path, others, reproduction, found: saved.path };
};

/** Where it is kept, what else is, and how to see it again. */
export function pointers({ trace: { header }, path, found, others = [] }: Shown, isOver = isMinimal(header)): string[] {
  return [
    `saved     ${path}`,
    ...(found === undefined ? [] : [`          ${found}, as it was found`]),
    ...others.map((other) => `also      ${other.path}, met on the way: ${messageOf(other.trace)}`),
    `again     npx culprit replay ${shellWord(path)}`,
    ...(isOver ? [] : [`go on     npx culprit minimize ${shellWord(path)}`]),
  ];
}

const isMinimal = ({ minimized }: Trace['header']): boolean =>
  minimized === undefined || minimized.certificate !== undefined;

const messageOf = ({ verdict }: Trace): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;
