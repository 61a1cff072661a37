import type { Counterfactual } from '../../trace/why.ts';
import { eventsOf } from '../label-lines.ts';

/** Events that have the same result if they are left out one at a time. */
export interface ChangeGroup {
  readonly label: string;
  readonly events: readonly number[];
  /** The events and the result, in a sentence. */
  readonly what: string;
}

const results: readonly (readonly [label: string, outcome: string, what: string])[] = [
  ['needed', 'holds', 'the violation does not happen'],
  ['delayed only', 'delayed only', 'the violation is delayed until the event happens after all'],
  ['no matter', 'violated', 'the violation still happens'],
];

/** The events that were left out, by result; results without events are omitted. */
export const changeGroups = (counterfactuals: readonly Counterfactual[]): ChangeGroup[] =>
  results.flatMap(([label, outcome, result]) => {
    const events = counterfactuals
      .filter((one) => one.change === 'without' && outcomeOf(one) === outcome)
      .map(({ event }) => event);
    if (events.length === 0) return [];
    const what = `${eventsOf(events)}: without ${events.length === 1 ? 'it' : 'any of them'}, ${result}`;
    return [{ label, events, what }];
  });

export const outcomeOf = (one: Counterfactual | undefined): string =>
  one?.isDelayed === true ? 'delayed only' : (one?.outcome ?? '');
