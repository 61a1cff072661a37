import { hex } from '../trace/digest.ts';
import type { External, Internal } from '../trace/event.ts';
import type { Faults, LinkPair } from './declaration.ts';
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
    ...(left('partitions') ? wholeLinks(world).map((link): External => ({ kind: 'cut', links: both(link) })) : []),
    ...(world.declaration.faults.partitions > 0
      ? cutLinks(world).map((link): External => ({ kind: 'heal', links: both(link) }))
      : []),
    ...(left('losses') ? deliveries(enabled).map((target): External => ({ kind: 'lose', target })) : []),
    ...(left('duplicates') ? deliveries(enabled).map((target): External => ({ kind: 'duplicate', target })) : []),
  ];
}

const namesOf = (world: LiveWorld, isMeant: (process: Process) => boolean): string[] =>
  world.processes.filter(isMeant).map(({ name }) => name);

const both = ([a, b]: LinkPair): readonly [LinkPair, LinkPair] => [
  [a, b],
  [b, a],
];

/** The links that partitions may cut and that work in both directions. */
function wholeLinks(world: LiveWorld): readonly LinkPair[] {
  return (world.declaration.links ?? pairsOf(world)).filter((link) => placesOf(world, link) && !isCut(world, link));
}

/** The links that are cut in at least one direction: all of them, also those that the workload cut. */
const cutLinks = (world: LiveWorld): LinkPair[] =>
  world.cuts === 0 ? [] : pairsOf(world).filter((link) => isCut(world, link));

const pairsOf = ({ processes }: LiveWorld): LinkPair[] =>
  processes.flatMap(({ name }, at) => processes.slice(at + 1).map((other): LinkPair => [name, other.name]));

function isCut(world: LiveWorld, link: LinkPair): boolean {
  const [one, other] = placesOf(world, link) ?? [];
  return one !== undefined && other !== undefined && (world.isCut(one, other) || world.isCut(other, one));
}

/** The places of both processes; undefined if one of them has not joined. */
function placesOf(world: LiveWorld, link: LinkPair): readonly [number, number] | undefined {
  const [one, other] = link.map((name) => world.place(name));
  return one === undefined || other === undefined ? undefined : [one, other];
}

const deliveries = (enabled: readonly Internal[]): string[] =>
  enabled.filter(({ kind }) => kind === 'deliver').map(hex);
