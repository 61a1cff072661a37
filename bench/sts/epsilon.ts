import { loadavg } from 'node:os';
import { recheck } from 'culprit';
import { moduleOf, study } from '../../cases/networks/studies.ts';
import type { Measured } from '../row.ts';
import { JOBS, recordedCase } from './case.ts';

/** The in-flight blackhole, on which the thesis varied ε (6.0.18). */
const STUDY = 3;

const EPSILONS_MS = [1, 5, 10, 25, 50, 100, 250] as const;

/** Only the first replay of a recording waits as it is told; later ones adapt. */
const SAMPLES = 5;

/** How many recorded events replays give up, by how much longer than in the recording they await them. */
export async function* epsilon(): AsyncGenerator<Measured> {
  const one = study(STUDY);
  const { system, trace } = await recordedCase(one);
  for (const epsilonMs of EPSILONS_MS) {
    const parameters = { ...trace.header.parameters, epsilonMs };
    const given = { ...trace, header: { ...trace.header, parameters } };
    const samples = await inTurns(SAMPLES, () =>
      recheck(system, given, { replays: 1, jobs: JOBS, module: moduleOf(one) }),
    );
    const replays = samples.flatMap((sample) => (sample.answer === 'sampled' ? sample.byReplay : []));
    const name = `ε = ${epsilonMs} ms`;
    const mean = (of: 'absent' | 'matched'): number => replays.reduce((sum, replay) => sum + replay[of], 0) / SAMPLES;
    yield { case: name, metric: 'events given up', value: mean('absent'), unit: 'a replay' };
    yield { case: name, metric: 'events matched', value: mean('matched'), unit: 'a replay' };
    yield { case: name, metric: 'load', value: loadavg()[0] as number, unit: '' };
  }
}

async function inTurns<T>(times: number, once: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let nth = 0; nth < times; nth++) all.push(await once());
  return all;
}
