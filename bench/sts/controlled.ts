import { loadavg } from 'node:os';
import { minimized, NoRecording, recorded } from '../../cases/networks/gates.ts';
import type { Study } from '../../cases/networks/studies.ts';
import type { Report } from '../row.ts';
import { columns, exact } from '../table.ts';
import { caseName, presentStudies } from './case.ts';

/** Controllers never stop setting timers: executions end here. */
const EVENTS_MAX = 20_000;

/** A row is bounded by so many executions, and not by time. */
const EXECUTIONS_MAX = 20_000;

/** A row of the studies in memory. */
interface ControlledRow {
  readonly case: string;
  /** In the recording. */
  readonly inputs: number;
  /** Left by minimizing. */
  readonly mcs: number;
  readonly executions: number;
  readonly seconds: number;
  readonly certificate: string;
  readonly paperInputs: number;
  readonly paperMcs: number;
  readonly load: number;
}

/** The same studies with their controllers in memory, where culprit decides about every message and timer: replays are exact. */
export const controlled = (): Report => ({ rows: rows(), shown: (all) => shown(all as readonly ControlledRow[]) });

async function* rows(): AsyncGenerator<ControlledRow> {
  for (const study of presentStudies) {
    try {
      yield await row(study);
    } catch (error) {
      if (!(error instanceof NoRecording)) throw error;
      yield { case: caseName(study), ...NOTHING, paperInputs: study.published.inputs, paperMcs: study.published.mcs };
    }
  }
}

/** Of a study of which no execution was long enough. */
const NOTHING = { inputs: 0, mcs: 0, executions: 0, seconds: 0, certificate: 'no recording', load: 0 };

async function row(study: Study): Promise<ControlledRow> {
  const trace = await recorded(study, { set: { live: false }, eventsMax: EVENTS_MAX });
  const { inputs, schedules, seconds, certificate } = await minimized(study, trace, {
    schedules: EXECUTIONS_MAX,
    seconds: Number.MAX_SAFE_INTEGER,
  });
  return {
    case: caseName(study),
    inputs: inputs?.recorded.inputs ?? 0,
    mcs: inputs?.left.inputs ?? 0,
    executions: schedules,
    seconds,
    certificate: certificate ?? 'none',
    paperInputs: study.published.inputs,
    paperMcs: study.published.mcs,
    load: loadavg()[0] as number,
  };
}

function shown(all: readonly ControlledRow[]): string {
  const head = ['case', 'inputs', '(paper)', 'MCS', '(paper)', 'executions', 'seconds', 'certificate', 'load'];
  const cells = all.map((one) => [
    one.case,
    ...[one.inputs, one.paperInputs, one.mcs, one.paperMcs, one.executions, Math.round(one.seconds)].map(exact),
    one.certificate,
    exact(Math.round(one.load)),
  ]);
  return columns([head, ...cells], (column) => column > 0);
}
