import { hex } from '../trace/digest.ts';
import type { Deliver, External, Internal, Link } from '../trace/event.ts';
import { oncePer } from './data/once-per.ts';
import type { Declaration, Faults, LinkPair } from './declaration.ts';
import type { LiveWorld } from './live-world.ts';
import type { Channel } from './network/channel.ts';
import { linkRules } from './network/rules.ts';
import type { Process } from './process.ts';

/** The faults that the environment may still inject within the declared budgets. Only the world decides their order. */
export function possibleFaults(world: LiveWorld, enabled: readonly Internal[]): readonly External[] {
  if (hasNoBudget(world.declaration.faults)) return [];
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
    ...(left('pauses')
      ? namesOf(world, ({ runs, isPaused }) => runs && !isPaused).map((process): External => ({
          kind: 'pause',
          process,
        }))
      : []),
    ...(world.declaration.faults.pauses > 0
      ? namesOf(world, ({ isPaused }) => isPaused).map((process): External => ({ kind: 'resume', process }))
      : []),
    ...(left('losses')
      ? deliveries(world, enabled, 'losses').map((target): External => ({ kind: 'lose', target }))
      : []),
    ...(left('duplicates')
      ? deliveries(world, enabled, 'duplicates').map((target): External => ({ kind: 'duplicate', target }))
      : []),
    ...(left('holds') ? possibleHolds(enabled) : []),
  ];
}

/** Most systems declare no faults, and strategies ask in every execution. */
const hasNoBudget = oncePer((faults: Faults): boolean => Object.values(faults).every((budget) => budget === 0));

/** Every message that may be delivered now may wait for every other event that may happen now. */
function possibleHolds(enabled: readonly Internal[]): External[] {
  const ids = enabled.map(hex);
  return enabled.flatMap((event, at) =>
    event.kind === 'deliver'
      ? ids
          .filter((_id, other) => other !== at)
          .map((until): External => ({ kind: 'hold', target: ids[at] as string, until }))
      : [],
  );
}

const namesOf = (world: LiveWorld, isMeant: (process: Process) => boolean): string[] =>
  world.processes.filter(isMeant).map(({ name }) => name);

/** A link, or one of its lanes: both directions. */
type LinkOrLane = readonly [one: string, other: string, lane?: string];

const both = ([a, b, lane]: LinkOrLane): readonly [Link, Link] =>
  lane === undefined
    ? [
        [a, b],
        [b, a],
      ]
    : [
        [a, b, lane],
        [b, a, lane],
      ];

/** The links and lanes that partitions may cut and that work in both directions. */
function wholeLinks(world: LiveWorld): readonly LinkOrLane[] {
  const links = cuttableLinks(world.declaration) ?? pairsOf(world);
  return links.filter((link) => placesOf(world, link) && !isCut(world, link));
}

/** The declared links and lanes that partitions may cut; undefined if none are declared, so that every pair may be cut. */
export const cuttableLinks = ({ links }: Pick<Declaration, 'links'>): readonly LinkOrLane[] | undefined =>
  links
    ?.filter(({ partitions }) => partitions !== false)
    .map(({ between: [one, other], lane }) => (lane === undefined ? [one, other] : [one, other, lane]));

/** The links and lanes that are cut in at least one direction: all of them, also those that the workload cut. */
function cutLinks(world: LiveWorld): readonly LinkOrLane[] {
  if (world.cuts === 0) return [];
  const cut = world.channels.cut();
  return [...cutPairs(world, cut), ...cutLanes(world, cut)];
}

/** In the order of the processes, and without a look at pairs that are not cut: there may be millions. */
function cutPairs({ processes }: LiveWorld, cut: readonly Channel[]): readonly LinkOrLane[] {
  const places = cut
    .filter(({ lane }) => lane === undefined)
    .map(({ fromAt, at }) => [Math.min(fromAt, at), Math.max(fromAt, at)] as const)
    .toSorted(([one, other], [another, last]) => one - another || other - last);
  return distinct(places.flatMap(([one, other]) => linkAt(processes, one, other, undefined)));
}

const cutLanes = ({ processes }: LiveWorld, cut: readonly Channel[]): readonly LinkOrLane[] =>
  distinct(
    cut.flatMap(({ fromAt, at, lane }) =>
      lane === undefined ? [] : linkAt(processes, Math.min(fromAt, at), Math.max(fromAt, at), lane),
    ),
  );

function linkAt(
  processes: readonly Process[],
  one: number,
  other: number,
  lane: string | undefined,
): readonly LinkOrLane[] {
  const [a, b] = [processes[one]?.name, processes[other]?.name];
  if (a === undefined || b === undefined) return [];
  return lane === undefined ? [[a, b]] : [[a, b, lane]];
}

const distinct = (links: readonly LinkOrLane[]): readonly LinkOrLane[] => [
  ...new Map(links.map((link) => [JSON.stringify(link), link])).values(),
];

const pairsOf = ({ processes }: LiveWorld): LinkPair[] =>
  processes.flatMap(({ name }, at) => processes.slice(at + 1).map((other): LinkPair => [name, other.name]));

function isCut(world: LiveWorld, link: LinkOrLane): boolean {
  const [one, other] = placesOf(world, link) ?? [];
  const [, , lane] = link;
  return one !== undefined && other !== undefined && (world.isCut(one, other, lane) || world.isCut(other, one, lane));
}

/** The places of both processes; undefined if one of them has not joined. */
function placesOf(world: LiveWorld, [a, b]: LinkOrLane): readonly [number, number] | undefined {
  const [one, other] = [world.place(a), world.place(b)];
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** The messages that may be delivered now and that links allow the environment to lose, or to duplicate. */
const deliveries = (world: LiveWorld, enabled: readonly Internal[], fault: 'losses' | 'duplicates'): string[] =>
  enabled.filter((event) => event.kind === 'deliver' && mayHappenTo(world, event, fault)).map(hex);

/** Whether the link of a message allows that the environment loses it, or duplicates it. */
export const mayHappenTo = (world: LiveWorld, { from, process, lane }: Deliver, fault: 'losses' | 'duplicates') =>
  linkRules(world.declaration, from, process, lane)[fault];
