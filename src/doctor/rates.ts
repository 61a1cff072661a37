import { rateInterval } from '../execution/rate.ts';
import { plural } from '../text/plural.ts';
import { isInternal } from '../trace/event.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';
import type { CheckResult, DoctorSubject } from './check.ts';

/**
 * For a system that is not repeatable: how often the same inputs lead to the same events, how much later they come, and how often the
 * executions were violated.
 */
export async function rates({ system, executions, traces }: DoctorSubject): Promise<CheckResult[]> {
  const all = [...traces.values()];
  let [same, sameOrder] = [0, 0];
  const lateness: number[] = [];
  for (const [seed, first] of traces) {
    const again = await executions.execute(system, seed);
    const [before, now] = [namesIn(first), namesIn(again)];
    if (isEqual(before.toSorted(), now.toSorted())) same += 1;
    if (isEqual(before, now)) sameOrder += 1;
    lateness.push(...latenessOf(first, again));
  }
  return [
    result(
      `the same inputs gave the same events again in ${shareOf(same, all.length)}, in the same order in ${sameOrder}${late(lateness)}`,
    ),
    ...violated(all),
  ];
}

const result = (message: string): CheckResult => ({ check: 'rates', level: 'ok', message: `rates: ${message}` });

function violated(all: readonly Trace[]): CheckResult[] {
  const count = (verdict: string): number => all.filter((trace) => trace.verdict.verdict === verdict).length;
  const [violations, unknown] = [count('violated'), count('unknown')];
  const undecided = unknown === 0 ? '' : `, ${unknown} unknown`;
  return [result(`violated in ${shareOf(violations, all.length, unknown)}${undecided}`)];
}

/** `3 of 10 executions (7–65 %)`, with the interval of the true rate. */
function shareOf(count: number, all: number, unknown = 0): string {
  const [low, high] = rateInterval(count, all, unknown).map((rate) => Math.round(rate * 100));
  return `${count} of ${plural(all, 'execution')} (${low}–${high} %)`;
}

const isInternalLine = (line: EventLine): boolean => isInternal(eventOf(line));

const namesIn = ({ events }: Trace): readonly string[] =>
  events.filter(isInternalLine).map(({ process, id }) => `${process} ${id}`);

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

/** How far apart in time events are that both executions have. */
function latenessOf(one: Trace, other: Trace): readonly number[] {
  const times = new Map(other.events.map(({ process, id, atMs = 0 }) => [`${process} ${id}`, atMs]));
  return one.events.filter(isInternalLine).flatMap(({ process, id, atMs = 0 }) => {
    const then = times.get(`${process} ${id}`);
    return then === undefined ? [] : [Math.abs(then - atMs)];
  });
}

function late(lateness: readonly number[]): string {
  const sorted = lateness.toSorted((one, other) => one - other);
  const most = sorted[Math.ceil(0.99 * sorted.length) - 1];
  return most === undefined ? '' : `; 99 % of the events came within ${Math.round(most)} ms of the first time`;
}
