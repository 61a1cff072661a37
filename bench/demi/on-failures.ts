import type { PartOptions, Report } from '../row.ts';
import { failures, type Failure } from './failures.ts';

/** A part that applies each of these measurements to every chosen execution, one row for each. */
export const onFailures =
  <Thing, Row extends object>(
    things: readonly Thing[],
    row: (failure: Failure, thing: Thing) => Promise<Row>,
    shown: (rows: readonly Row[]) => string,
    /** The number of listed executions of each bug, if no seeds are given. */
    listedMax = Number.POSITIVE_INFINITY,
  ) =>
  (options: PartOptions): Report => ({
    rows: rowsOf(failures(options, listedMax), things, row),
    shown: (rows) => shown(rows as readonly Row[]),
  });

async function* rowsOf<Thing, Row>(
  chosen: AsyncIterable<Failure>,
  things: readonly Thing[],
  row: (failure: Failure, thing: Thing) => Promise<Row>,
): AsyncGenerator<Row> {
  for await (const failure of chosen) for (const thing of things) yield await row(failure, thing);
}
