import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fatTree } from 'culprit/networks';
import { runNetwork, type NetworkRun } from '../networks/network-run.ts';
import { overSockets } from '../networks/sockets.ts';
import type { Measured } from '../row.ts';
import { chartsInRows, type Point } from './chart.ts';

/** Figure 6.2 of the thesis. */
const FIGURE = new URL('../../docs/sts-fat-trees.svg', import.meta.url);

/** The largest of the thesis has 45 pods. */
const PODS = [4, 10, 16, 22, 30, 38, 45] as const;

/** Fat trees that connect to a controller, with one link in twenty cut: the time that it takes by the number of switches. */
export async function* fatTrees(): AsyncGenerator<Measured> {
  // The first run also pays for the compiler.
  await runNetwork(() => fatTree(PODS[0]), overSockets);
  const runs: NetworkRun[] = [];
  for (const pods of PODS) {
    const run = await runNetwork(() => fatTree(pods), overSockets);
    runs.push(run);
    const name = `fatTree(${pods})`;
    yield { case: name, metric: 'switches', value: run.switches, unit: '' };
    yield { case: name, metric: 'time', value: run.ended.seconds, unit: 's' };
    yield { case: name, metric: 'processor time', value: run.ended.cpuSeconds, unit: 's' };
    yield { case: name, metric: 'load', value: loadavg()[0] as number, unit: '' };
  }
  const points = (of: 'seconds' | 'cpuSeconds'): Point[] => runs.map(({ switches, ended }) => [switches, ended[of]]);
  const chart = {
    title: 'Fat trees: connected, 5 % of links cut',
    x: { label: 'switches' },
    y: { label: 'seconds' },
    series: [
      { name: 'time', points: points('seconds') },
      { name: 'processor time', points: points('cpuSeconds') },
    ],
  };
  writeFileSync(FIGURE, chartsInRows([chart], 1));
}
