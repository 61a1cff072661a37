import { CulpritError } from '../../error.ts';
import { fromPortable } from '../../trace/json-encoding.ts';
import type { EventLine, Trace } from '../../trace/format.ts';
import type { FlowMod } from '../openflow/messages.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import { sendsTo } from '../switch/flow-mod.ts';
import { messageWords } from '../words/message-words.ts';
import { StationNames } from '../words/station-names.ts';
import { recordedStates } from './recorded-states.ts';
import { reducedFlowMods, textOf, withoutTrailingDeletes } from './reduced-flow-mods.ts';

/** What flow_mods cannot be behind. */
class NothingBehind extends CulpritError {
  readonly code = 'NOTHING_BEHIND';
}

/** The flow_mods of one switch that explain its table. */
export interface ReducedTable {
  readonly switch: string;
  /** How many flow_mods the switch got since it last started. */
  readonly total: number;
  readonly kept: readonly { readonly event: number; readonly from: string; readonly flowMod: string }[];
}

/** Which entries are asked about: of which switch, and which of them. */
type IsAsked = (name: string, entry: FlowEntry) => boolean;

/**
 * The flow_mods that explain the tables at the end of a recording, by switch: not those whose entries were replaced, deleted or have expired. `behind`: only
 * those behind the path of the violation (`violation`), or behind a loop over these switches (`s1,s2,s3`).
 */
export function reducedTables(trace: Trace, behind?: string): ReducedTable[] {
  const names = new StationNames(trace.header.topology?.stations);
  const isAsked = behind === undefined ? () => true : askedBehind(trace, behind);
  const [mods, entries] = [flowModsOf(trace.events), entriesAtEnd(trace)];
  return [...mods].map(([name, given]) => {
    const before = withoutTrailingDeletes(given.map(({ flowMod }) => flowMod));
    const hasTrailing = before.length < given.length;
    const isThere = (entry: FlowEntry): boolean => hasTrailing || entries.get(name)?.has(textOf(entry)) === true;
    const kept = reducedFlowMods(before, (entry) => isThere(entry) && isAsked(name, entry));
    return {
      switch: name,
      total: given.length,
      kept: kept.map((at) => {
        const { line, flowMod } = given[at] as GivenFlowMod;
        return { event: line.event, from: line.from, flowMod: messageWords(flowMod, names) ?? 'flow_mod' };
      }),
    };
  });
}

interface GivenFlowMod {
  readonly line: Extract<EventLine, { kind: 'deliver' }>;
  readonly flowMod: FlowMod;
}

/** The flow_mods that each switch got since it last started: with its power it loses its table. */
function flowModsOf(events: readonly EventLine[]): Map<string, GivenFlowMod[]> {
  const all = new Map<string, GivenFlowMod[]>();
  for (const line of events) {
    if (line.kind === 'start' || line.kind === 'restart') all.delete(line.process);
    if (line.kind !== 'deliver') continue;
    const message = fromPortable(line.message) as { readonly type?: unknown } | null;
    if (message?.type !== 'flow_mod') continue;
    all.set(line.process, [...(all.get(line.process) ?? []), { line, flowMod: message as FlowMod }]);
  }
  return all;
}

function entriesAtEnd({ events }: Trace): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>();
  for (const { line, after } of recordedStates(events)) {
    const entries = (after as { readonly table?: { readonly entries?: readonly FlowEntry[] } } | undefined)?.table
      ?.entries;
    if (Array.isArray(entries)) tables.set(line.process, new Set((entries as readonly FlowEntry[]).map(textOf)));
  }
  return tables;
}

function askedBehind(trace: Trace, behind: string): IsAsked {
  return behind === 'violation'
    ? onPathOf(trace)
    : onLoop(
        trace,
        behind.split(',').map((name) => name.trim()),
      );
}

interface VerdictHop {
  readonly switch: string;
  readonly entry: Pick<FlowEntry, 'match' | 'priority' | 'actions'>;
}

/** The entries on the path that the verdict names. */
function onPathOf({ verdict }: Trace): IsAsked {
  const values = verdict.verdict === 'violated' ? verdict.values : undefined;
  const path = fromPortable(values?.['path']) as readonly VerdictHop[] | undefined;
  if (!Array.isArray(path))
    throw new NothingBehind(
      'the verdict of this trace has no path.',
      'Name a loop by its switches: --behind s1,s2,s3; or omit --behind.',
    );
  const keyOf = (name: string, { match, priority }: VerdictHop['entry']): string =>
    JSON.stringify([name, Object.entries(match).toSorted(([one], [other]) => (one < other ? -1 : 1)), priority]);
  const keys = new Set((path as readonly VerdictHop[]).map((hop) => keyOf(hop.switch, hop.entry)));
  return (name, entry) => keys.has(keyOf(name, entry));
}

/** The entries that lead from each switch of a loop to the next. */
function onLoop({ header: { topology } }: Trace, names: readonly string[]): IsAsked {
  const unknown = names.find((name) => topology?.nodes.includes(name) !== true);
  if (unknown !== undefined)
    throw new NothingBehind(
      `the topology has no switch ${JSON.stringify(unknown)}.`,
      'Give `violation`, or the switches of a loop in their order: --behind s1,s2,s3.',
    );
  const ports = (from: string, to: string): number[] =>
    (topology?.links ?? []).flatMap(({ ends: [one, other] }) => {
      if (one.process === from && other.process === to) return one.port ?? [];
      return other.process === from && one.process === to ? (other.port ?? []) : [];
    });
  const next = new Map(names.map((name, at) => [name, ports(name, names[(at + 1) % names.length] as string)]));
  return (name, { actions }) =>
    (next.get(name) ?? []).some(
      (port) => sendsTo(actions, port) || sendsTo(actions, 'flood') || sendsTo(actions, 'all'),
    );
}
