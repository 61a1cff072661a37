import { isDeepStrictEqual } from 'node:util';
import { HeaderSpace } from 'culprit/networks';
import { compareHeaderSpace } from '../../test/twins/networks/header-space/compare-header-space.ts';
import { RandomNetwork } from '../../test/twins/networks/header-space/random-network.ts';
import { representativePackets } from '../../test/twins/networks/header-space/representative-packets.ts';
import type { Measured } from '../row.ts';

const NETWORKS = 1000;
const PREFIX_NETWORKS = 60;
/** Networks with more representative packets would take most of the time. */
const PACKETS_MAX = 1000;

/** Header space beside walks of all representative packets of random networks, and again after changes. Exits with 1 if it is wrong about one. */
export function* headerWalks(): Generator<Measured> {
  const counts = { networks: 0, packets: 0, different: 0 };
  const compare = (seed: number, network: RandomNetwork, space?: HeaderSpace): void => {
    const { fast, slow, packets } = compareHeaderSpace(network.state, space);
    counts.networks++;
    counts.packets += packets;
    if (isDeepStrictEqual(fast, slow)) return;
    counts.different++;
    console.error(`Header space is wrong about a network of seed ${seed}.`);
  };
  for (const { seed, network } of randomNetworks(NETWORKS)) compare(seed, network);
  for (const { seed, network } of randomNetworks(PREFIX_NETWORKS, 'many prefixes')) {
    const space = new HeaderSpace(network.state);
    for (let nth = 0; nth < 5; nth++) {
      const { name, removed, added } = network.update();
      space.change(name, removed, added);
      compare(seed, network, space);
    }
  }
  if (counts.different > 0) process.exitCode = 1;
  yield { case: 'random networks', metric: 'compared', value: counts.networks, unit: 'networks', target: '>= 1,000' };
  yield { case: 'random networks', metric: 'walked', value: counts.packets, unit: 'packets' };
  yield { case: 'random networks', metric: 'differ', value: counts.different, unit: 'networks', target: '0' };
}

/** Those with few enough packets. */
function* randomNetworks(count: number, kind?: 'many prefixes') {
  let found = 0;
  for (let seed = 1; found < count; seed++) {
    const network = new RandomNetwork(seed, kind);
    if (representativePackets(network.state).length > PACKETS_MAX) continue;
    found++;
    yield { seed, network };
  }
}
