import { loadavg } from 'node:os';
import { isInternal, eventOf, type Trace } from 'culprit/trace';
import type { Report } from '../row.ts';
import { columns, exact } from '../table.ts';
import { partAt } from '../trace-part.ts';
import { caseName, presentStudies, rateOf, recordedCase, type RecordedCase } from './case.ts';

type Way = (trace: Trace) => Trace | undefined;

/** A peek replays the part before each input: too often where there are many. */
const PEEKED_MAX = 50;

const withParameters = (trace: Trace, given: Trace['header']['parameters']): Trace => ({
  ...trace,
  header: { ...trace.header, parameters: { ...trace.header.parameters, ...given } },
});

/** Each adds something to the one before (thesis, 5.0.7). */
const ways: Readonly<Record<string, Way>> = {
  /** Inputs come at their recorded times, and nothing is awaited. */
  clock: (trace) => partAt(trace, (at) => !isInternal(eventOf(trace.events[at] as Trace['events'][number]))),
  waiting: (trace) => withParameters(trace, { passes: 'none' }),
  keepalives: (trace) => withParameters(trace, { passes: 'keepalives' }),
  frames: (trace) => trace,
  peek: (trace) => {
    const inputs = trace.events.filter((line) => !isInternal(eventOf(line))).length;
    return inputs > PEEKED_MAX ? undefined : withParameters(trace, { peeks: true });
  },
};

type AblationRow = Readonly<Record<string, string | number | undefined>>;

/** How often replays of each recording show its violation, by what replays do. */
export const ablation = (): Report => ({ rows: rows(), shown });

async function* rows(): AsyncGenerator<AblationRow> {
  for (const study of presentStudies) {
    const recording = await recordedCase(study);
    const rates: Record<string, number | undefined> = {};
    for (const [name, way] of Object.entries(ways)) rates[name] = await rateBy(way, recording);
    yield { case: caseName(study), ...rates, load: loadavg()[0] as number };
  }
}

async function rateBy(way: Way, recording: RecordedCase): Promise<number | undefined> {
  const trace = way(recording.trace);
  return trace === undefined ? undefined : await rateOf({ ...recording, trace });
}

function shown(all: readonly object[]): string {
  const head = ['case', ...Object.keys(ways), 'load'];
  const cells = (all as readonly AblationRow[]).map((row) =>
    head.map((name) => {
      const value = row[name];
      return typeof value === 'number' ? exact(value) : (value ?? '–');
    }),
  );
  return columns([head, ...cells], (column) => column > 0);
}
