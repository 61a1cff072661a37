import { complete, compared, differenceText, type Outcome } from '../test/twins/trust/compare.ts';
import { familyNames } from '../test/twins/trust/families.ts';
import { familyOf, randomSystem } from '../test/twins/trust/random-system.ts';
import { largeRows, shownLarge, type LargeRow } from './large.ts';
import { mutantRows, shownMutants, type CommandRow } from './mutants.ts';
import type { Bench, PartOptions, Report } from './row.ts';
import { columns, exact } from './table.ts';

/** Number of compared systems, if no seeds are given. */
const SYSTEMS = 5_000;

/** The answers of the searches for the systems of one family. */
interface FamilyRow {
  readonly bench: 'trust';
  readonly family: string;
  systems: number;
  /** Systems that were too large, or had only one order. */
  discarded: number;
  holds: number;
  violated: number;
  refused: number;
  executions: number;
  readonly unknown: Record<string, number>;
  disagreements: number;
  seconds: number;
}

/**
 * `systems`: compares every search that claims to be complete with a brute force that shares no code with it, on random
 * systems. `opaque`: the same with states in private fields, which nothing can copy. `mutants`: gives damaged traces to every
 * command that reads one. `large`: gives whole traces of up to 100,000 events to these commands.
 */
export const trust: Bench = {
  systems: (options): Report => ({ rows: rows(options, false), shown: (all) => shown(all as readonly FamilyRow[]) }),
  opaque: (options): Report => ({ rows: rows(options, true), shown: (all) => shown(all as readonly FamilyRow[]) }),
  mutants: (options): Report => ({
    rows: mutantRows(options),
    shown: (all) => shownMutants(all as readonly CommandRow[]),
  }),
  large: (): Report => ({ rows: largeRows(), shown: (all) => shownLarge(all as readonly LargeRow[]) }),
};

async function* rows({ seeds }: PartOptions, isOpaque: boolean): AsyncGenerator<FamilyRow> {
  const families = new Map(familyNames.map((family) => [family, emptyRow(family)]));
  let compares = 0;
  const [from, to] = seeds ?? [1, Number.POSITIVE_INFINITY];
  for (let seed = from; seed <= to && (seeds !== undefined || compares < SYSTEMS); seed++) {
    // Nothing of a view is hidden: it is a copy.
    if (isOpaque && familyOf(seed) === 'hidden') continue;
    const row = families.get(familyOf(seed)) as FamilyRow;
    const before = performance.now();
    const outcome = await compared({ ...randomSystem(seed), isOpaque });
    row.seconds += (performance.now() - before) / 1000;
    add(outcome, row);
    if (outcome.truth !== undefined) compares += 1;
    if (outcome.differences.length === 0) continue;
    console.error(`${differenceText(outcome)}\n`);
    process.exitCode = 1;
  }
  yield* families.values();
}

const emptyRow = (family: string): FamilyRow => ({
  bench: 'trust',
  family,
  systems: 0,
  discarded: 0,
  holds: 0,
  violated: 0,
  refused: 0,
  executions: 0,
  unknown: Object.fromEntries(complete.map((search) => [search, 0])),
  disagreements: 0,
  seconds: 0,
});

function add({ truth, executions, unknown, differences }: Outcome, row: FamilyRow): void {
  if (truth === undefined) row.discarded += 1;
  else {
    row.systems += 1;
    row[truth] += 1;
  }
  row.executions += executions;
  for (const search of unknown) row.unknown[search] = (row.unknown[search] ?? 0) + 1;
  if (differences.length > 0) row.disagreements += 1;
}

const counted = ['systems', 'holds', 'violated', 'refused', 'executions'] as const;

/** One line per family with the number of systems that each search left unknown, and one for all. */
function shown(all: readonly FamilyRow[]): string {
  const met = all.filter(({ systems, discarded }) => systems + discarded > 0);
  const total = emptyRow('all');
  for (const row of met) {
    for (const what of [...counted, 'disagreements', 'seconds'] as const) total[what] += row[what];
    for (const search of complete) total.unknown[search] = (total.unknown[search] ?? 0) + (row.unknown[search] ?? 0);
  }
  const cells = [...met, total].map((row) => [
    row.family,
    ...counted.map((what) => exact(row[what])),
    ...complete.map((search) => exact(row.unknown[search] ?? 0)),
    exact(row.disagreements),
    row.seconds.toFixed(1),
  ]);
  const head = ['family', ...counted, ...complete.map((search) => `${search}?`), 'disagreements', 'seconds'];
  const note = 'Under a search: how many systems it did not know of.';
  return `${columns([head, ...cells], (column) => column > 0)}\n${note}`;
}
