import type { PartOptions, Report } from '../row.ts';
import { failures, type Failure } from './failures.ts';

/** A part that does each of these things to every chosen execution, one row for each. */
export const onFailures =
  <Thing, Row extends object>(
    things: readonly Thing[],
    row: (failure: Failure, thing: Thing) => Promise<Row>,
    shown: (rows: readonly Row[]) => string,
  ) =>
  (options: PartOptions): Report => ({
    rows: rowsOf(options, things, row),
    shown: (rows) => shown(rows as readonly Row[]),
  });

async function* rowsOf<Thing, Row>(
  options: PartOptions,
  things: readonly Thing[],
  row: (failure: Failure, thing: Thing) => Promise<Row>,
): AsyncGenerator<Row> {
  for await (const failure of failures(options)) for (const thing of things) yield await row(failure, thing);
}
