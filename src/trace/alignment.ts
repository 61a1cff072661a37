import { common, filled, inOrder, partners, places, type Pair } from './subsequence.ts';
import { comparableContent } from './event-subject.ts';
import type { EventLine, Trace } from './format.ts';

/** Two executions side by side. */
export interface Alignment {
  /** Every event of both once, in an order that respects both. */
  readonly rows: readonly AlignedRow[];
  /** Index of the first row that is not the same on both sides; undefined if all are. */
  readonly divergence: number | undefined;
}

/** Numbers of events, from 1. */
export interface AlignedRow {
  /** The event of the first execution; missing if only the second has it here. */
  readonly left?: number;
  /** The event of the second execution; missing if only the first has it here. */
  readonly right?: number;
  /**
   * `differs`: the same event with different contents or effects. `left`, `right`: the event is at this place on that
   * side only.
   */
  readonly how: 'same' | 'differs' | 'left' | 'right';
  /** For an event on one side: its number on the other side, if it happens there at a different place. */
  readonly elsewhere?: number;
}

/**
 * Aligns two executions on equivalent events: first events with the same causal identity, as many as are in the same
 * order on both sides; between those, events with other identities and the same contents. An event whose identity is on
 * both sides is never aligned with another one: if the order does not allow the pair, the event appears on both sides,
 * each with its number on the other.
 */
export function align(left: Trace, right: Trace): Alignment {
  const same = partners(identities(left), identities(right));
  const pairs = filled(inOrder(same), [left.events.length, right.events.length], alike(left, right, same));
  const rows = rowsOf(left, right, pairs, same);
  const divergence = rows.findIndex(({ how }) => how !== 'same');
  return { rows, divergence: divergence < 0 ? undefined : divergence };
}

const identities = ({ events }: Trace): Map<string, number> =>
  places(events.map(({ id, kind, process }) => `${id} ${kind} ${process}`));

/** Aligns events between two places by their contents, if their identities are missing on the other side. */
function alike(left: Trace, right: Trace, same: readonly Pair[]): (from: Pair, to: Pair) => Pair[] {
  const known = new Map<string, number>();
  const sides = [left, right].map((trace, side) => {
    const taken = new Set(same.map((pair) => pair[side]));
    return contents(trace).map((content, at) => (taken.has(at) ? undefined : numberOf(content, known)));
  });
  return (from, to) => {
    const [ones, others] = sides.map((numbers, side) => free(numbers, from[side] as number, to[side] as number));
    return common(ones?.values ?? [], others?.values ?? []).map(([one, other]) => [
      ones?.places[one] as number,
      others?.places[other] as number,
    ]);
  };
}

function numberOf(text: string, known: Map<string, number>): number {
  const number = known.get(text) ?? known.size;
  known.set(text, number);
  return number;
}

/** The items between two places, without gaps; places count from the first. */
function free(values: readonly (number | undefined)[], from: number, to: number) {
  const found = { values: [] as number[], places: [] as number[] };
  for (let at = from; at < to; at++) {
    const value = values[at];
    if (value === undefined) continue;
    found.values.push(value);
    found.places.push(at - from);
  }
  return found;
}

function rowsOf(left: Trace, right: Trace, pairs: readonly Pair[], same: readonly Pair[]): AlignedRow[] {
  const [deedsLeft, deedsRight] = [deeds(left), deeds(right)];
  const [onRight, onLeft] = [new Map(same), new Map(same.map(([one, other]) => [other, one]))];
  const rows: AlignedRow[] = [];
  let [one, other] = [0, 0];
  for (const [nextOne, nextOther] of [...pairs, [left.events.length, right.events.length] as const]) {
    for (; one < nextOne; one++) rows.push({ left: one + 1, how: 'left', ...elsewhere(onRight.get(one)) });
    for (; other < nextOther; other++) rows.push({ right: other + 1, how: 'right', ...elsewhere(onLeft.get(other)) });
    if (one === left.events.length || other === right.events.length) continue;
    rows.push({ left: one + 1, right: other + 1, how: deedsLeft[one] === deedsRight[other] ? 'same' : 'differs' });
    one++;
    other++;
  }
  return rows;
}

const elsewhere = (at: number | undefined) => (at === undefined ? {} : { elsewhere: at + 1 });

/** The effects of each event: states, changes, and what it logged, sent out, dropped and called. */
const deeds = (trace: Trace): string[] =>
  contents(trace).map((content, at) => {
    const { state, changes, log, output, dropped, history } = trace.events[at] as EventLine;
    const lost = dropped?.map(({ to, lane, message, why }) => [to, lane, message, why]);
    return content + JSON.stringify([state, changes, log, output, lost, history]);
  });

/** The contents of each event, without fields that name or count other events: histories, request numbers, times. */
function contents({ events, pending }: Trace): string[] {
  const messages = new Map<string, unknown>();
  for (const line of [...events, ...pending]) {
    if (line.kind === 'deliver') messages.set(line.id, [line.process, line.lane, line.message]);
    if ('dropped' in line)
      for (const { id, to, lane, message } of line.dropped ?? []) messages.set(id, [to, lane, message]);
  }
  return events.map((line) => JSON.stringify([line.process, contentIn(line, messages)]));
}

/** A lost, doubled or held message stands for its identity, and so does the event that ends a hold. */
function contentIn(line: EventLine, messages: ReadonlyMap<string, unknown>): unknown {
  if (line.kind === 'lose' || line.kind === 'duplicate' || line.kind === 'delay')
    return [line.kind, messages.get(line.target) ?? line.target];
  if (line.kind !== 'hold' || line.held === undefined) return comparableContent(line);
  const { message, until } = line.held;
  return [
    line.kind,
    ...[message, until].map((event) => [event.process, comparableContent({ ...event, pending: true })]),
  ];
}
