import { flowWords } from './flow-words.ts';
import type { StationNames } from './station-names.ts';
import type { ShownSwitch } from './switch-in.ts';

/** The flow entries that a switch has got and lost, in words. Counters are no part of them. */
export interface TableChanges {
  readonly learned: readonly string[];
  readonly forgotten: readonly string[];
}

export function tableChanges(before: ShownSwitch, after: ShownSwitch, names: StationNames): TableChanges {
  const [had, has] = [entriesOf(before, names), entriesOf(after, names)];
  return {
    learned: [...has].filter((entry) => !had.has(entry)),
    forgotten: [...had].filter((entry) => !has.has(entry)),
  };
}

const entriesOf = ({ entries }: ShownSwitch, names: StationNames): ReadonlySet<string> =>
  new Set(entries.map((entry) => flowWords(entry, names, { allPriorities: true })));
