import type { Report } from '../row.ts';
import { columns, exact } from '../table.ts';
import { minimizedCase, presentStudies, recordedCase, type CaseRow } from './case.ts';
import type { Study } from '../../cases/networks/studies.ts';

/** Table 6.1 of the thesis: all studies, recorded and minimized. */
export const allCases = (): Report => ({ rows: rowsOf(presentStudies), shown: shownRows });

/** One of them. */
export const oneCase = (study: Study) => (): Report => ({ rows: rowsOf([study]), shown: shownRows });

async function* rowsOf(studies: readonly Study[]): AsyncGenerator<CaseRow> {
  for (const study of studies) yield await minimizedCase(await recordedCase(study));
}

const shownRows = (rows: readonly object[]): string => shown(rows as readonly CaseRow[]);

function shown(rows: readonly CaseRow[]): string {
  const head = [
    'case',
    'inputs',
    '(paper)',
    'MCS',
    '(paper)',
    'replays',
    'seconds',
    '(paper)',
    'rate',
    'of MCS',
    'pace',
    'jobs',
    'load',
  ];
  const cells = rows.map((row) => [
    row.case,
    exact(row.inputs),
    exact(row.paperInputs),
    exact(row.mcs),
    exact(row.paperMcs),
    exact(row.replays),
    exact(Math.round(row.seconds)),
    row.paperSeconds === undefined ? '–' : exact(row.paperSeconds),
    exact(row.rate),
    exact(row.mcsRate),
    exact(row.pace),
    exact(row.jobs),
    exact(Math.round(row.load)),
  ]);
  return columns([head, ...cells], (column) => column > 0);
}
