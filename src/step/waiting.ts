import type { Note } from '../kernel/recording.ts';
import { Pause } from '../kernel/ports.ts';
import { seen } from '../explain/story.ts';
import { BadCommand } from './bad-command.ts';
import { running } from './running.ts';
import type { Track } from './track.ts';

/** A wait is as long as this at most before it is asked whether it was interrupted. */
const SLICE_MS = 100;

/** Lets time pass: so many milliseconds, or until something arrives. Says how long it was, and what was seen. */
export async function wait(rest: string, track: Track, signal: AbortSignal | undefined): Promise<string[]> {
  const { session, origin } = track;
  const { pace } = origin.system;
  if (pace === undefined)
    throw new BadCommand('nothing happens by itself in this system.', 'Choose an event: see `list`.');
  if (rest !== '' && !/^\d+$/.test(rest))
    throw new BadCommand(`${rest} is no number of milliseconds.`, 'Such as: wait 200');
  const beganMs = session.nowMs;
  const notes = session.recording.notes.length;
  const untilMs = beganMs + (rest === '' ? pace.quietMs : Number(rest));
  const arrivals = (): number => session.world.pending.length + session.recording.notes.length;
  const before = arrivals();
  const next = (): Pause | undefined => {
    const leftMs = untilMs - session.nowMs;
    const isOver = leftMs <= 0 || (rest === '' && arrivals() > before);
    return isOver ? undefined : new Pause({ ms: Math.min(leftMs, SLICE_MS) });
  };
  const run = { next, typed: { text: '' }, stepsMax: 1, eventsMax: Number.POSITIVE_INFINITY, signal };
  await track.drive(() => running(track, run));
  return [
    `waited    ${Math.round(session.nowMs - beganMs)} ms`,
    ...observedLines(session.recording.notes.since(notes)),
  ];
}

/** What was seen of processes, one line each. */
const observedLines = (notes: readonly Note[]): string[] =>
  notes.flatMap((note) =>
    note.kind === 'observed' ? [`observed  ${note.process} ${seen({ ...note, atMs: Math.round(note.atMs) })}`] : [],
  );
