import type { Session } from '../kernel/ports.ts';
import { keyOf, CallLog, type SourceCall } from '../determinism/call-log.ts';
import { watching } from '../determinism/watch.ts';
import { attempt, attemptsDiffer, naming } from '../determinism/attempt.ts';
import { plural } from '../text/plural.ts';
import type { Check, CheckResult, DoctorSubject } from './check.ts';
import { bySite, differenceBy, leakOf, leakText, remedyOf, type Leak } from '../determinism/diagnose.ts';
import { keptByBehaviors } from '../determinism/kept-fields.ts';

/** The maximum number of executions in which a line of code is tested. */
const TRIED_MAX = 3;

/** The maximum number of lines that are tested. */
const SITES_MAX = 20;

/** Replacing the globals takes longer than an execution, so they stay replaced during the whole check. */
export const leaks: Check = (subject, soFar) =>
  watching({ called: () => undefined }, async () => {
    const found = [...(await leakingCalls(subject)), ...keptFields(subject)];
    if (found.length === 0) return [noLeaks(subject)];
    // Leaks that an earlier check has reported are left out.
    const blamed = new Set(soFar.flatMap((result) => result.leaks ?? []).map(nameOf));
    return found.filter((result) => !result.leaks?.some((leak) => blamed.has(nameOf(leak))));
  });

const nameOf = ({ name, at }: Leak): string => `${name} ${at ?? ''}`;

const noLeaks = ({ traces }: DoctorSubject): CheckResult => ({
  check: 'leaks',
  level: 'ok',
  message: `leaks: no clock, random source, real timer, I/O or weak reference is used in ${plural(traces.size, 'execution')}`,
});

/** Data in the fields of behaviors, which all executions share. */
function keptFields({ system, keptBefore }: DoctorSubject): CheckResult[] {
  return [...keptByBehaviors(system)]
    .filter(([name, text]) => keptBefore.get(name) !== text)
    .map(([name]) => {
      const leak: Leak = { kind: 'state', name: `${name}, which outlives executions` };
      const message = `leaks: ${leak.name}, changed`;
      return { check: 'leaks', level: 'warning', message, next: remedyOf(leak), leaks: [leak] };
    });
}

/** Calls of functions that culprit does not control, and whether they matter. */
async function leakingCalls(subject: DoctorSubject): Promise<CheckResult[]> {
  const callers = new Map<string, { call: SourceCall; seeds: number[] }>();
  for (const seed of subject.executions.seeds) {
    for (const [key, call] of bySite(await callsIn(subject, seed))) {
      const caller = callers.get(key) ?? { call, seeds: [] };
      callers.set(key, caller);
      caller.seeds.push(seed);
    }
  }
  const results: CheckResult[] = [];
  for (const { call, seeds } of [...callers.values()].slice(0, SITES_MAX)) {
    results.push(await judged(subject, call, seeds));
  }
  const left = callers.size - results.length;
  if (left > 0)
    results.push({
      check: 'leaks',
      level: 'skipped',
      message: `leaks: ${plural(left, 'more line')} with such calls`,
    });
  return results;
}

async function callsIn({ system, executions }: DoctorSubject, seed: number): Promise<readonly SourceCall[]> {
  const noting = new CallLog();
  const named = naming(system, noting);
  const lookForMarks = ({ world }: Session): void => named.sometimes.forEach((mark) => mark(world));
  const opened = (session: Session): void => void (noting.session = session);
  await watching(noting, () => executions.run(named, seed, opened, lookForMarks));
  return noting.calls;
}

async function judged(subject: DoctorSubject, call: SourceCall, seeds: readonly number[]): Promise<CheckResult> {
  const leak = leakOf(call);
  const { level, because } = await verdictOn(subject, call, seeds.slice(0, TRIED_MAX));
  const message = `leaks: ${leakText(leak)} of seed ${seeds[0]}; ${because}`;
  return { check: 'leaks', level, message, next: remedyOf(leak), leaks: [leak] };
}

async function verdictOn(
  { system, executions }: DoctorSubject,
  { source, site }: SourceCall,
  seeds: readonly number[],
): Promise<{ level: 'warning' | 'problem'; because: string }> {
  if (source.answer === undefined)
    return { level: 'warning', because: 'the effect is unknown, because culprit cannot fake its results' };
  for (const seed of seeds) {
    const again = executions.again(seed);
    const plain = await attempt(system, again, {});
    if (attemptsDiffer(plain, await attempt(system, again, {})) !== undefined)
      return { level: 'warning', because: 'the effect is unknown while other things differ' };
    const difference = await differenceBy(system, again, plain, keyOf(source, site));
    if (difference !== undefined)
      return { level: 'problem', because: `with other results, event ${difference.event} differs` };
  }
  return { level: 'warning', because: `with other results, nothing changed in ${plural(seeds.length, 'execution')}` };
}
