import { loadavg } from 'node:os';
import { hunted, scripted, withoutBug } from '../../cases/networks/gates.ts';
import type { Report } from '../row.ts';
import { columns } from '../table.ts';
import { caseName, JOBS, presentStudies } from './case.ts';

/** Executions of the script. */
const SCRIPTED = 10;

interface GateRow {
  readonly case: string;
  /** Violations without the bug, in 200 rounds. */
  readonly falseAlarms: number;
  /** The executions that a hunt needs; 0 if it finds nothing in 20. */
  readonly huntedIn: number;
  /** The share of executions of the script that show the violation. */
  readonly scriptRate: number;
  readonly load: number;
}

/** What each study has to do besides being minimized: hold without its bug, be found by rates, and be shown by its script. */
export const gates = (): Report => ({ rows: rows(), shown: (all) => shown(all as readonly GateRow[]) });

async function* rows(): AsyncGenerator<GateRow> {
  for (const study of presentStudies) {
    const { findings: falseAlarms } = await withoutBug(study);
    const hunt = await hunted(study, { jobs: JOBS });
    let shownBy = 0;
    for (let seed = 0; seed < SCRIPTED; seed++)
      shownBy += (await scripted(study, { seed })).findings.length > 0 ? 1 : 0;
    yield {
      case: caseName(study),
      falseAlarms: falseAlarms.length,
      huntedIn: hunt.findings.length > 0 ? hunt.executions : 0,
      scriptRate: shownBy / SCRIPTED,
      load: loadavg()[0] as number,
    };
  }
}

function shown(all: readonly GateRow[]): string {
  const head = ['case', 'false alarms', 'found in execution', 'script', 'load'];
  const cells = all.map(({ case: name, falseAlarms, huntedIn, scriptRate, load }) => [
    name,
    String(falseAlarms),
    huntedIn === 0 ? '–' : String(huntedIn),
    `${100 * scriptRate} %`,
    String(Math.round(load)),
  ]);
  return columns([head, ...cells], (column) => column > 0);
}
