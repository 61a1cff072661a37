import { changesBetween, isNothing, NOTHING, type Change } from './change.ts';
import type { EventLine, PendingLine, Trace, VerdictLine } from './format.ts';

/** The first difference between two executions that should be equal. */
export interface Difference {
  /** Number of the event, from 1. */
  readonly event: number;
  /** A sentence: whose event it is, what differs, and both values. */
  readonly what: string;
  /** Whether both have the same values at different places. */
  readonly reordered: boolean;
}

/** The first difference between a line and the recorded line of the same event. */
export function lineDifference(recorded: EventLine, now: EventLine): Difference | undefined {
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)]) as Set<keyof EventLine>) {
    // Wording is not part of an event. Compare the digest last: a changed field says more.
    if (isForPeople(key) || key === 'state' || same(recorded[key], now[key])) continue;
    if (key === 'dropped' && same(withoutCause(recorded), withoutCause(now))) continue;
    return key === 'changes'
      ? stateDifference(recorded.changes ?? [], now.changes ?? [], now)
      : of(now, describeDifference(key, recorded[key], now[key]), isReordered([recorded[key]], [now[key]]));
  }
  return same(recorded.state, now.state)
    ? undefined
    : of(now, describeDifference('the digest of the state', recorded.state, now.state), false);
}

const wording: ReadonlySet<string> = new Set([
  'label',
  'stateLabel',
  'changeLabels',
  'messageName',
  'droppedNames',
  'routine',
]);
const isForPeople = (key: string): boolean => wording.has(key);

/** Older recordings have no sender of a lost message; its id implies the sender. */
const withoutCause = ({ dropped }: EventLine): unknown => dropped?.map(({ cause: _cause, ...message }) => message);

/** The first difference between two whole executions. */
export function traceDifference(recorded: Trace, now: Trace): Difference | undefined {
  return eventsDifference(recorded.events, now.events) ?? endDifference(recorded, now);
}

/** The first difference between as many events as both have. */
export function eventsDifference(recorded: readonly EventLine[], now: readonly EventLine[]): Difference | undefined {
  for (const [at, line] of now.slice(0, recorded.length).entries()) {
    const found = lineDifference(recorded[at] as EventLine, line);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How executions of the same events differ at their ends. */
export function endDifference(recorded: Trace, now: Trace): Difference | undefined {
  const at = now.events.length;
  const end = (what: string): Difference => ({ event: at, what: `${what}.`, reordered: false });
  if (at < recorded.events.length)
    return end(`the execution ends here (${ending(now.verdict)}), but the recording continues`);
  if (at > recorded.events.length)
    return end(`the recording ends after event ${recorded.events.length}, but the execution continues`);
  if (!same(judged(recorded.verdict), judged(now.verdict)))
    return end(`at the end: ${describeDifference('the verdict', ending(recorded.verdict), ending(now.verdict))}`);
  const pending = pendingDifference(recorded.pending, now.pending);
  return pending === undefined ? undefined : end(`at the end: ${pending}`);
}

/** Without line numbers of code: every edit of the file moves them. */
export function judged(verdict: VerdictLine): VerdictLine {
  if (verdict.verdict !== 'violated') return verdict;
  const { at: _at, ...rest } = verdict;
  return rest;
}

const ending = (verdict: VerdictLine): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;

function pendingDifference(recorded: readonly PendingLine[], now: readonly PendingLine[]): string | undefined {
  const at = Array.from({ length: Math.max(recorded.length, now.length) }).findIndex(
    (_, place) => !same(recorded[place], now[place]),
  );
  if (at < 0) return undefined;
  const [then, today] = [recorded[at], now[at]];
  const known = today ?? then;
  return describeDifference(`the pending event (${known?.kind} at ${known?.process})`, then, today);
}

/** The first place of the state that changed to a different value than in the recording. */
function stateDifference(recorded: readonly Change[], now: readonly Change[], line: EventLine): Difference {
  const then = new Map(recorded.map(([pointer, , after]) => [pointer, after]));
  const today = new Map(now.map(([pointer, , after]) => [pointer, after]));
  const pointer =
    [...new Set([...then.keys(), ...today.keys()])].find((at) => !same(then.get(at), today.get(at))) ?? '';
  const place = `${line.process}${path(pointer)}`;
  const reordered = isReordered([...then.values()], [...today.values()]);
  if (then.has(pointer) && today.has(pointer))
    return of(line, describeDifference(place, then.get(pointer), today.get(pointer)), reordered);
  const [is, was] = [today, then].map((changes) => (changes.has(pointer) ? show(changes.get(pointer)) : 'unchanged'));
  return of(line, `${place} is ${is}, and was ${was} in the recording`, false);
}

const of = ({ event, process, kind }: EventLine, what: string, reordered: boolean): Difference => ({
  event,
  what: `${process} (${kind}): ${what}.`,
  reordered,
});

/** Both values, narrowed down to the part that differs. */
function describeDifference(place: string, recorded: unknown, now: unknown): string {
  const [first] = changesBetween(recorded ?? NOTHING, now ?? NOTHING);
  const [pointer, was, is] = first ?? ['', recorded, now];
  return `${place}${path(pointer)} is ${show(is)}, and was ${show(was)} in the recording`;
}

const path = (pointer: string): string => pointer.replaceAll('/', '.');

/** Longer values are cut. */
const SHOWN_MAX = 200;

/** A value as a message shows it. */
export function show(value: unknown): string {
  if (value === undefined || isNothing(value)) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX - 1)}…`;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether two groups of values have the same parts, more than one, in a different order. */
function isReordered(recorded: readonly unknown[], now: readonly unknown[]): boolean {
  const [then, today] = [recorded, now].map((values) => values.flatMap(parts).map((part) => JSON.stringify(part)));
  return (then ?? []).length > 1 && same(then?.toSorted(), today?.toSorted());
}

function parts(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'object' || value === null) return [value];
  if ('$set' in value) return value.$set as unknown[];
  return '$map' in value ? (value.$map as unknown[]) : Object.values(value).flatMap(parts);
}
