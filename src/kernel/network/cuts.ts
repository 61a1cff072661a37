import { digestText, mixHi, mixLo } from '../../trace/digest.ts';
import { ENVIRONMENT, type Link } from '../../trace/event.ts';
import type { LiveWorld } from '../live-world.ts';
import { OUTSIDE, type Channel } from './channel.ts';
import { drop } from './in-flight.ts';
import { rulesOf } from './rules.ts';

/** Cuts or heals; an empty list means every link between two processes that are there, and heals every link and lane there is. */
export function setLinks(world: LiveWorld, links: readonly Link[], cut: boolean): void {
  const changed: Channel[] = [];
  for (const [fromAt, at, lane] of placesOf(world, links, cut)) {
    const channel = world.ownChannel(fromAt, at, lane);
    if (channel.isCutItself === cut) continue;
    channel.isCutItself = cut;
    world.cuts += cut ? 1 : -1;
    absorbLink(world, channel, cut);
    if (lane === undefined) changed.push(channel, ...lanesPlaced(world, channel, cut));
    else changed.push(channel);
  }
  for (const channel of changed) setCut(world, channel);
  world.ready.linksSet(changed);
}

/** The lanes of a link that is cut or healed. Those that have delivered nothing say nothing about the place of the cut. */
function lanesPlaced(world: LiveWorld, { fromAt, at }: Channel, cut: boolean): Channel[] {
  const lanes = world.channels.ownLanes(fromAt, at);
  for (const lane of lanes) if (lane.delivered > 0) absorbLink(world, lane, cut);
  return lanes;
}

/** A lane delivers nothing while its link is cut or the lane itself. */
function setCut(world: LiveWorld, channel: Channel): void {
  channel.cut = channel.isCutItself || world.isCut(channel.fromAt, channel.at);
  if (!channel.cut || rulesOf(world, channel).onCut !== 'drop') return;
  for (const item of channel.clear()) drop(world, item, 'cut');
}

/** The receiver's history orders the deliveries of a channel, so their number places the cut among them. */
function absorbLink(world: LiveWorld, channel: Channel, cut: boolean): void {
  const nameAt = (at: number): string => world.processes[at]?.name ?? ENVIRONMENT;
  const lane = channel.lane === undefined ? '' : ` on ${channel.lane}`;
  const { hi, lo } = digestText(`${cut ? 'cut' : 'heal'} ${nameAt(channel.fromAt)} ${nameAt(channel.at)}${lane}`);
  world.absorbEnvironment(mixHi(hi, channel.delivered), mixLo(lo, channel.delivered));
}

type LinkPlaces = readonly [fromAt: number, at: number, lane: string | undefined];

function placesOf(world: LiveWorld, links: readonly Link[], cut: boolean): LinkPlaces[] {
  if (links.length > 0)
    return links.map(([from, to, lane]): LinkPlaces => [world.place(from) ?? OUTSIDE, world.place(to) as number, lane]);
  if (!cut) return world.channels.cut().map(({ fromAt, at, lane }): LinkPlaces => [fromAt, at, lane]);
  const places = world.processes.map(({ at }) => at);
  return places.flatMap((from) => places.filter((to) => to !== from).map((to): LinkPlaces => [from, to, undefined]));
}
