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

/** Measures something, all at once or row by row; whoever runs it fills in the bench. */
type Part = () => readonly Measured[] | Promise<readonly Measured[]> | AsyncIterable<Measured>;

export type Measured = Omit<Row, 'bench'>;

/** Parts by name. Each runs in a process of its own, so that none sees the heap and the compiled code of another. */
export type Bench = Readonly<Record<string, Part>>;
