/** One measured number. */
export interface Row {
  readonly bench: string;
  readonly case: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** The target, such as `>= 1000000`. */
  readonly target?: string;
}

/** Rows of another shape, and their table. */
export interface Report {
  readonly rows: AsyncIterable<object>;
  readonly shown: (rows: readonly object[]) => string;
}

export interface PartOptions {
  /** Seeds to search for failing executions; by default, the listed ones. */
  readonly seeds: readonly [from: number, to: number] | undefined;
}

/** Measures something, all at once or row by row; `main.ts` fills in the name of the bench. */
type Part = (
  options: PartOptions,
) => Iterable<Measured> | Promise<readonly Measured[]> | AsyncIterable<Measured> | Report;

export type Measured = Omit<Row, 'bench'>;

/** Parts by name. Each runs in its own process, so that none shares a heap or compiled code with another. */
export type Bench = Readonly<Record<string, Part>>;
