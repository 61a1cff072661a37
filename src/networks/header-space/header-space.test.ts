import { expect, test } from 'vitest';
import { compareHeaderSpace } from '../../../test/twins/networks/header-space/compare-header-space.ts';
import { changeKinds, ChangingNetwork } from '../../../test/twins/networks/header-space/changing-network.ts';
import { RandomNetwork } from '../../../test/twins/networks/header-space/random-network.ts';
import { representativePackets } from '../../../test/twins/networks/header-space/representative-packets.ts';
import { withoutAll, type Cube } from './cube.ts';
import { HeaderSpace, type FoundBlackhole, type FoundLoop } from './header-space.ts';
import { isFrame } from './shapes.ts';
import { WatchedSpace } from '../invariants/watched-space.ts';

/** Networks with more representative packets take longer: `npm run bench -- networks --only header-walks` compares all. */
const PACKETS_MAX = 150;
const PREFIX_PACKETS_MAX = 500;

/** The first networks with few representative packets, by their seeds. */
function* smallNetworks(
  count: number,
  kind?: 'many prefixes',
): Iterable<{ readonly seed: number; readonly network: RandomNetwork }> {
  let found = 0;
  for (let seed = 1; found < count; seed++) {
    const network = new RandomNetwork(seed, kind);
    if (representativePackets(network.state).length > (kind === undefined ? PACKETS_MAX : PREFIX_PACKETS_MAX)) continue;
    found++;
    yield { seed, network };
  }
}

test('agrees with walks of single packets about 120 random networks', () => {
  let [looping, losing] = [0, 0];
  for (const { seed, network } of smallNetworks(120)) {
    const { fast, slow } = compareHeaderSpace(network.state);
    expect(fast, `seed ${seed}`).toEqual(slow);
    if (slow.looping.length > 0) looping++;
    if (slow.lost.length > 0) losing++;
  }
  expect({ looping, losing }).toEqual({ looping: 42, losing: 74 });
});

test('says the same after each of 1,000 changes of tables and ports as about the whole network', () => {
  let [loops, blackholes] = [0, 0];
  for (let seed = 1; seed <= 50; seed++) {
    const network = new RandomNetwork(seed);
    const space = new HeaderSpace(network.state);
    for (let nth = 1; nth <= 20; nth++) {
      change(space, network, nth);
      const whole = new HeaderSpace(network.state);
      expect(differences(space, whole), `seed ${seed}, change ${nth}`).toEqual([]);
      loops += Math.min(1, whole.loops.length);
      blackholes += Math.min(1, whole.blackholes.length);
    }
  }
  expect({ loops, blackholes }).toEqual({ loops: 245, blackholes: 683 });
});

test('agrees with walks of single packets about 15 networks with many prefixes', () => {
  let [looping, losing] = [0, 0];
  for (const { seed, network } of smallNetworks(15, 'many prefixes')) {
    const { fast, slow } = compareHeaderSpace(network.state);
    expect(fast, `seed ${seed}`).toEqual(slow);
    if (slow.looping.length > 0) looping++;
    if (slow.lost.length > 0) losing++;
  }
  expect({ looping, losing }).toEqual({ looping: 6, losing: 12 });
});

/** Networks in which everything changes that can, each looked at after every change. */
function compareChanges(seeds: Iterable<number>, changes: number, packetsMax: number) {
  const seen = { loops: 0, blackholes: 0, walked: 0, kinds: new Set<string>() };
  for (const seed of seeds) {
    const network = new ChangingNetwork(seed, seed % 4 === 0 ? 'many prefixes' : undefined);
    const watched = new WatchedSpace();
    watched.of(network.running);
    for (let nth = 1; nth <= changes; nth++) {
      const kind = network.change();
      const where = `seed ${seed}, change ${nth}: ${kind}`;
      const space = watched.of(network.running);
      expect({ where, differ: differences(space, new HeaderSpace(network.running)) }).toEqual({ where, differ: [] });
      seen.kinds.add(kind);
      seen.loops += Math.min(1, space.loops.length);
      seen.blackholes += Math.min(1, space.blackholes.length);
      if (representativePackets(network.running).length > packetsMax) continue;
      const { fast, slow } = compareHeaderSpace(network.running, space);
      expect({ where, ...fast }).toEqual({ where, ...slow });
      seen.walked++;
    }
  }
  return seen;
}

test('says the same after every kind of change as about the whole network, and as walks of single packets', () => {
  const { kinds, ...seen } = compareChanges(
    Array.from({ length: 24 }, (_, index) => index + 1),
    20,
    100,
  );
  expect([...kinds].toSorted()).toEqual(changeKinds.toSorted());
  expect(seen).toEqual({ loops: 67, blackholes: 236, walked: 245 });
});

/** Every fifth change is one of ports. */
function change(space: HeaderSpace, network: RandomNetwork, nth: number): void {
  if (nth % 5 === 0) {
    for (const { name, ports } of network.updatePort()) space.changePorts(name, ports);
    return;
  }
  const { name, removed, added } = network.update();
  space.change(name, removed, added);
}

/** Where two ways to look at the same network differ in headers of frames. */
function differences(one: HeaderSpace, other: HeaderSpace): string[] {
  const [left, right] = [headersByPlace(one), headersByPlace(other)];
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (place) => !areSame(left.get(place) ?? [], right.get(place) ?? []),
  );
}

function headersByPlace({ loops, blackholes }: HeaderSpace): Map<string, Cube[]> {
  const places = new Map<string, Cube[]>();
  const add = (place: string, headers: Cube): void => void places.set(place, [...(places.get(place) ?? []), headers]);
  for (const loop of loops) add(placeOfLoop(loop), loop.headers);
  for (const blackhole of blackholes) add(placeOfBlackhole(blackhole), blackhole.headers);
  return places;
}

const placeOfLoop = ({ hops }: FoundLoop): string => `loop at ${hops[0]?.at.name}`;

function placeOfBlackhole({ station, hops, why }: FoundBlackhole): string {
  const last = hops.at(-1);
  return `${station.name} to ${last?.at.name}.${last?.outPort} by ${String(last?.rule.entry.cookie)}: ${why}`;
}

const areSame = (one: readonly Cube[], other: readonly Cube[]): boolean =>
  ![...withoutAll(one, other), ...withoutAll(other, one)].some(isFrame);
