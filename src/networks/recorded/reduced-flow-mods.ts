import type { FlowMod } from '../openflow/messages.ts';
import { applyFlowMod } from '../switch/flow-mod.ts';
import { emptyTable, type FlowEntry } from '../switch/flow-table.ts';

/** What counts of an entry: what it does, and how long it stays. */
export const textOf = ({ match, priority, actions, idleTimeout, hardTimeout }: FlowEntry): string =>
  JSON.stringify([sorted(match), priority, actions.map(sorted), idleTimeout, hardTimeout]);

const sorted = (fields: object): readonly unknown[] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** The flow table after flow_mods. Each takes effect at the time of its index, so that entries tell what made them. */
export function tableAfter(mods: readonly FlowMod[]): readonly FlowEntry[] {
  const table = emptyTable(Number.MAX_SAFE_INTEGER);
  for (const [at, mod] of mods.entries()) applyFlowMod(table, mod, at);
  return table.entries;
}

const isDelete = ({ command }: FlowMod): boolean => command === 'delete' || command === 'delete_strict';

/** Indices of the flow_mods before the deletes at the end: a controller that cleans up would explain everything away. */
export function withoutTrailingDeletes(mods: readonly FlowMod[]): readonly FlowMod[] {
  return mods.slice(0, mods.findLastIndex((mod) => !isDelete(mod)) + 1);
}

/** With more of them, none is tried to be left out. */
const TRIED_MAX = 500;

/**
 * Indices of the flow_mods that explain entries of the table at the end: they alone make the same entries, and none of them can be left out. An entry that is
 * there at the end has been there since it was added, so only what added it, and what changed its actions last, can matter: no delete does.
 */
export function reducedFlowMods(
  mods: readonly FlowMod[],
  isAsked: (entry: FlowEntry) => boolean = () => true,
): number[] {
  const asked = tableAfter(mods).filter(isAsked);
  const makers = asked.flatMap(({ createdAtMs, modifiedAtMs }) => [createdAtMs, modifiedAtMs]);
  const kept = [...new Set(makers)].toSorted((one, other) => one - other);
  return kept.length > TRIED_MAX ? kept : withoutNeedless(kept, mods, asked);
}

/** A modification adds the entry if there is none: then the flow_mod that added it is needless. Tried from the end. */
function withoutNeedless(makers: readonly number[], mods: readonly FlowMod[], asked: readonly FlowEntry[]): number[] {
  const wanted = asked.map(textOf);
  const makesAll = (indices: readonly number[]): boolean => {
    const made = new Set(tableAfter(indices.map((at) => mods[at] as FlowMod)).map(textOf));
    return made.size === wanted.length && wanted.every((text) => made.has(text));
  };
  let kept = [...makers];
  // Without a later one, an earlier one may become needless.
  for (let before = Infinity; kept.length < before;) {
    before = kept.length;
    for (const at of kept.toReversed()) {
      const fewer = kept.filter((one) => one !== at);
      if (makesAll(fewer)) kept = fewer;
    }
  }
  return kept;
}
