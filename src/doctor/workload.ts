import type { PlanItem } from '../system/workload.ts';
import { externalOf, isInternal, type ExternalEvent } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';
import { portableText } from '../trace/json-encoding.ts';
import { plural } from '../text/plural.ts';
import type { CheckResult, DoctorSubject } from './check.ts';

/** The result of one workload item in an execution; unknown if the execution ended first. */
type ItemResult = 'happened' | 'refused' | 'held back' | 'unknown';

/** Whether each workload item ever happens. Generated items differ by seed and are left out. */
export function workload({ system, traces }: DoctorSubject): CheckResult[] {
  const items = new Map<number, { item: PlanItem; fates: Set<ItemResult> }>();
  for (const [seed, trace] of traces) {
    const plan = system.plan(seed);
    const fates = itemResultsOf(plan.items, trace);
    for (const [at, item] of plan.items.entries()) {
      if (at < plan.startsFirst || item.kind === 'until') continue;
      const known = items.get(at) ?? { item, fates: new Set<ItemResult>() };
      items.set(at, known);
      known.fates.add(textOf(known.item) === textOf(item) ? (fates[at] as ItemResult) : 'happened');
    }
  }
  if (items.size === 0) return [];
  const results = [...items.values()].flatMap(({ item, fates }) => complaint(shown(item), fates, traces.size));
  if (results.length > 0) return results;
  return [{ check: 'workload', level: 'ok', message: `workload: every external happened (${items.size})` }];
}

/** `crash a`, `send {"type":"x"} to a`. */
function shown({ kind, ...rest }: PlanItem): string {
  if ('message' in rest) return `${kind} ${portableText(rest.message, 'a message')} to ${rest.to}`;
  return `${kind} ${Object.values(rest)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ')}`;
}

function complaint(text: string, fates: ReadonlySet<ItemResult>, executions: number): CheckResult[] {
  if (fates.has('happened')) return [];
  const within = `in ${plural(executions, 'execution')}`;
  const [why, next] = fates.has('refused')
    ? [
        'could never happen',
        'Schedule it when it is possible: a crash while the process is up, a restart while it is down.',
      ]
    : fates.has('held back')
      ? ['was never reached', 'An earlier wait of the workload never ends.']
      : ['was never reached', 'Executions end too early: check whether they are violated, or raise --events.'];
  return [{ check: 'workload', level: 'warning', message: `workload: ${text} ${why} ${within}`, next }];
}

function itemResultsOf(items: readonly PlanItem[], { events, verdict }: Trace): ItemResult[] {
  const left = events
    .map((line) => eventOf(line))
    .filter((event): event is ExternalEvent => !isInternal(event))
    .map((event) => portableText(externalOf(event), 'an external'));
  const happened = items.map((item) => {
    const at = item.kind === 'until' ? -1 : left.indexOf(textOf(item));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  const last = happened.lastIndexOf(true);
  const waitsAfter = items.findIndex((item, at) => at > last && item.kind === 'until');
  return items.map((_, at) => {
    if (happened[at] === true) return 'happened';
    if (at < last) return 'refused';
    if (verdict.ending !== 'finished') return 'unknown';
    return waitsAfter >= 0 && waitsAfter < at ? 'held back' : 'refused';
  });
}

const textOf = (item: PlanItem): string => (item.kind === 'until' ? 'a wait' : portableText(item, 'an external'));
