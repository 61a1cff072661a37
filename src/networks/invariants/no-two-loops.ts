import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle } from '../../kernel/ports.ts';
import { EVERYTHING, narrowed, type Cube } from '../header-space/cube.ts';
import { IN_PORT } from '../header-space/fields.ts';
import { headerClass } from '../header-space/header-class.ts';
import type { Hop } from '../header-space/hops.ts';
import type { ModelSwitch, NetworkModel } from '../header-space/network-model.ts';
import { outputsOf } from '../header-space/outputs.ts';
import { packetPath } from '../header-space/packet-path.ts';
import { isFrame } from '../header-space/shapes.ts';
import { headersFrom, withValue, type SymbolicHeader } from '../header-space/symbolic-header.ts';
import { worldOracle, type Problem } from './network-oracle.ts';
import { persistField, type PersistOptions } from './persistence.ts';
import { watchedProblems } from './watched-problems.ts';
import { describedHeaders, evidenceOf, exampleWords } from './words.ts';

const noTwoLoopsOptions = optionsOf<PersistOptions>('noTwoLoops', { persist: persistField });

/**
 * No two neighbors send the same packets to each other. A switch drops a packet that an entry sends back to where it came
 * from, so this need not be a loop; but such entries contradict each other.
 */
export function noTwoLoops(options: PersistOptions = {}): Oracle {
  const { persist = 0 } = noTwoLoopsOptions.checked(options);
  return worldOracle(
    'noTwoLoops',
    persist,
    watchedProblems(function* ({ model }) {
      for (const at of model.switches) yield* twoLoopsAt(model, at);
    }),
  );
}

function* twoLoopsAt(model: NetworkModel, first: ModelSwitch): Iterable<Problem> {
  const start = narrowed(EVERYTHING, IN_PORT, first.arrivals);
  if (start === undefined) return;
  for (const there of hopsToward(model, first, headersFrom(start))) {
    for (const back of hopsToward(model, there.to, there.headers)) {
      if (back.to !== first) continue;
      for (const again of hopsToward(model, first, back.headers)) {
        if (again.to === there.to && isFrame(again.headers.start))
          yield twoLoop(model, [there.hop, back.hop], again.headers.start);
      }
    }
  }
}

interface Crossing {
  readonly hop: Hop;
  readonly to: ModelSwitch;
  readonly headers: SymbolicHeader;
}

/** The neighbors that get the headers from a switch, also where it drops what it would send back. */
function* hopsToward(model: NetworkModel, at: ModelSwitch, headers: SymbolicHeader): Iterable<Crossing> {
  for (const hit of at.table.hits(headers)) {
    for (const { port: outPort, headers: leaving } of outputsOf(model, at, hit)) {
      const destination = model.destinationOf(at, outPort);
      if (destination.kind !== 'switch') continue;
      const arriving = withValue(leaving, IN_PORT, destination.port);
      yield { hop: { at, rule: hit.rule, outPort }, to: destination.at, headers: arriving };
    }
  }
}

function twoLoop(model: NetworkModel, hops: readonly Hop[], headers: Cube): Problem {
  const ordered = hops.toSorted((one, other) => (one.at.name < other.at.name ? -1 : 1));
  const names = ordered.map(({ at }) => at.name);
  const packets = headerClass(ordered);
  return {
    fingerprint: `two ${names.join(' ')}: ${packets}`,
    shown: () => {
      const example = packetPath(headers, hops);
      return {
        message: `${names.join(' and ')} send packets to each other, such as ${exampleWords(example, model)}.`,
        processes: names,
        values: { headers: describedHeaders(packets, model), ...evidenceOf(example, model) },
      };
    },
  };
}
