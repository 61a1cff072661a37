import { CulpritError } from '../error.ts';
import { originOf, reproduce, violationIn } from '../replay/replay.ts';
import { REPLAYS, sampledReplay } from '../replay/sampled-replay.ts';
import type { Origin } from '../execution/record.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Trace } from '../trace/format.ts';
import { isTraceOf, loadTrace, tracesIn } from '../files/trace-file.ts';
import type { CheckResult, DoctorSubject } from './check.ts';

/** Whether saved traces of this system still replay. */
export async function traces(subject: DoctorSubject): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const paths = pathsIn(subject);
  if ('check' in paths) return [paths];
  for (const path of paths) results.push(...(await replayed(subject, path)));
  // Every rate is of interest.
  if (!subject.system.guarantees.repeatable) return results;
  const broken = results.filter(({ level }) => level !== 'ok');
  if (results.length === 0 || broken.length > 0) return broken;
  return [
    {
      check: 'traces',
      level: 'ok',
      message: `traces: all traces in ${subject.directory} still replay (${results.length})`,
    },
  ];
}

/** The traces to replay, or why the folder cannot be read. */
function pathsIn({ directory }: DoctorSubject): readonly string[] | CheckResult {
  try {
    return tracesIn(directory);
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { check: 'traces', level: 'warning', message: `traces: ${error.message}`, next: error.next };
  }
}

async function replayed({ source, module, system, executions }: DoctorSubject, path: string): Promise<CheckResult[]> {
  try {
    const trace = loadTrace(path);
    if (!isTraceOf(trace, module, system.parameters)) return [];
    if (!system.guarantees.repeatable)
      return [await sampled(executions.stoppable(originOf(source, trace)), trace, path)];
    await reproduce(originOf(source, trace), trace);
    return [{ check: 'traces', level: 'ok', message: `traces: ${path} replays` }];
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    const next = 'If you changed the system on purpose, delete the trace and hunt again.';
    return [
      { check: 'traces', level: 'warning', message: `traces: ${path} no longer replays: ${error.message}`, next },
    ];
  }
}

/** Replays of a system that is not repeatable are counted. */
async function sampled(origin: Origin, trace: Trace, path: string): Promise<CheckResult> {
  const violation = violationIn(trace);
  if (violation === undefined) return { check: 'traces', level: 'ok', message: `traces: ${path} has no violation` };
  const { reproduced, replays, unknown } = await sampledReplay(origin, trace, violation, { replays: REPLAYS });
  const undecided = unknown === 0 ? '' : `, ${unknown} unknown`;
  const message = `traces: ${path}: reproduced in ${reproduced} of ${replays} replays${undecided}`;
  if (reproduced > 0) return { check: 'traces', level: 'ok', message };
  return {
    check: 'traces',
    level: 'warning',
    message,
    next: `Replay it more often: culprit replay --replays 100 ${shellWord(path)}`,
  };
}
