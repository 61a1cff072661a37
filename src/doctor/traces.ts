import { CulpritError } from '../error.ts';
import { originOf, reproduce } from '../replay/replay.ts';
import { isTraceOf, loadTrace, tracesIn } from '../files/trace-file.ts';
import type { CheckResult, Subject } from './check.ts';

/** Whether saved traces of this system still replay. */
export async function traces(subject: Subject): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const paths = pathsIn(subject);
  if ('check' in paths) return [paths];
  for (const path of paths) results.push(...(await replayed(subject, path)));
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
function pathsIn({ directory }: Subject): readonly string[] | CheckResult {
  try {
    return tracesIn(directory);
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { check: 'traces', level: 'warning', message: `traces: ${error.message}`, next: error.next };
  }
}

async function replayed({ source, module, system }: Subject, path: string): Promise<CheckResult[]> {
  try {
    const trace = loadTrace(path);
    if (!isTraceOf(trace, module, system.parameters)) return [];
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
