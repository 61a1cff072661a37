import type { World } from '../../kernel/world.ts';
import type { StepCommand, StepView } from '../../system/step-commands.ts';
import type { ProcessTopology } from '../../trace/topology.ts';
import { failControl, recoverControl } from '../switch/switch-faults.ts';
import type { Topology } from '../topology/topology.ts';
import { flowWords } from '../words/flow-words.ts';
import { StationNames } from '../words/station-names.ts';
import { switchIn } from '../words/switch-in.ts';
import { tableChanges } from '../words/table-changes.ts';
import { BadNetwork, type Names } from './names.ts';
import { stationLines, switchLines } from './step-lists.ts';
import type { TrafficItems } from './traffic-items.ts';

type Commands = Readonly<Record<string, StepCommand>>;

/** The commands of `culprit step` on a network: those of STS's console, besides those that every session has. */
export const networkCommands = (
  topology: Topology,
  { stations = [] }: ProcessTopology,
  names: Names,
  traffic: TrafficItems,
): Commands => ({
  ...inputs(topology, names, traffic),
  ...views(topology, names, new StationNames(stations)),
  ...synonyms,
});

function inputs(topology: Topology, names: Names, traffic: TrafficItems): Commands {
  const stations = (): string[] => topology.stations.map(({ name }) => name);
  const switches = (): string[] => topology.switches.map(({ name }) => name);
  return {
    ping: {
      takes: 'from to',
      does: 'lets a station ping another one, or itself',
      completes: stations,
      inject: (words) => traffic.ping(...two(words, 'ping h1 h2')),
    },
    inject: {
      takes: 'station frame',
      does: 'lets a station send a frame (hexadecimal)',
      completes: (words) => (words.length === 1 ? stations() : []),
      inject: (words) => traffic.inject(...two(words, 'inject h1 ffffffffffff0000…')),
    },
    migrate: {
      takes: 'station switch',
      does: 'moves a station to a new port there',
      completes: (words) => (words.length === 1 ? stations() : switches()),
      inject: (words) => traffic.migrate(...two(words, 'migrate h1 s2')),
    },
    fail: {
      takes: 'switch',
      does: 'closes its channels; its table stays',
      completes: switches,
      inject: (words) => failControl(names.switch(one(words, 'fail s1'))),
    },
    recover: {
      takes: 'switch',
      does: 'lets it connect to controllers again',
      completes: switches,
      inject: (words) => recoverControl(names.switch(one(words, 'recover s1'))),
    },
  };
}

const views = (topology: Topology, names: Names, addresses: StationNames): Commands => ({
  flows: {
    takes: 'switch [since event]',
    does: 'its flow table, or its changes since then',
    completes: () => topology.switches.map(({ name }) => name),
    show: (words, shown) => flowLines(words, shown, names, addresses),
  },
  switches: {
    does: 'all switches: flow entries, channels, ports',
    show: (_words, { world }) => switchLines(topology, world),
  },
  stations: {
    does: 'all stations: place, addresses, frames',
    show: (_words, { world }) => stationLines(topology, world),
  },
});

/** What STS calls commands that exist. */
const synonyms: Commands = {
  hosts: { does: 'the same', sameAs: 'stations' },
  forward: { takes: 'frame', does: 'delivers it, by number or words', sameAs: '' },
  drop: { takes: 'frame', does: 'loses it', sameAs: 'lose' },
  delay: { takes: 'frame until event', does: 'holds it back', sameAs: 'hold' },
  repair: { takes: 'switch switch', does: 'heals the link between them', sameAs: 'heal' },
  block: { takes: 'controller switch', does: 'cuts their channel: messages wait', sameAs: 'cut' },
  unblock: { takes: 'controller switch', does: 'heals their channel', sameAs: 'heal' },
  fuzz: { takes: '[n] [until …]', does: 'continues at random, as the workload says', sameAs: 'run' },
};

function one(words: readonly string[], example: string): string {
  const [first, ...more] = words;
  if (first !== undefined && more.length === 0) return first;
  throw wrongWords(words, example);
}

function two(words: readonly string[], example: string): [string, string] {
  const [first, second, ...more] = words;
  if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
  throw wrongWords(words, example);
}

const wrongWords = (words: readonly string[], example: string): BadNetwork => {
  const [command = '', ...wanted] = example.split(' ');
  const given = words.length === 0 ? 'none' : `“${words.join(' ')}”`;
  return new BadNetwork(
    `${command} takes ${wanted.length === 1 ? 'one name' : 'two words'}, not ${given}.`,
    `Such as: ${example}`,
  );
};

/** `flows s1` and `flows s1 since 12`. */
function flowLines(
  words: readonly string[],
  { world, stateAfter }: StepView,
  names: Names,
  addresses: StationNames,
): string[] {
  const [name = '', since, event, ...more] = words;
  const isDiff = since === 'since' && /^\d+$/.test(event ?? '');
  if (name === '' || more.length > 0 || (since !== undefined && !isDiff))
    throw new BadNetwork(
      'flows takes a switch, and the number of an event.',
      'Such as: flows s1, or: flows s1 since 12',
    );
  const now = switchIn(stateOf(world, names.switch(name)));
  if (now === undefined) return [`${name} is down`];
  if (!isDiff)
    return listed(
      now.entries.map((entry) => flowWords(entry, addresses, { allPriorities: true })),
      'no flow entry',
    );
  const before = switchIn(stateAfter(name, Number(event))) ?? { entries: [], ports: [] };
  const { learned, forgotten } = tableChanges(before, now, addresses);
  return listed(
    [...learned.map((entry) => `+ ${entry}`), ...forgotten.map((entry) => `− ${entry}`)],
    `no other entries than after event ${event}`,
  );
}

const stateOf = (world: World, name: string): unknown => world.process(name).state;

const listed = (lines: readonly string[], nothing: string): string[] =>
  (lines.length === 0 ? [nothing] : lines).map((line) => `  ${line}`);
