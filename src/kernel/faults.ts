import { hex } from '../trace/digest.ts';
import type { External, Internal } from '../trace/event.ts';
import type { Faults } from './declaration.ts';
import type { LiveWorld } from './live-world.ts';
import type { Process } from './process.ts';

/** The faults that the environment may still inject within the declared budgets. Only the world decides their order. */
export function possibleFaults(world: LiveWorld, enabled: readonly Internal[]): External[] {
  const left = (budget: keyof Faults): boolean => world.spent[budget] < world.declaration.faults[budget];
  return [
    ...(left('crashes')
      ? namesOf(world, ({ runs }) => runs).map((process): External => ({ kind: 'crash', process }))
      : []),
    ...(left('restarts')
      ? namesOf(world, ({ status }) => status === 'crashed').map((process): External => ({ kind: 'restart', process }))
      : []),
    ...(left('partitions') ? links(world, false).map((link): External => ({ kind: 'cut', links: both(link) })) : []),
    ...(world.declaration.faults.partitions > 0
      ? links(world, true).map((link): External => ({ kind: 'heal', links: both(link) }))
      : []),
    ...(left('losses') ? deliveries(enabled).map((target): External => ({ kind: 'lose', target })) : []),
    ...(left('duplicates') ? deliveries(enabled).map((target): External => ({ kind: 'duplicate', target })) : []),
  ];
}

const namesOf = (world: LiveWorld, isMeant: (process: Process) => boolean): string[] =>
  world.processes.filter(isMeant).map(({ name }) => name);

type LinkPair = readonly [string, string];

const both = ([a, b]: LinkPair): readonly [LinkPair, LinkPair] => [
  [a, b],
  [b, a],
];

/** Pairs of processes whose links are cut, in either direction, or whole. */
function links(world: LiveWorld, cut: boolean): LinkPair[] {
  return world.processes.flatMap((from, at) =>
    world.processes
      .slice(at + 1)
      .filter((to) => (world.isCut(from.at, to.at) || world.isCut(to.at, from.at)) === cut)
      .map(({ name }): LinkPair => [from.name, name]),
  );
}

const deliveries = (enabled: readonly Internal[]): string[] =>
  enabled.filter(({ kind }) => kind === 'deliver').map(hex);
