import { Causality } from './causality.ts';
import { lineDifference, type Difference } from './difference.ts';
import { ENVIRONMENT } from './event.ts';
import type { EventLine } from './format.ts';

/**
 * The events of a recording, and for each the event that replaced it when they were executed again; undefined if it did
 * not happen.
 */
export interface Retraced {
  readonly recorded: readonly EventLine[];
  readonly now: readonly (EventLine | undefined)[];
}

/** Whether the replay reached the end of the recording, and the first point where the code reacted differently. */
export interface Reach {
  readonly isReached: boolean;
  /** The first event that a process met in the same state and handled differently, if any. */
  readonly otherwise: Difference | undefined;
}

/**
 * A replay reaches the end if every recorded event happened again with the same contents, except downstream of events
 * that a process met in the recorded state and handled differently. Any other difference means that the replay
 * diverged.
 */
export function reachOf(retraced: Retraced): Reach {
  const { recorded, now } = retraced;
  const missing = recorded.flatMap((line, at) => (isSameEvent(line, now[at]) ? [] : [at]));
  const way = wayOf(retraced);
  const otherwise = recorded.flatMap((_line, at) => handledOtherwise(retraced, way, at));
  const causality = new Causality(recorded.map(({ process, cause }) => ({ process, cause: cause - 1 })));
  const isExplained = causality.isAfter(otherwise.map(({ event }) => event - 1));
  return { isReached: missing.every((at) => isExplained[at] === 1), otherwise: otherwise[0] };
}

/** By event: the previous event of its process, and its first recorded effect that did not happen. */
interface DivergedWay {
  readonly previous: readonly (number | undefined)[];
  readonly unsent: ReadonlyMap<number, EventLine>;
}

function wayOf({ recorded, now }: Retraced): DivergedWay {
  const latest = new Map<string, number>();
  const unsent = new Map<number, EventLine>();
  const previous = recorded.map((line, at) => {
    const before = latest.get(line.process);
    latest.set(line.process, at);
    if (now[at] === undefined && !unsent.has(line.cause)) unsent.set(line.cause, line);
    return before;
  });
  return { previous, unsent };
}

/**
 * The difference in the reaction of a process to the same event in the same state. A start has no state before it, so
 * it is no reaction.
 */
function handledOtherwise({ recorded, now }: Retraced, way: DivergedWay, at: number): Difference[] {
  const [then, today] = [recorded[at] as EventLine, now[at]];
  const before = way.previous[at];
  if (then.process === ENVIRONMENT || before === undefined || recorded[before]?.state !== now[before]?.state) return [];
  if (today === undefined || !isSameEvent(then, today)) return [];
  const state = lineDifference(reaction(then, then), reaction(then, today));
  if (state !== undefined) return [state];
  const unsent = way.unsent.get(then.event);
  if (unsent === undefined) return [];
  const what = `${then.process} (${then.kind}): it no longer leads to event ${unsent.event} (${unsent.process}, ${unsent.kind}).`;
  return [{ event: then.event, what, reordered: false }];
}

/** Without numbers that count other events. */
const isSameEvent = (then: EventLine, today: EventLine | undefined): boolean =>
  today !== undefined && JSON.stringify(occurrence(then)) === JSON.stringify(occurrence(today));

/** The fields of a line that describe the event, without its effects. */
function occurrence(line: EventLine): object {
  const { event: _event, cause: _cause, state: _state, changes: _changes, unseen: _unseen, ...rest } = line;
  const {
    log: _log,
    output: _output,
    dropped: _dropped,
    history: _history,
    label: _label,
    stateLabel: _stateLabel,
    changeLabels: _changeLabels,
    messageName: _messageName,
    droppedNames: _droppedNames,
    routine: _routine,
    ...occurred
  } = rest;
  return occurred;
}

/** The line with the state of the other one. */
function reaction({ state: _state, changes: _changes, ...then }: EventLine, { state, changes }: EventLine): EventLine {
  return { ...then, ...(state === undefined ? {} : { state }), ...(changes === undefined ? {} : { changes }) };
}
