import { writeFileSync } from 'node:fs';
import type { Report } from '../row.ts';
import { columns, exact } from '../table.ts';
import { caseName, minimizedCase, presentStudies, recordedCase, type CaseRow } from './case.ts';
import { chartsInRows, type Chart, type Point } from './chart.ts';
import type { Study } from '../../cases/networks/studies.ts';

/** Figure 6.1 of the thesis. */
const FIGURE = new URL('../../docs/sts-minimizing.svg', import.meta.url);

/** Table 6.1 of the thesis: all studies, recorded and minimized. Draws figure 6.1, too. */
export const allCases = (): Report => ({ rows: rowsOf(presentStudies, true), shown: shownRows });

/** One of them, without the figure. */
export const oneCase = (study: Study) => (): Report => ({ rows: rowsOf([study], false), shown: shownRows });

async function* rowsOf(studies: readonly Study[], isDrawn: boolean): AsyncGenerator<CaseRow> {
  const charts: Chart[] = [];
  for (const study of studies) {
    const { row, sizes } = await minimizedCase(await recordedCase(study));
    charts.push(sizesOver(caseName(study), sizes));
    yield row;
  }
  if (isDrawn) writeFileSync(FIGURE, chartsInRows(charts, 4));
}

const sizesOver = (title: string, points: readonly Point[]): Chart => ({
  title,
  x: { label: 'replays' },
  y: { label: 'inputs' },
  series: [{ name: 'inputs', points, isStepped: true }],
});

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
