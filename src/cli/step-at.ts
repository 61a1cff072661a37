import { InvalidArgumentError } from 'commander';
import type { Event } from '../trace/event.ts';
import { isConsequence } from '../trace/event.ts';
import type { Origin } from '../execution/record.ts';
import type { Undelivered } from '../trace/undelivered.ts';
import { stepFrom } from './step/session.ts';

/** Where a replay becomes a session of `step`: at its violation, at the end of the recording, or after an event. */
export type StepAt = 'violation' | 'end' | number;

export const STEP_AT_HELP =
  'replay up to the violation, the end of the recording or event n, then choose events as in `step`';

export function stepAt(given: string): StepAt {
  if (given === 'violation' || given === 'end') return given;
  if (/^[1-9]\d*$/.test(given)) return Number(given);
  throw new InvalidArgumentError('Use violation, end, or the number of an event.');
}

/** A recording to follow, and where it ends if something of it is no part of the recording. */
export interface Followable {
  readonly origin: Origin;
  readonly recording: readonly Event[];
  readonly undelivered?: readonly Undelivered[];
  readonly out: string;
  /** The number of events before those that only let time pass. */
  readonly length: number;
}

/** Follows a recording, then lets the user choose. A violation ends an execution, so following stops there in any case. */
export async function stepAlong(at: StepAt, title: string, { length, ...beginning }: Followable): Promise<void> {
  const { recording } = beginning;
  const events = at === 'violation' ? recording.length : at === 'end' ? length : Math.min(at, recording.length);
  // An action and what it brings about are one step.
  const steps = recording.slice(0, events).filter((event) => !isConsequence(event, recording)).length;
  // A replay beside a program has events that the recording lacks: its end is not that number of steps away.
  const all = events === recording.length ? Number.POSITIVE_INFINITY : steps;
  await stepFrom(beginning, `step      ${title}, ${events} of ${recording.length} events`, all);
}
