import { plural } from '../text/plural.ts';
import type { CheckResult, DoctorSubject } from './check.ts';

/** With fewer deliveries, no conclusion is drawn. */
const DELIVERIES_MIN = 10;

/** Whether every `sometimes` was reached. */
export function marks({ survey, traces }: DoctorSubject): CheckResult[] {
  const { marksReached, marksMissed } = survey.coverage();
  const check = 'sometimes';
  const all = marksReached.length + marksMissed.length;
  if (marksMissed.length === 0)
    return all === 0 ? [] : [{ check, level: 'ok', message: `sometimes: each was true in some state (${all})` }];
  return marksMissed.map((name) => ({
    check,
    level: 'warning',
    message: `sometimes: ${name} was never true in ${plural(traces.size, 'execution')}`,
    next: 'Hunt with more executions, or change the workload so that it leads there.',
  }));
}

/** Whether every declared fault could happen. */
export function faults({ survey, system, traces }: DoctorSubject): CheckResult[] {
  const { faults: budgets } = system.declaration;
  const declared = Object.values(budgets).filter((budget) => budget > 0).length;
  const check = 'faults';
  if (survey.faultsNeverOffered.length === 0)
    return declared === 0
      ? []
      : [{ check, level: 'ok', message: `faults: every declared fault could happen (${declared})` }];
  return survey.faultsNeverOffered.map((fault) => ({
    check,
    level: 'warning',
    message: `faults: the budget of ${fault} is ${budgets[fault]}, but none was possible in ${plural(traces.size, 'execution')}`,
    next:
      fault === 'restarts'
        ? 'Declare crashes, too: only a crashed process restarts.'
        : 'Remove it, or change the workload so that it can happen.',
  }));
}

/** Whether every process has events, and every kind of process joins. */
export function processes({ survey, system, traces }: DoctorSubject): CheckResult[] {
  const { processes: declared, kinds } = system.declaration;
  const idle = [...declared.keys()].filter((name) => !survey.busy.has(name));
  const unused = [...kinds.keys()].filter((kind) => !survey.kinds.has(kind));
  const check = 'processes';
  const within = `in ${plural(traces.size, 'execution')}`;
  const results = [
    ...idle.map((name) => `processes: ${name} never received a message, a timer or an answer ${within}`),
    ...unused.map((kind) => `processes: none of kind ${kind} joined ${within}`),
  ].map((message): CheckResult => ({
    check,
    level: 'warning',
    message,
    next: 'Remove it, or make some process send to it or start it.',
  }));
  if (results.length > 0) return results;
  return [{ check, level: 'ok', message: `processes: every process takes part (${declared.size})` }];
}

/** Whether sent messages and set timers happen, and have an effect. */
export function messages({ survey, traces }: DoctorSubject): CheckResult[] {
  const { never } = survey.coverage();
  const check = 'messages';
  const without = [...survey.messages].filter(([, { count, hadEffect }]) => !hadEffect && count >= DELIVERIES_MIN);
  const results: CheckResult[] = [
    ...never.map((what): CheckResult => ({
      check,
      level: 'warning',
      message: `messages: ${what} was created but never delivered or fired in ${plural(traces.size, 'execution')}`,
      next: 'Executions may end too early, or never enable it: see `transport`, `timers` and --executions.',
    })),
    ...without.map(([type, { count }]): CheckResult => ({
      check,
      level: 'warning',
      message: `messages: ${type} was delivered ${plural(count, 'time')} and never had any effect`,
      next: 'Check that a handler exists for this name.',
    })),
  ];
  if (results.length > 0 || survey.messages.size === 0) return results;
  return [{ check, level: 'ok', message: `messages: every type had an effect (${survey.messages.size})` }];
}
