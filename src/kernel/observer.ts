import type { Change } from '../trace/change.ts';
import { digestText, hex } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import type { DroppedEntry, EventLine, HistoryEntry, ObservedEntry, PendingLine } from '../trace/format.ts';
import { contentOf } from '../trace/codec.ts';
import { portableText, toPortable } from '../trace/json-encoding.ts';
import { StateMirror } from '../trace/state-mirror.ts';
import type { Session } from './ports.ts';
import type { Dropped, HistoryNote, Note, Observed } from './recording.ts';

/**
 * A handler may change any part of its state, so all of it is compared after each event. Where that has cost so much, in comparisons of one
 * number, states that cost more than a small one are no longer looked at: the time to record an execution stays in proportion to its
 * events. docs/reference/code.md lists both limits.
 */
const stateLimits = { comparisons: 10_000_000_000, ofSmall: 10_000 } as const;

type StateLimits = { readonly [limit in keyof typeof stateLimits]: number };

/**
 * Records the effects of each event: the state after it, the changes, the log. That is far more work than executing it,
 * so only executions worth keeping are observed, by executing them again.
 */
export class Observer {
  private readonly states = new Map<string, StateMirror>();
  private seen = 0;
  private notesSeen = 0;
  private comparisons = 0;

  /** `hasTextDigests`: states have the digests that formats before 1.8 have, to compare them with such a trace. */
  constructor(
    private readonly hasTextDigests = false,
    private readonly limits: StateLimits = stateLimits,
  ) {}

  /** The lines of the events since the last call. */
  observe(session: Session): EventLine[] {
    const events = session.recording.events.since(this.seen);
    const notes = session.recording.notes.since(this.notesSeen);
    const first = this.seen;
    this.seen += events.length;
    this.notesSeen += notes.length;
    const during = notesByEvent(notes);
    return events.map((event, at) => this.line(session, event, first + at, during.get(first + at) ?? []));
  }

  /** Begins with the session as it is: its earlier events have been observed. */
  catchUp(session: Session): void {
    const events = session.recording.events.since(0);
    this.seen = events.length;
    this.notesSeen = session.recording.notes.length;
    for (const process of new Set(events.map((event) => event.process))) this.stateAfter(session, process);
  }

  private line(session: Session, event: Event, at: number, notes: readonly Note[]): EventLine {
    return {
      event: at + 1,
      ...contentOf(event),
      ...this.stateAfter(session, event.process),
      ...effectsIn(notes),
      ...heldBy(event, session),
      ...delayedBy(event, session),
    };
  }

  private stateAfter(session: Session, process: string): Pick<EventLine, 'state' | 'changes' | 'unseen'> {
    if (process === ENVIRONMENT) return {};
    const { state } = session.world.process(process);
    const mirror = this.states.get(process) ?? new StateMirror();
    this.states.set(process, mirror);
    if (state === undefined) return changed(mirror.gone());
    // Formats with digests of texts have no such limit.
    const isSpent = this.comparisons > this.limits.comparisons && !this.hasTextDigests;
    if (isSpent && mirror.cost > this.limits.ofSmall) return { unseen: true };
    const what = `${process}: the state`;
    const { digest, changes } = mirror.look(state, what);
    this.comparisons += mirror.cost;
    return { state: this.hasTextDigests ? hex(digestText(portableText(state, what))) : digest, ...changed(changes) };
  }
}

const changed = (changes: Change[]): { changes?: Change[] } => (changes.length === 0 ? {} : { changes });

/** The message that a hold concerns, and the event that it waits for: both are still pending after the hold, unless it was part of an action. */
function heldBy(event: Event, session: Session): { held?: Held } {
  if (event.kind !== 'hold') return {};
  const message = contentOfMessage(event.target, session);
  const until = session.world.pending.find((one) => hex(one) === event.until);
  return message === undefined || until === undefined ? {} : { held: { message, until: contentOf(until) } };
}

/** The message that a delay concerns. */
function delayedBy(event: Event, session: Session): object {
  const message = event.kind === 'delay' ? contentOfMessage(event.target, session) : undefined;
  return message === undefined ? {} : ({ held: { message } } satisfies Pick<DelayLine, 'held'>);
}

function contentOfMessage(id: string, { world }: Session): Held['message'] | undefined {
  const message = world.pending.find((one) => hex(one) === id);
  return message?.kind === 'deliver' ? (contentOf(message) as Held['message']) : undefined;
}

type DelayLine = Extract<EventLine, { kind: 'delay' }>;
type Held = NonNullable<Extract<EventLine, { kind: 'hold' }>['held']>;

/** Notes by the event during which they were made. An action is many events, and all of them may have notes. */
function notesByEvent(notes: readonly Note[]): ReadonlyMap<number, readonly Note[]> {
  const found = new Map<number, Note[]>();
  for (const note of notes) {
    const during = found.get(note.event);
    if (during === undefined) found.set(note.event, [note]);
    else during.push(note);
  }
  return found;
}

/** The pending events, in an order that only the world decides. */
export const pendingLines = (session: Session): PendingLine[] =>
  session.world.pending
    .map((event): PendingLine => ({ pending: true, ...contentOf(event) }))
    .sort((a, b) => a.cause - b.cause || (a.id < b.id ? -1 : 1));

type Effects = Pick<EventLine, 'log' | 'output' | 'dropped' | 'history' | 'observed'>;

/**
 * The same lines with all notes of a session. Where events appear by themselves, notes also come when the line of the last event
 * has been made.
 */
export function withLateNotes(lines: readonly EventLine[], { recording }: Session): EventLine[] {
  const during = notesByEvent(recording.notes.since(0));
  return lines.map((line, at) => ({ ...line, ...effectsIn(during.get(at) ?? []) }));
}

function effectsIn(notes: readonly Note[]): Effects {
  const log = notes.flatMap((note) => (note.kind === 'log' ? [note.text] : []));
  const output = notes.flatMap((note) => (note.kind === 'output' ? [toPortable(note.message, 'an output')] : []));
  const dropped = notes.flatMap((note) => (note.kind === 'dropped' ? [droppedEntry(note)] : []));
  const history = notes.flatMap((note) => ('call' in note ? [historyEntry(note)] : []));
  const observed = notes.flatMap((note) => (note.kind === 'observed' ? [observedEntry(note)] : []));
  return {
    ...(log.length === 0 ? {} : { log }),
    ...(output.length === 0 ? {} : { output }),
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(history.length === 0 ? {} : { history }),
    ...(observed.length === 0 ? {} : { observed }),
  };
}

const observedEntry = ({ process, what, content, atMs }: Observed): ObservedEntry => ({
  process,
  what,
  ...(content === undefined ? {} : { content: toPortable(content, 'an observation') }),
  atMs: Math.round(atMs),
});

const droppedEntry = ({ message, why, event }: Dropped): DroppedEntry => ({
  id: hex(message),
  to: message.process,
  message: toPortable(message.message, 'a message'),
  why,
  ...(message.cause < 0 || message.cause === event ? {} : { cause: message.cause + 1 }),
  ...(message.lane === undefined ? {} : { lane: message.lane }),
});

function historyEntry(note: HistoryNote): HistoryEntry {
  switch (note.kind) {
    case 'call': {
      const key = note.key === undefined ? {} : { key: note.key };
      return { call: note.call, ...key, input: toPortable(note.input, 'an input') };
    }
    case 'return':
      return {
        return: note.call,
        ...(note.output === undefined ? {} : { output: toPortable(note.output, 'an output') }),
      };
    case 'fail':
      return { fail: note.call };
  }
}
