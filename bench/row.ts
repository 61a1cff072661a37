/** One measured number. */
export interface Row {
  readonly bench: string;
  readonly case: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** What we want it to be, such as `>= 1000000`. */
  readonly target?: string;
}

/** Rows of another shape, and what people are shown of them. */
export interface Report {
  readonly rows: AsyncIterable<object>;
  readonly shown: (rows: readonly object[]) => string;
}

export interface PartOptions {
  /** Seeds to look for failing executions; where it is missing, those that are listed. */
  readonly seeds: readonly [from: number, to: number] | undefined;
}

/** Measures something, all at once or row by row; whoever runs it fills in the bench. */
type Part = (
  options: PartOptions,
) => readonly Measured[] | Promise<readonly Measured[]> | AsyncIterable<Measured> | Report;

export type Measured = Omit<Row, 'bench'>;

/** Parts by name. Each runs in a process of its own, so that none sees the heap and the compiled code of another. */
export type Bench = Readonly<Record<string, Part>>;
