import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import { headerClass } from '../header-space/header-class.ts';
import type { FoundBlackhole, FoundLoop } from '../header-space/header-space.ts';
import type { Hop } from '../header-space/hops.ts';
import { packetPath } from '../header-space/packet-path.ts';
import type { NetworkModel } from '../header-space/network-model.ts';
import { blameOf } from './blame.ts';
import { worldOracle, type Problem } from './network-oracle.ts';
import { persistField, type PersistOptions } from './persistence.ts';
import { watchedProblems } from './watched-problems.ts';
import { describedHeaders, evidenceOf, exampleWords } from './words.ts';

const noLoopsOptions = optionsOf<PersistOptions>('noLoops', { persist: persistField });
const noBlackholesOptions = optionsOf<PersistOptions>('noBlackholes', { persist: persistField });

/** No packet comes back to a switch and a port as it was: for every header, since a controller may send any packet. */
export function noLoops(options: PersistOptions = {}): Oracle {
  const { persist = 0 } = noLoopsOptions.checked(options);
  return worldOracle(
    'noLoops',
    persist,
    watchedProblems(({ loops, model }, session) => loops.map((loop) => loopProblem(loop, model, session))),
  );
}

/**
 * No flow entry loses a packet that a station can send: to a port that is down, cut off or unknown, to a port with nothing
 * attached, or back to where it came from.
 */
export function noBlackholes(options: PersistOptions = {}): Oracle {
  const { persist = 0 } = noBlackholesOptions.checked(options);
  return worldOracle(
    'noBlackholes',
    persist,
    watchedProblems(({ blackholes, model }, session) =>
      blackholes.map((blackhole) => blackholeProblem(blackhole, model, session)),
    ),
  );
}

/**
 * A loop is found once for each of its switches: the first of its rotations names it. A loop in the other direction has the same
 * fingerprint: where packets are flooded around a circle of switches, which of the two is there first is a matter of chance.
 */
function loopProblem({ headers, hops }: FoundLoop, model: NetworkModel, session: Session | undefined): Problem {
  const rotated = firstRotation(hops);
  const names = rotated.map(({ at }) => at.name);
  const packets = headerClass(rotated);
  return {
    fingerprint: `loop ${circleOf(names)}: ${packets}`,
    shown: () => {
      const example = packetPath(headers, hops);
      return {
        message: `packets go around in a loop, ${[...names, names[0]].join(' → ')}, such as ${exampleWords(example, model)}.`,
        processes: [...new Set(names)],
        values: { headers: describedHeaders(packets, model), ...evidenceOf(example, model, blameOf(hops, session)) },
      };
    },
  };
}

/** The rotation whose names come first in the order of texts. */
function firstRotation(hops: readonly Hop[]): readonly Hop[] {
  const rotations = hops.map((_, index) => [...hops.slice(index), ...hops.slice(0, index)]);
  const text = (rotation: readonly Hop[]): string => rotation.map(({ at }) => at.name).join(' ');
  return rotations.reduce((first, rotation) => (text(rotation) < text(first) ? rotation : first));
}

/** The names of a circle, from the first one on, in the direction that comes first in the order of texts. */
function circleOf([first, ...others]: readonly string[]): string {
  return [others, others.toReversed()]
    .map((rest) => [first, ...rest].join(' '))
    .reduce((one, other) => (other < one ? other : one));
}

function blackholeProblem(
  { station, headers, hops, why }: FoundBlackhole,
  model: NetworkModel,
  session: Session | undefined,
): Problem {
  const last = hops.at(-1) as Hop;
  const lost = headerClass([last]);
  return {
    fingerprint: `blackhole ${last.at.name} ${why}: ${lost}`,
    shown: () => {
      const example = packetPath(headers, hops);
      return {
        message: `${last.at.name} loses packets of ${station.name}, ${reasons[why](last.outPort)}, such as ${exampleWords(example, model)}.`,
        processes: [...new Set(hops.map(({ at }) => at.name))],
        values: {
          station: station.name,
          why,
          headers: describedHeaders(lost, model),
          ...evidenceOf(example, model, blameOf(hops.slice(-1), session)),
        },
      };
    },
  };
}

const reasons: Readonly<Record<FoundBlackhole['why'], (port: number) => string>> = {
  'no such port': (port) => `which it sends to port ${port}, and there is none`,
  'port down': (port) => `which it sends to port ${port}, which is down`,
  'link cut': (port) => `which it sends to port ${port}, whose link is cut`,
  'nothing attached': (port) => `which it sends to port ${port}, where nothing is attached`,
  'not received': (port) => `which it sends to port ${port}, and the other end takes none`,
  'sent back': (port) => `which it would send back to port ${port}, where they arrive`,
};
