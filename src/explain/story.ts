import { isNothing, withoutMoved, type Change } from '../trace/change.ts';
import type { EventLine, ObservedEntry } from '../trace/format.ts';
import { plural } from '../text/plural.ts';
import { typeOf } from '../trace/event-subject.ts';
import { brief } from './brief.ts';
import { printable } from '../text/printable.ts';

/** An event as a sentence: process, event, changes. It uses the system's own words if the trace has them. */
export interface Sentence {
  /** The number of the event, from 1. */
  readonly event: number;
  /** The process, or the environment. */
  readonly who: string;
  /** What it does: `gets acquire from client-1`. */
  readonly what: string;
  /** `holder: null → client-1`, one for each place that changed. */
  readonly changes: readonly string[];
  /** The state of the process afterward, in the system's own words. */
  readonly stateLabel?: string;
}

/** Makes a sentence of an event of a trace. */
export const sentenceOf = (line: EventLine): Sentence => ({
  event: line.event,
  who: printable(line.process),
  what: printable(
    (line.label ?? phrase(line)) + losses(line) + operations(line) + logs(line) + observations(line) + novelty(line),
  ),
  changes: toldChanges(line, allChangeTexts),
  ...(line.stateLabel === undefined ? {} : { stateLabel: printable(line.stateLabel) }),
});

/**
 * The effect of an event on its process: the state label, then the changes. For a new state the label is enough. Where the system's words
 * tell no change, the label would tell the state once more.
 */
export function effectTexts(line: EventLine): string[] {
  const { changes = [] } = line;
  const stateLabel = line.stateLabel === undefined ? undefined : printable(line.stateLabel);
  if (stateLabel === undefined || changes.length === 0) return toldChanges(line, allChangeTexts);
  if (hadNoState(line)) return [stateLabel];
  const told = toldChanges(line, allChangeTexts);
  return told.length === 0 ? [] : [stateLabel, ...told];
}

/** The same on one line. */
export function effectText(line: EventLine): string {
  const [first = '', ...rest] = effectTexts(line);
  return [first, rest.join(', ')].filter((part) => part !== '').join(line.stateLabel === undefined ? ', ' : '; ');
}

/** The changes of a state in the system's own words; otherwise as these words say. */
export const toldChanges = (
  { changes = [], changeLabels }: EventLine,
  words: (changes: readonly Change[]) => string[],
): string[] => changeLabels?.map((text) => printable(text)) ?? words(changes);

const allChangeTexts = (changes: readonly Change[]): string[] => withoutMoved(changes).flatMap(changeTexts);

/** Whether the process had no state before the event. */
export const hadNoState = ({ changes }: EventLine): boolean => changes?.[0]?.[0] === '' && isNothing(changes[0][1]);

/**
 * The fields of a new state, or a change as before and after. A state that disappears with its process is not
 * mentioned.
 */
export function changeTexts([pointer, before, after]: Change): string[] {
  if (pointer === '' && isNothing(after)) return [];
  if (pointer === '' && isNothing(before) && typeof after === 'object' && after !== null) {
    return Object.entries(after).map(([field, value]) => printable(`${field}: ${brief(value)}`));
  }
  const path = pathOf(pointer);
  if (isNothing(before)) return [printable(`${path}: ${brief(after)} (new)`)];
  return [
    printable(isNothing(after) ? `${path}: ${brief(before)} (gone)` : `${path}: ${brief(before)} → ${brief(after)}`),
  ];
}

/** `/log/0/term` becomes `log.0.term`; a key of a Map loses its quotes. */
export const pathOf = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('"', '');

