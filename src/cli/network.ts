import { Command } from 'commander';
import { loadTrace } from '../files/trace-file.ts';
import { BadOption } from '../kernel/options/options.ts';
import {
  changeBetween,
  configurationDiff,
  configurationsOf,
  type Configuration,
  type ConfigurationChange,
  type ConfigurationRow,
} from '../networks/recorded/configurations.ts';
import { eventKinds } from '../networks/recorded/event-kinds.ts';
import { reducedTables, type ReducedTable } from '../networks/recorded/flow-history.ts';
import { packetTrace, type TracedHop } from '../networks/recorded/packet-trace.ts';
import { plural } from '../text/plural.ts';
import { wrapHanging } from '../text/wrap.ts';
import type { Trace } from '../trace/format.ts';
import { printJson, printOut, terminalWidth } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { atLeast } from './settings.ts';

interface Options {
  readonly path?: number;
  readonly flows: boolean;
  readonly behind?: string;
  readonly configurations: boolean;
  readonly json: boolean;
}

export const networkCommand = (): Command =>
  new Command('network')
    .description('look into a saved trace of a network: paths of packets, flow tables, configurations')
    .argument('<trace>', 'a trace file')
    .argument('[other]', 'with --configurations: another trace to compare with')
    .option('--path <event>', 'the path of the packet that this event is about', atLeast(1))
    .option('--flows', 'the flow_mods that explain the flow tables at the end', false)
    .option('--behind <what>', 'with --flows: only those behind the violation, or behind a loop such as s1,s2,s3')
    .option('--configurations', 'how the network was configured, step by step', false)
    .option('--json', 'print one JSON object instead', false)
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Without an option, it prints the number of events of each kind. Nothing is executed.

--path follows one packet through the recording: its hops, the flow entries that it matched, and the messages with controllers about it.
\`culprit view\` draws the same path on the topology.
--flows leaves out the flow_mods whose entries were replaced, deleted or have expired, and deletes at the end.
--configurations lists what changes in flow tables, ports and links. With another trace it shows which configurations both have: = in both,
< in the first only, > in the second only.

Examples:
  culprit network .culprit/blackholes-57c1.trace
  culprit network .culprit/blackholes-57c1.trace --path 31
  culprit network .culprit/loops-0b2e.trace --flows --behind violation
  culprit network .culprit/loops-0b2e.trace .culprit/loops-77aa.trace --configurations`;

function run(path: string, other: string | undefined, options: Options): void {
  const { path: event, flows, behind, configurations, json } = options;
  if ([event !== undefined, flows, configurations].filter(Boolean).length > 1)
    throw new BadOption('--path, --flows and --configurations exclude each other.', 'Give one of them.');
  if (behind !== undefined && !flows) throw new BadOption('--behind needs --flows.', 'Add --flows.');
  if (other !== undefined && !configurations)
    throw new BadOption('only configurations can be compared.', 'Add --configurations, or use culprit diff.');
  const trace = networkTrace(path);
  if (event !== undefined) show(json, packetTrace(trace, event), (hops) => pathLines(hops));
  else if (flows) show(json, reducedTables(trace, behind), flowLines);
  else if (configurations) printConfigurations(json, trace, other);
  else show(json, eventKinds(trace), kindLines);
}

function networkTrace(path: string): Trace {
  const trace = loadTrace(path);
  if (trace.header.topology !== undefined) return trace;
  throw new BadOption(`${path} is no trace of a network.`, 'Give the trace of a system with a topology.');
}

function show<T>(json: boolean, data: T, lines: (data: T) => readonly string[]): void {
  if (json) printJson('network', { rows: data });
  else printOut(wrapHanging(lines(data), terminalWidth()));
}

const fates = { arrived: '', lost: ', lost', pending: ', still under way' } as const;

const pathLines = (hops: readonly TracedHop[]): string[] =>
  hops.flatMap(({ event, from, to, message, fate, entry, isMiss, isStation }) => [
    `${String(event).padStart(6)}  ${from} → ${to}  ${isStation === true ? 'reaches the station' : message}${fates[fate]}`,
    ...(entry === undefined ? [] : [`        matches ${entry}`]),
    ...(isMiss === true ? ['        matches no flow entry'] : []),
  ]);

const flowLines = (tables: readonly ReducedTable[]): string[] =>
  tables.flatMap(({ switch: name, total, kept }) => [
    `${name}: ${kept.length} of ${plural(total, 'flow_mod')}`,
    ...kept.map(({ event, from, flowMod }) => `${String(event).padStart(6)}  ${from}  ${flowMod}`),
  ]);

const kindLines = (kinds: ReturnType<typeof eventKinds>): string[] => {
  const width = Math.max(...kinds.map(({ kind }) => kind.length));
  return kinds.map(({ kind, events }) => `${kind.padEnd(width)}  ${String(events).padStart(6)}`);
};

function printConfigurations(json: boolean, trace: Trace, other: string | undefined): void {
  const left = configurationsOf(trace);
  if (other === undefined) return show(json, left, configurationLines);
  const rows = configurationDiff(left, configurationsOf(networkTrace(other)));
  if (json) return printJson('network', { rows });
  const both = rows.filter((row) => row.left !== undefined && row.right !== undefined).length;
  printOut(wrapHanging(diffLines(rows), terminalWidth()));
  printLines([`common    ${both} of ${plural(rows.length, 'configuration')}`]);
}

/** Each row, and of those that only one trace has, what has changed since the one before it. */
function diffLines(rows: readonly ConfigurationRow[]): string[] {
  const last: { left?: Configuration; right?: Configuration } = {};
  return rows.flatMap(({ left, right }) => {
    const isBoth = left !== undefined && right !== undefined;
    const [shown, before] = left === undefined ? [right as Configuration, last.right] : [left, last.left];
    if (left !== undefined) last.left = left;
    if (right !== undefined) last.right = right;
    const mark = isBoth ? '=' : left === undefined ? '>' : '<';
    const events = isBoth ? `${left.event}|${right.event}` : String(shown.event);
    return [
      `  ${mark} ${events.padStart(9)}  ${plural(shown.facts.length, 'fact')}`,
      ...(isBoth ? [] : changeLines(changeBetween(before, shown), '               ')),
    ];
  });
}

const changeLines = ({ added, removed }: ConfigurationChange, indent: string): string[] => [
  ...removed.map((fact) => `${indent}− ${fact}`),
  ...added.map((fact) => `${indent}+ ${fact}`),
];

const configurationLines = (all: readonly Configuration[]): string[] =>
  all.flatMap((configuration, at) => [
    `${String(configuration.event).padStart(6)}  ${plural(configuration.facts.length, 'fact')}`,
    ...changeLines(changeBetween(all[at - 1], configuration), '        '),
  ]);
