import { readFileSync, writeFileSync } from 'node:fs';
import type { Measured } from '../row.ts';
import type { CaseRow } from './case.ts';
import { chartsInRows, type Chart } from './chart.ts';

/** Rows of table 6.1, one for each study: `npm run bench -- sts --only table --json`. */
const BASELINE = new URL('../baselines/sts.jsonl', import.meta.url);

/** Figure 6.1 of the thesis. */
const FIGURE = new URL('../../docs/sts-minimizing.svg', import.meta.url);

/** Draws how minimizing made each recording of the baseline smaller. */
export function* figure(): Generator<Measured> {
  const rows = readFileSync(BASELINE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CaseRow);
  writeFileSync(FIGURE, chartsInRows(rows.map(sizesOver), 4));
  yield { case: 'figure 6.1', metric: 'studies', value: rows.length, unit: '' };
}

const sizesOver = ({ case: title, sizes }: CaseRow): Chart => ({
  title,
  x: { label: 'replays' },
  y: { label: 'inputs' },
  series: [{ name: 'inputs', points: sizes, isStepped: true }],
});
