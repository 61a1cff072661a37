import { changeGroups } from '../explain/why/change-groups.ts';
import type { Reason } from '../trace/view-model.ts';
import type { Counterfactual, Why } from '../trace/why.ts';

/** More would not be read before the rest of the page. */
const REASONS_MAX = 5;

/**
 * The changes that say most about a violation besides its race, grouped as in the terminal: what is needed and what is not, then single
 * changes that would have prevented it, the smallest first.
 */
export function reasonsOf({ counterfactuals, race }: Why): Reason[] {
  const replayed = counterfactuals.filter(({ replays }) => replays !== undefined);
  const singles = replayed.length > 0 ? replayed : preventing(counterfactuals, race);
  const groups = replayed.length > 0 ? [] : changeGroups(counterfactuals);
  return [...groups, ...singles.map(reasonOf)].slice(0, REASONS_MAX);
}

const preventing = (all: readonly Counterfactual[], race: Counterfactual | undefined): Counterfactual[] =>
  all
    .filter(({ change, outcome, what }) => change !== 'without' && outcome === 'holds' && what !== race?.what)
    .toSorted((one, other) => size(one) - size(other));

const size = ({ along = [], absent }: Counterfactual): number => along.length + absent.length;

const reasonOf = ({ event, before, along = [], what }: Counterfactual): Reason => ({
  label: 'or',
  events: [event, ...(before === undefined ? [] : [before]), ...along],
  what,
});