function phrase(line: EventLine): string {
  switch (line.kind) {
    case 'deliver':
      return line.reply === undefined
        ? `gets ${nameOf(line)} from ${line.from}${onLane(line.lane)}`
        : `is answered ${nameOf(line)} by ${line.from}`;
    case 'return':
      return `gets ${nameOf(line)} back: ${line.to} is not running`;
    case 'fire':
      return `timer ${line.timer} fires`;
    case 'complete':
      return operation(line.operation, line.key, line.value);
    case 'spawn':
    case 'start':
      return line.of === undefined ? 'starts' : `joins as ${line.of}`;
    case 'stop':
      return 'stops';
    case 'crash':
      return 'crashes';
    case 'restart':
      return line.wiped === true ? 'restarts with nothing kept' : 'restarts';
    case 'pause':
      return 'is paused';
    case 'resume':
      return 'resumes';
    case 'send':
      return `sends ${nameOf(line)} to ${line.to}`;
    case 'cut':
    case 'heal':
      return `${line.kind}s ${line.links.map(([from, to, lane]) => `${from} → ${to}${onLane(lane)}`).join(', ') || 'every link'}`;
    case 'lose':
      return `loses ${lostIn(line).join(', ') || line.target}`;
    case 'duplicate':
      return `duplicates message ${line.target}`;
    case 'hold':
      return held(line);
    case 'delay':
      return delayed(line);
    case 'act':
      return `does ${line.action}${line.payload === undefined ? '' : ` ${brief(line.payload)}`}`;
    case 'wait':
      return `waits ${line.met ? '' : 'in vain '}until ${line.condition} (${secondsText(line.tookMs)})`;
  }
}

/** `0.42 s` */
const secondsText = (ms: number): string => `${Number((ms / 1000).toFixed(2))} s`;

/** `holds back acquire to lock until client-1 timer enough fires` */
function held({ target, until, held: known, messageName }: EventLine & { kind: 'hold' }): string {
  if (known === undefined) return `holds back message ${target} until event ${until}`;
  const { message } = known;
  const what = heldMessage(message, messageName);
  // The system's own name of the other message is not known here, and its fields would say less than its type.
  const awaited: EventLine = { event: 1, ...known.until };
  const named =
    messageName !== undefined && awaited.kind === 'deliver' ? { ...awaited, messageName: typeOf(awaited) } : awaited;
  return `holds back ${what} until ${awaited.process} ${phrase(named)}`;
}

/** `delays barrier_request from c1 to s2 by 0.3 s` */
const delayed = ({ target, ms, held: known, messageName }: EventLine & { kind: 'delay' }): string =>
  `delays ${known === undefined ? `message ${target}` : heldMessage(known.message, messageName)} by ${secondsText(ms)}`;

const heldMessage = ({ message, from, process, lane }: HeldMessage, name: string | undefined): string =>
  `${name ?? label(message)} from ${from} to ${process}${onLane(lane)}`;

type HeldMessage = NonNullable<(EventLine & { kind: 'delay' })['held']>['message'];

function operation(kind: 'read' | 'write' | 'sleep' | 'timeout', key: string, value: unknown): string {
  switch (kind) {
    case 'read':
      return `has read ${key}`;
    case 'write':
      return `has written ${key}: ${brief(value)}`;
    case 'sleep':
      return 'wakes';
    case 'timeout':
      return `gives up asking ${key}`;
  }
}

/** The messages that the event dropped, or only their number if they are many. */
function losses(line: EventLine): string {
  const { kind, dropped = [] } = line;
  if (kind === 'lose') return '';
  if (dropped.length <= 2)
    return lostIn(line)
      .map((text, at) => `; ${text} is lost (${dropped[at]?.why})`)
      .join('');
  const receivers = [...new Set(dropped.map(({ to }) => to))].join(', ');
  return `; ${dropped.length} messages to ${receivers} are lost (${[...new Set(dropped.map(({ why }) => why))].join(', ')})`;
}

/** `acquire to lock`, for each message that the event dropped. */
const lostIn = ({ dropped = [], droppedNames = [] }: EventLine): string[] =>
  dropped.map(({ message, to, lane }, at) => `${droppedNames[at] ?? label(message)} to ${to}${onLane(lane)}`);

