import type { Session } from '../kernel/ports.ts';
import type { Note } from '../kernel/recording.ts';
import type { Event } from '../trace/event.ts';
import { typeOf } from '../trace/event-subject.ts';

/** A message, and what its receiver had printed last: all that is known of the state of a program. Without values, which differ. */
const pairText = (message: string, receiver: string, printed: string): string =>
  `${message} to ${receiver} after ${printed === '' ? 'nothing' : `"${printed}"`}`;

/** The pairs of messages and states of their receivers in an execution. Only processes that print something count. */
export function printedPairs({ recording }: Pick<Session, 'recording'>, events: readonly Event[]): string[] {
  const lines = new Map<number, Printed[]>();
  for (const note of recording.notes.since(0)) {
    const printed = printedIn(note);
    if (printed !== undefined) lines.set(note.event, [...(lines.get(note.event) ?? []), printed]);
  }
  if (lines.size === 0) return [];
  const talkers = new Set([...lines.values()].flat().map(({ process }) => process));
  const last = new Map<string, string>();
  const pairs: string[] = [];
  for (const [at, event] of events.entries()) {
    if (event.kind === 'deliver' && talkers.has(event.process))
      pairs.push(pairText(typeOf(event), event.process, last.get(event.process) ?? ''));
    if (event.kind === 'restart') last.delete(event.process);
    for (const { process, text } of lines.get(at) ?? []) last.set(process, text);
  }
  return pairs;
}

interface Printed {
  readonly process: string;
  readonly text: string;
}

function printedIn(note: Note): Printed | undefined {
  if (note.kind === 'log') return { process: note.process, text: withoutValues(note.text) };
  return note.kind === 'observed' && typeof note.content === 'string'
    ? { process: note.process, text: withoutValues(note.content) }
    : undefined;
}

const SHOWN_MAX = 80;

/** A program may print megabytes without ending a line, and looking for values in it would take forever. */
const READ_MAX = 500;

/** Numbers, addresses and quotations are values: the rest of the line stands for its format. */
const withoutValues = (line: string): string =>
  line
    .slice(0, READ_MAX)
    .replaceAll(/(["'`])[^"'`]*\1/g, '#')
    .replaceAll(/[\w.:-]*\d[\w.:-]*/g, '#')
    .trim()
    .slice(0, SHOWN_MAX);
