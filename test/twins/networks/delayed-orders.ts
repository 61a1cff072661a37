import { applyFlowMod, emptyTable, type FlowMod, type FlowTable } from 'culprit/networks';

/** What a controller sends: flow_mods and barriers. */
export type DelayedScript = readonly (FlowMod | 'barrier')[];

/** What counts of a table. */
export const shownTable = ({ entries }: Pick<FlowTable, 'entries'>): string =>
  JSON.stringify(entries.map(({ match, priority, actions }) => [match, priority, actions]));

/** The tables that a switch can end with: all orders of all flow_mods are tried, and those that the rules forbid are left out. */
export function endTables(scripts: readonly DelayedScript[], order: 'fifo' | 'unordered'): Set<string> {
  const items = scripts.flatMap((script, controller) => script.map((item, at) => ({ item, controller, at })));
  const flowMods = items.filter(({ item }) => item !== 'barrier');
  const ends = new Set<string>();
  for (const permutation of permutationsOf(flowMods)) {
    const isAllowed = permutation.every((later, place) =>
      permutation.slice(0, place).every((earlier) => {
        if (earlier.controller !== later.controller || earlier.at < later.at) return true;
        const between = (scripts[later.controller] as DelayedScript).slice(later.at, earlier.at);
        return order === 'unordered' && !between.includes('barrier');
      }),
    );
    if (!isAllowed) continue;
    const table = emptyTable(100);
    for (const { item } of permutation) applyFlowMod(table, item as FlowMod, 0);
    ends.add(shownTable(table));
  }
  return ends;
}

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, at) => permutationsOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}