/** The operations that a client calls, and their results. */
const operations = ({ history = [] }: EventLine): string =>
  history
    .map((entry) => {
      if ('call' in entry) return `; calls ${call(entry.input)}${entry.key === undefined ? '' : ` on ${entry.key}`}`;
      if ('fail' in entry) return `; its call ${entry.fail} fails`;
      return `; its call ${entry.return} returns${entry.output === undefined ? '' : ` ${brief(entry.output)}`}`;
    })
    .join('');

/** `{ f: 'write', value: 1 }` is written `write(1)`. */
function call(input: unknown): string {
  if (typeof input !== 'object' || input === null || !('f' in input)) return brief(input);
  return 'value' in input ? `${brief(input.f)}(${brief(input.value)})` : brief(input.f);
}

const logs = ({ log = [] }: EventLine): string => log.map((text) => `; logs "${text}"`).join('');

/** So many lines that a program prints after one event are quoted. */
const LINES_QUOTED = 3;

/**
 * What was seen of processes after the event and before the next one: `; prints "ready"`, `; observed poked true at 180 ms`. Of
 * many lines that a program printed, only the first ones.
 */
function observations({ process, observed = [] }: EventLine): string {
  const printed = observed.filter(isPrinted);
  const quoted = new Set<ObservedEntry>(printed.slice(0, LINES_QUOTED));
  const more = printed.length - quoted.size;
  const words = observed.flatMap((entry) => {
    const who = entry.process === process ? '' : `${entry.process} `;
    if (isLogged(entry)) return [`${who}logs ${logged(entry.content)}`];
    if (!isPrinted(entry)) return [`observed${who === '' ? '' : ` of ${entry.process}`} ${seen(entry)}`];
    return quoted.has(entry) ? [`${who}prints "${quote(entry.content)}"`] : [];
  });
  const rest = more === 0 ? [] : [`prints ${plural(more, 'line')} more`];
  return [...words, ...rest].map((one) => `; ${one}`).join('');
}

/** The longest line that is quoted whole. */
const QUOTED_MAX = 120;

const quote = (line: string): string => (line.length <= QUOTED_MAX ? line : `${line.slice(0, QUOTED_MAX - 1)}…`);

/** A line on the standard output or the standard error of a program. */
const isPrinted = (entry: ObservedEntry): entry is ObservedEntry & { readonly content: string } =>
  (entry.what === 'stdout' || entry.what === 'stderr') && typeof entry.content === 'string';

/** A log statement: the format string, and its arguments. */
interface Logged {
  readonly message: string;
  readonly args: readonly unknown[];
}

/** A log statement that a program reported itself. */
const isLogged = (entry: ObservedEntry): entry is ObservedEntry & { readonly content: Logged } =>
  entry.what === 'state' && typeof (entry.content as Partial<Logged> | undefined)?.message === 'string';

/** `"%s is at port %d" with h1, 2` */
const logged = ({ message, args }: Logged): string =>
  `"${quote(message)}"${args.length === 0 ? '' : ` with ${args.map(brief).join(', ')}`}`;

/** In a replay: whether the recording has such an event. */
const novelty = ({ unexpected }: EventLine): string => (unexpected === true ? '; not in the recording' : '');

/** `poked true at 180 ms` */
export const seen = ({ what, content, atMs }: ObservedEntry): string =>
  `${what}${content === undefined ? '' : ` ${brief(content)}`} at ${atMs} ms`;

/** ` on lane bulk`; empty for the default lane. */
export const onLane = (lane: string | undefined): string => (lane === undefined ? '' : ` on lane ${lane}`);

/** The message of an event: its name in the system's own words, or its type and fields. */
export const nameOf = ({
  messageName,
  message,
}: {
  readonly messageName?: string | undefined;
  readonly message: unknown;
}): string => messageName ?? label(message);

/** A message by its type, then its other fields. */
export function label(message: unknown): string {
  if (typeof message !== 'object' || message === null || !('type' in message) || typeof message.type !== 'string') {
    return brief(message);
  }
  const { type, ...fields } = message;
  const rest = Object.entries(fields).map(([name, value]) => `${name} ${brief(value)}`);
  return rest.length === 0 ? type : `${type} (${rest.join(', ')})`;
}
