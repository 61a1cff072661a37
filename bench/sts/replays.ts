import { loadavg } from 'node:os';
import { recorded } from '../../cases/networks/gates.ts';
import { nondeterministicLoop, systemOf } from '../../cases/networks/studies.ts';
import type { Report } from '../row.ts';
import { columns, exact } from '../table.ts';
import { JOBS } from './case.ts';
import { withFixedReplays } from './fixed-replays.ts';

/** Table 6.2 of the thesis: the size that is left, by the maximum of replays of each candidate. */
const published: Readonly<Record<number, number>> = { 1: 65, 2: 20, 3: 15, 4: 12, 5: 9, 6: 9, 7: 9, 8: 6, 9: 6, 10: 6 };

interface ReplaysRow {
  readonly replaysMax: number;
  readonly mcs: number;
  readonly paperMcs: number;
  readonly replays: number;
  readonly seconds: number;
  readonly load: number;
}

/** A loop that comes in half of all executions, minimized with ever more replays of each candidate. */
export const replays = (): Report => ({ rows: rows(), shown: (all) => shown(all as readonly ReplaysRow[]) });

async function* rows(): AsyncGenerator<ReplaysRow> {
  const system = await systemOf(nondeterministicLoop);
  const trace = await recorded(nondeterministicLoop, { jobs: JOBS });
  for (const [given, paperMcs] of Object.entries(published)) {
    const replaysMax = Number(given);
    const beganMs = performance.now();
    const left = await withFixedReplays(system, trace, replaysMax);
    const seconds = (performance.now() - beganMs) / 1000;
    yield { replaysMax, mcs: left.inputs, paperMcs, replays: left.replays, seconds, load: loadavg()[0] as number };
  }
}

function shown(all: readonly ReplaysRow[]): string {
  const head = ['replays of a candidate', 'MCS', '(paper)', 'replays', 'seconds', 'load'];
  const cells = all.map(({ seconds, load, ...row }) =>
    [row.replaysMax, row.mcs, row.paperMcs, row.replays, Math.round(seconds), Math.round(load)].map(exact),
  );
  return columns([head, ...cells], () => true);
}
