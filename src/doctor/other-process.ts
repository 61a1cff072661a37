import { CulpritError } from '../error.ts';
import { traceDifference, type Difference } from '../trace/difference.ts';
import type { Trace } from '../trace/format.ts';
import { plural } from '../text/plural.ts';
import type { CheckResult, DoctorSubject } from './check.ts';
import { bySite, leakOf, leakText, remedyOf, type Leak } from '../determinism/diagnose.ts';

/** The maximum number of executions in another process. */
const EXECUTIONS_MAX = 20;

/** Makes the same executions in another process with another time zone and language: they must be equal. */
export async function otherProcess(subject: DoctorSubject, soFar: readonly CheckResult[]): Promise<CheckResult[]> {
  const { loading, executeElsewhere } = subject;
  const check = 'elsewhere';
  if (soFar.some(({ level, leaks: found }) => level === 'problem' && found !== undefined))
    return [{ check, level: 'skipped', message: 'elsewhere: executions already differ in this process' }];
  if (executeElsewhere === undefined)
    return [{ check, level: 'skipped', message: 'elsewhere: only the command `culprit doctor` runs a second process' }];
  const seen = bySite(loading.filter(({ source: { kind }, site }) => kind !== 'io' && site.through === undefined));
  const leaks = [...seen.values()].map(leakOf);
  try {
    const { seed, eventsMax, handlerMs } = subject.executions.bounds;
    const executions = Math.min(EXECUTIONS_MAX, subject.traces.size);
    const bounds = { seed, executions, eventsMax, handlerMs };
    const abroad = differenceOf(subject, await executeElsewhere({ ...bounds, env: foreignEnvironment() }));
    if (abroad === undefined) return [allTheSame(executions), ...leaks.map(harmless)];
    const athome = differenceOf(subject, await executeElsewhere({ ...bounds, env: {} }));
    return [athome === undefined ? depends(abroad, [REGION]) : depends(athome, leaks.length > 0 ? leaks : [LOADING])];
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return [{ check, level: 'problem', message: `elsewhere: ${error.message}`, next: error.next }];
  }
}

const REGION: Leak = { kind: 'machine', name: 'the time zone or the language of the machine' };
const LOADING: Leak = {
  kind: 'machine',
  name: 'a value read while the module loads or defines the system',
};

/** Environment variables of another time zone and language. */
function foreignEnvironment(): Record<string, string> {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const language = locale.startsWith('tr') ? 'de_DE.UTF-8' : 'tr_TR.UTF-8';
  return {
    TZ: timeZone === 'Pacific/Chatham' ? 'America/St_Johns' : 'Pacific/Chatham',
    LC_ALL: language,
    LANG: language,
  };
}

interface FoundElsewhere {
  readonly seed: number;
  readonly difference: Difference;
}

function differenceOf({ traces }: DoctorSubject, theirs: readonly Trace[]): FoundElsewhere | undefined {
  for (const trace of theirs) {
    const { seed } = trace.header;
    const ours = traces.get(seed);
    const difference = ours && traceDifference(ours, trace);
    if (difference !== undefined) return { seed, difference };
  }
  return undefined;
}

const allTheSame = (executions: number): CheckResult => ({
  check: 'elsewhere',
  level: 'ok',
  message: `elsewhere: with another process, time zone and language, ${plural(executions, 'execution')} repeated exactly`,
});

const harmless = (leak: Leak): CheckResult => ({
  check: 'leaks',
  level: 'warning',
  message: `leaks: ${leakText(leak)}; nothing changed in a second process`,
  next: remedyOf(leak),
  leaks: [leak],
});

const depends = ({ seed, difference: { event, what } }: FoundElsewhere, leaks: readonly Leak[]): CheckResult => ({
  check: 'elsewhere',
  level: 'problem',
  message:
    `elsewhere: seed ${seed} differs in a second process. Event ${event}: ${what} ` +
    `Likely leak: ${leaks.map(leakText).join('; ')}`,
  next: remedyOf(leaks[0] as Leak),
  leaks,
});
