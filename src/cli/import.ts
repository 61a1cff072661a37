import { basename } from 'node:path';
import { Command } from 'commander';
import { readBytes } from '../files/access.ts';
import { saveTrace } from '../files/trace-file.ts';
import { importSts, type Imported } from '../import/import-sts.ts';
import { BadOption } from '../kernel/options/options.ts';
import type { NamedTopology } from '../networks/sts/sts-topology.ts';
import { fatTree } from '../networks/topology/fat-tree.ts';
import { topologyFrom } from '../networks/topology/from-json.ts';
import { linear, ring } from '../networks/topology/line.ts';
import { mesh } from '../networks/topology/mesh.ts';
import { plural } from '../text/plural.ts';
import { shellWord } from '../text/shell-word.ts';
import { shownPath } from '../text/shown-path.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { collectSetting } from './settings.ts';

interface Options {
  readonly topology?: string;
  readonly violation?: string;
  readonly set: Readonly<Record<string, string>>;
  readonly out: string;
  readonly json: boolean;
}

export const importCommand = (): Command =>
  new Command('import')
    .description('turn a trace of STS into one of ours, to replay its inputs against any controller')
    .argument('<file>', 'an events.trace or mcs.trace of STS')
    .option(
      '--topology <name>',
      'mesh(4), linear(3), ring(4), fatTree(4), or a JSON file; default: the mesh or fat tree that fits',
    )
    .option('--violation <invariant>', 'the invariant of your system that its violation breaks; default: any')
    .option('--set <name=value>', 'set a parameter of the system that replays the trace', collectSetting, {})
    .option('--out <folder>', 'folder for the trace', '.culprit')
    .option('--json', 'print one JSON object instead', false)
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
STS (Scott and others, 2014) writes one event per line, as JSON. Its inputs become ours, its OpenFlow messages are decoded, and our
switches execute both, so that the trace has their states. What cannot be imported is counted and named. Then replay it against a controller:
  culprit replay .culprit/events-3f2a.trace --system my-network.system.ts
or look at it with view, step, minimize, or export --to pcapng. The network has to have the same topology, and \`migrations: true\` if a host moves.

Exit codes: 0 imported, 2 wrong use or bad input, such as an event of an unknown class.

Examples:
  culprit import mcs.trace
  culprit import events.trace --topology fatTree(4) --violation blackholes --set rounds=50`;

async function run(file: string, { topology, violation, set, out, json }: Options): Promise<void> {
  const text = readBytes(file, 'Give the path of an events.trace or mcs.trace of STS.').toString();
  const name = basename(file).replace(/\.trace$/, '');
  const imported = await importSts(text, name, {
    violation,
    parameters: set,
    topology: topology === undefined ? undefined : topologyCalled(topology),
  });
  const path = shownPath(saveTrace(imported.trace, out, name.replaceAll(/[^A-Za-z0-9]+/g, '-')));
  if (json) printJson('import', importJson(imported, path));
  else printImport(imported, path);
}

const makers: Readonly<Record<string, (size: number) => NamedTopology['topology']>> = { mesh, linear, ring, fatTree };

function topologyCalled(given: string): NamedTopology {
  const [, maker = '', size] = /^(\w+)\((\d+)\)$/.exec(given.replaceAll(' ', '')) ?? [];
  const make = Object.hasOwn(makers, maker) ? makers[maker] : undefined;
  if (make !== undefined) return { name: given, topology: make(Number(size)) };
  if (!given.endsWith('.json'))
    throw new BadOption(
      `there is no topology called ${given}.`,
      `Use one of ${Object.keys(makers).join('(n), ')}(n), or the path of a JSON file.`,
    );
  return { name: given, topology: topologyFrom(readBytes(given, 'Give the path of a topology as JSON.').toString()) };
}

function printImport({ trace, topology, inputs, messages, notes }: Imported, path: string): void {
  const { verdict } = trace;
  printLines([
    `imported  ${plural(inputs.ours, 'input')} (${inputs.published} as STS counts), ${plural(messages.recorded, 'message')} on control channels`,
    `topology  ${topology}`,
    ...(messages.happened === messages.recorded
      ? []
      : [
          `differ    ${plural(messages.recorded - messages.happened, 'message')} not made by our switches, or held back by a block`,
        ]),
    ...notes.map((note, at) => `${at === 0 ? 'left out' : '        '}  ${note}`),
    ...(verdict.verdict === 'violated' ? [`violated  ${verdict.oracle}: ${verdict.message}`] : []),
    `saved     ${path}, ${plural(trace.events.length, 'event')}`,
    `next      culprit replay ${shellWord(path)} --system my-network.system.ts`,
  ]);
}

const importJson = ({ trace, topology, inputs, messages, notes }: Imported, path: string): object => ({
  path,
  topology,
  inputs,
  messages,
  notes,
  events: trace.events.length,
  verdict: trace.verdict,
});
