import type { Alignment } from 'culprit/trace';

/** One of two executions: 0 is the left or only one. */
export type Side = 0 | 1;

export type How = Alignment['rows'][number]['how'];

/** Stands for no event. */
export const NONE = -1;

/**
 * All lines from top to bottom: the events of one execution, one line each, or of two aligned executions. Events are
 * named by their index; files count from 1.
 */
export class Lines {
  readonly length: number;
  /** The first line that differs. */
  readonly divergence: number | undefined;
  private readonly events: readonly Int32Array[];
  private readonly lines: readonly Int32Array[];
  /** By line: the last event of a side at or before it. */
  private readonly latest: readonly Int32Array[];
  private readonly ways: readonly How[] | undefined;

  private constructor(columns: readonly Int32Array[], sizes: readonly number[], alignment?: Alignment) {
    this.events = columns;
    this.length = columns[0]?.length ?? 0;
    this.divergence = alignment?.divergence;
    this.ways = alignment?.rows.map(({ how }) => how);
    this.lines = columns.map((column, side) => inverted(column, sizes[side] as number));
    this.latest = columns.map(latestOf);
  }

  static ofOne(events: number): Lines {
    return new Lines([Int32Array.from({ length: events }, (_, at) => at)], [events]);
  }

  static ofTwo(alignment: Alignment, left: number, right: number): Lines {
    const { rows } = alignment;
    const column = (part: 'left' | 'right'): Int32Array => Int32Array.from(rows, (row) => (row[part] ?? 0) - 1);
    return new Lines([column('left'), column('right')], [left, right], alignment);
  }

  get sides(): readonly Side[] {
    return this.events.length === 2 ? [0, 1] : [0];
  }

  /** The event of a side on a line; NONE if it has none. */
  eventOn(line: number, side: Side): number {
    return this.events[side]?.[line] ?? NONE;
  }

  /** The last event of a side at or before a line; NONE before its first event. */
  latestOn(line: number, side: Side): number {
    return this.latest[side]?.[line] ?? NONE;
  }

  lineOf(side: Side, event: number): number {
    return this.lines[side]?.[event] ?? 0;
  }

  /** How the two sides of a line compare; a single execution is the same as itself. */
  how(line: number): How {
    return this.ways?.[line] ?? 'same';
  }
}

function inverted(column: Int32Array, size: number): Int32Array {
  const lines = new Int32Array(size);
  for (const [line, event] of column.entries()) if (event !== NONE) lines[event] = line;
  return lines;
}

function latestOf(column: Int32Array): Int32Array {
  let latest = NONE;
  return column.map((event) => (latest = event === NONE ? latest : event));
}
