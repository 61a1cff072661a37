import { align, type Exhibit, type Live, type Reason, type Why } from 'culprit/trace';
import { Execution } from './execution.ts';
import { foldsOf, type Fold } from './folds.ts';
import { Lines, NONE, type Side } from './lines.ts';

/** An exhibit, prepared for display. */
export class Scene {
  readonly title: string;
  readonly executions: readonly Execution[];
  readonly lines: Lines;
  readonly why: Why | undefined;
  readonly reasons: readonly Reason[];
  readonly live: Live | undefined;
  private idle: Uint8Array | undefined;
  private folds: readonly (Fold | undefined)[] | undefined;

  constructor(
    exhibit: Exhibit,
    /** Where the cursor goes if this scene replaces another one; by default it stays at its event. */
    readonly focus?: { readonly side: Side; readonly event: number },
  ) {
    const [left, right] = exhibit.executions;
    if (left === undefined) throw new Error('an exhibit has an execution');
    this.title = exhibit.title;
    this.why = exhibit.why;
    this.reasons = exhibit.reasons ?? [];
    this.live = exhibit.live;
    this.executions = exhibit.executions.slice(0, 2).map((shown) => new Execution(shown));
    const size = left.trace.events.length;
    this.lines = right
      ? Lines.ofTwo(align(left.trace, right.trace), size, right.trace.events.length)
      : Lines.ofOne(size);
  }

  execution(side: Side): Execution {
    return this.executions[side] ?? (this.executions[0] as Execution);
  }

  /** The initial cursor: the violation, or the divergence of two executions. */
  get start(): { readonly side: Side; readonly event: number } {
    const { divergence } = this.lines;
    if (divergence === undefined) return { side: 0, event: this.execution(0).events.length - 1 };
    const side = this.lines.eventOn(divergence, 0) === NONE ? 1 : 0;
    return { side, event: this.lines.eventOn(divergence, side) };
  }

  /** Whether a line is irrelevant to the violation on both sides, and no difference between them. */
  isIdle(line: number): boolean {
    this.idle ??= this.findIdle();
    return this.idle[line] === 1;
  }

  /** The fold of a line, if it may be folded. */
  foldOf(line: number): Fold | undefined {
    this.folds ??= foldsOf(this);
    return this.folds[line];
  }

  private findIdle(): Uint8Array {
    const known = this.lines.sides.filter((side) => this.execution(side).relevance !== undefined);
    const idle = new Uint8Array(this.lines.length).fill(known.length === 0 ? 0 : 1);
    for (let line = 0; line < idle.length; line++) if (this.lines.how(line) !== 'same') idle[line] = 0;
    for (const side of known) {
      for (const [event, mark] of this.execution(side).relevance?.entries() ?? []) {
        if (mark === 1) idle[this.lines.lineOf(side, event)] = 0;
      }
    }
    return idle;
  }
}
