import { hex, parseHex } from './digest.ts';
import type { EndedWait, Event, ExternalEvent, Internal, Link, Occurrence } from './event.ts';
import type { EventLine, PendingLine } from './format.ts';
import { fromPortable, toPortable } from './json-encoding.ts';

/**
 * The fields of an event line that describe the event itself, without its number and its effects. Numbers in files
 * count from 1.
 */
type Content<L> = L extends unknown
  ? Omit<
      L,
      | 'event'
      | 'state'
      | 'changes'
      | 'log'
      | 'output'
      | 'dropped'
      | 'history'
      | 'observed'
      | 'unexpected'
      | 'label'
      | 'stateLabel'
      | 'changeLabels'
      | 'messageName'
      | 'droppedNames'
      | 'routine'
      | 'held'
      | 'pending'
    >
  : never;
export type EventContent = Content<EventLine>;
export type InternalContent = Content<PendingLine>;

/** The line of an event, keys in the order of the format. */
export function contentOf(event: Internal): InternalContent;
export function contentOf(event: Event): EventContent;
export function contentOf(event: Event): EventContent {
  const at = { process: event.process, cause: event.cause + 1, id: hex(event), ...timeOf(event) };
  switch (event.kind) {
    case 'deliver':
      return {
        kind: event.kind,
        ...at,
        from: event.from,
        message: data(event.message),
        ...asks(event),
        sentMs: event.sentMs,
        ...lanes(event),
      };
    case 'return':
      return { kind: event.kind, ...at, to: event.to, message: data(event.message), ...asks(event) };
    case 'fire':
      return { kind: event.kind, ...at, timer: event.timer, deadlineMs: event.deadlineMs, ...repeats(event.everyMs) };
    case 'complete':
      return {
        kind: event.kind,
        ...at,
        operation: event.operation,
        key: event.key,
        ...(event.value === undefined ? {} : { value: data(event.value) }),
        deadlineMs: event.deadlineMs,
        request: event.request,
      };
    case 'spawn':
      return { kind: event.kind, ...at, of: event.of, ...args(event.args) };
    default:
      return externalContent(event, at);
  }
}

type At = Pick<EventContent, 'process' | 'cause' | 'id' | 'atMs'>;

function externalContent(event: ExternalEvent, at: At): EventContent {
  switch (event.kind) {
    case 'start':
      return { kind: event.kind, ...at, ...(event.of === undefined ? {} : { of: event.of }), ...args(event.args) };
    case 'stop':
    case 'crash':
    case 'pause':
    case 'resume':
      return { kind: event.kind, ...at };
    case 'restart':
      return { kind: event.kind, ...at, ...(event.wiped === undefined ? {} : { wiped: event.wiped }) };
    case 'send':
      return { kind: event.kind, ...at, to: event.to, message: data(event.message) };
    case 'cut':
    case 'heal':
      return { kind: event.kind, ...at, links: event.links.map(copied) };
    case 'lose':
    case 'duplicate':
      return { kind: event.kind, ...at, target: event.target };
    case 'hold':
      return { kind: event.kind, ...at, target: event.target, until: event.until };
    case 'delay':
      return { kind: event.kind, ...at, target: event.target, ms: event.ms };
    case 'act':
      return {
        kind: event.kind,
        ...at,
        action: event.action,
        ...(event.payload === undefined ? {} : { payload: data(event.payload) }),
      };
    case 'wait':
      return { kind: event.kind, ...at, ...waited(event) };
  }
}

const copied = ([from, to, lane]: Link): [string, string] | [string, string, string] =>
  lane === undefined ? [from, to] : [from, to, lane];
const lanes = ({ lane }: { readonly lane?: string | undefined }) => (lane === undefined ? {} : { lane });
const timeOf = ({ atMs }: { readonly atMs?: number | undefined }) => (atMs === undefined ? {} : { atMs });
const data = (value: unknown): unknown => toPortable(value, 'an event');
const asks = ({ ask, reply = 0 }: { ask: number; reply?: number }) => ({
  ...(ask === 0 ? {} : { ask }),
  ...(reply === 0 ? {} : { reply }),
});
const repeats = (everyMs: number) => (everyMs === 0 ? {} : { everyMs });
const waited = ({ condition, withinMs, tookMs, met }: WaitFields) => ({
  condition,
  ...(withinMs === undefined ? {} : { withinMs }),
  tookMs,
  met,
});
type WaitFields = Omit<EndedWait, 'kind' | 'withinMs'> & { readonly withinMs?: number | undefined };
const args = (value: unknown) => (value === undefined ? {} : { args: data(value) });

/** The event of a line. */
export function eventOf(line: EventContent): Event {
  const at: Occurrence = { process: line.process, cause: line.cause - 1, ...parseHex(line.id), ...timeOf(line) };
  switch (line.kind) {
    case 'deliver':
      return {
        kind: line.kind,
        ...at,
        from: line.from,
        message: fromPortable(line.message),
        ask: line.ask ?? 0,
        reply: line.reply ?? 0,
        sentMs: line.sentMs,
        ...lanes(line),
      };
    case 'return':
      return { kind: line.kind, ...at, to: line.to, message: fromPortable(line.message), ask: line.ask ?? 0 };
    case 'fire':
      return { kind: line.kind, ...at, timer: line.timer, deadlineMs: line.deadlineMs, everyMs: line.everyMs ?? 0 };
    case 'complete':
      return {
        kind: line.kind,
        ...at,
        operation: line.operation,
        key: line.key,
        value: fromPortable(line.value),
        deadlineMs: line.deadlineMs,
        request: line.request,
      };
    case 'spawn':
      return { kind: line.kind, ...at, of: line.of, args: fromPortable(line.args) };
    default:
      return externalOf(line, at);
  }
}

type ExternalContent = Exclude<EventContent, InternalContent>;

function externalOf(line: ExternalContent, at: Occurrence): ExternalEvent {
  switch (line.kind) {
    case 'start':
      return {
        kind: line.kind,
        ...at,
        ...(line.of === undefined ? {} : { of: line.of }),
        ...(line.args === undefined ? {} : { args: fromPortable(line.args) }),
      };
    case 'stop':
    case 'crash':
    case 'pause':
    case 'resume':
      return { kind: line.kind, ...at };
    case 'restart':
      return { kind: line.kind, ...at, ...(line.wiped === undefined ? {} : { wiped: line.wiped }) };
    case 'send':
      return { kind: line.kind, ...at, to: line.to, message: fromPortable(line.message) };
    case 'cut':
    case 'heal':
      return { kind: line.kind, ...at, links: line.links };
    case 'lose':
    case 'duplicate':
      return { kind: line.kind, ...at, target: line.target };
    case 'hold':
      return { kind: line.kind, ...at, target: line.target, until: line.until };
    case 'delay':
      return { kind: line.kind, ...at, target: line.target, ms: line.ms };
    case 'act':
      return {
        kind: line.kind,
        ...at,
        action: line.action,
        ...(line.payload === undefined ? {} : { payload: fromPortable(line.payload) }),
      };
    case 'wait':
      return { kind: line.kind, ...at, ...waited(line) };
  }
}
