import { defaultPace } from '../../kernel/declaration.ts';
import { field } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import { crash, cut, heal, restart } from '../../system/externals.ts';
import { generate, untilQuiet, type Generator, type PlanItem } from '../../system/workload.ts';
import type { External } from '../../trace/event.ts';
import { failControl, recoverControl } from '../switch/switch-faults.ts';
import { endText, type Topology } from '../topology/topology.ts';
import { BadNetwork } from './names.ts';
import type { NetworkMessage } from './network-switch-state.ts';
import { arbitraryOf, drawsIn, expectTwoStations, type Draw, type TrafficWeights } from './random-traffic.ts';
import type { TrafficItems } from './traffic-items.ts';

/** How likely something is in a round, from 0 to 1. Traffic and migrations: for each station. A recovery: for each thing that has failed. */
export interface RoundRates extends TrafficWeights {
  /** For each link between switches. */
  readonly linkFailure?: number;
  readonly linkRecovery?: number;
  /** For each switch: it loses its channels, and keeps its table. */
  readonly controlFailure?: number;
  readonly controlRecovery?: number;
  /** For each switch: it crashes. */
  readonly powerFailure?: number;
  readonly powerRecovery?: number;
  /** For each controller: it crashes. */
  readonly controllerFailure?: number;
  readonly controllerRecovery?: number;
  /** For each channel between a controller and a switch; with the option `channelCuts`. */
  readonly channelBlock?: number;
  readonly channelUnblock?: number;
}

/** The rates of STS (Scott and others, 2014). */
export const publishedRates = {
  pings: 0.08,
  linkFailure: 0.005,
  linkRecovery: 0.09,
  controlFailure: 0.005,
  controlRecovery: 0.09,
} as const satisfies RoundRates;

const rate = field('a number from 0 to 1', (given) => typeof given === 'number' && given >= 0 && given <= 1);

const roundRates = optionsOf<RoundRates>('rounds', {
  pings: rate,
  arps: rate,
  tcp: rate,
  udp: rate,
  migrations: rate,
  linkFailure: rate,
  linkRecovery: rate,
  controlFailure: rate,
  controlRecovery: rate,
  powerFailure: rate,
  powerRecovery: rate,
  controllerFailure: rate,
  controllerRecovery: rate,
  channelBlock: rate,
  channelUnblock: rate,
});

/** What rounds need to know of a network. */
export interface RoundSubject {
  readonly topology: Topology;
  readonly traffic: TrafficItems;
  readonly controllersOf: (name: string) => readonly string[];
  readonly canMove: boolean;
  readonly canCutChannels: boolean;
}

/** Rounds in which each thing happens at its rate, different in every execution. A round without any lets the network come to rest. */
export function roundTraffic(subject: RoundSubject, rounds: number, given: RoundRates): Generator<NetworkMessage> {
  const rates = roundRates.checked(given);
  if (!Number.isInteger(rounds) || rounds < 0)
    throw new BadNetwork(`there are no ${String(rounds)} rounds.`, 'Give a whole number, 0 or more.');
  const { topology, canMove, canCutChannels } = subject;
  if (trafficKinds.some((kind) => (rates[kind] ?? 0) > 0)) expectTwoStations(topology);
  if ((rates.migrations ?? 0) > 0 && !canMove)
    throw new BadNetwork('stations cannot move.', 'Give the network the option `migrations: true`.');
  if ((rates.channelBlock ?? 0) > 0 && !canCutChannels)
    throw new BadNetwork('channels cannot be blocked.', 'Give the network the option `channelCuts: true`.');
  return generate(1, [1, arbitraryOf((draw) => itemsOf(subject, rounds, rates, draw))]) as Generator<NetworkMessage>;
}

const trafficKinds = ['pings', 'arps', 'tcp', 'udp'] as const;

function itemsOf(subject: RoundSubject, rounds: number, rates: RoundRates, draw: Draw): PlanItem[] {
  const round = roundOf(subject, rates, (likely = 0) => draw.nextDouble() < likely, draw);
  const items: PlanItem[] = [];
  let empty = 0;
  const rest = (): void => {
    // In one wait, since a network that has come to rest stays so. Programs get the time of these rounds.
    if (empty > 0) items.push(untilQuiet({ withinMs: empty * defaultPace.roundMs }));
    empty = 0;
  };
  for (let nth = 0; nth < rounds; nth++) {
    const happening = round();
    if (happening.length === 0) empty++;
    else {
      rest();
      items.push(...happening);
    }
  }
  rest();
  return items;
}

type Happens = (rate: number | undefined) => boolean;

/** Gives what happens in each round, in the order of STS: channels, switches, links, traffic, controllers, migrations. */
function roundOf({ topology, traffic, controllersOf }: RoundSubject, rates: RoundRates, happens: Happens, draw: Draw) {
  const { switches, links, stations } = topology;
  const names = switches.map(({ name }) => name);
  const draws = drawsIn(topology, traffic);
  const channels = names.flatMap((name) => controllersOf(name).map((controller) => [controller, name] as const));
  const controllers = [...new Set(channels.map(([controller]) => controller))];
  const ends = links.map(({ ends: [one, other] }) => [endText(one), endText(other)] as const);
  const fails = [
    failing(
      channels,
      rates.channelBlock,
      rates.channelUnblock,
      (ofBoth) => cut(...ofBoth),
      (ofBoth) => heal(...ofBoth),
    ),
    failing(names, rates.controlFailure, rates.controlRecovery, failControl, recoverControl),
    failing(names, rates.powerFailure, rates.powerRecovery, crash, restart),
    failing(
      ends,
      rates.linkFailure,
      rates.linkRecovery,
      (both) => traffic.cutLink(...both),
      (both) => traffic.healLink(...both),
    ),
  ];
  const crashes = failing(controllers, rates.controllerFailure, rates.controllerRecovery, crash, restart);
  const does = (kind: keyof TrafficWeights): External[] =>
    stations.flatMap((station) => (happens(rates[kind]) ? [draws[kind](draw, station)] : []));
  return (): External[] => [
    ...fails.flatMap((fail) => fail(happens)),
    ...trafficKinds.flatMap(does),
    ...crashes(happens),
    ...does('migrations'),
  ];
}

/** Things that fail, and recover if they have failed. Gives what happens in a round. */
function failing<T>(
  things: readonly T[],
  failure: number | undefined,
  recovery: number | undefined,
  fail: (thing: T) => External,
  recover: (thing: T) => External,
): (happens: Happens) => External[] {
  const failed = new Set<T>();
  return (happens) =>
    things.flatMap((thing) => {
      if (!failed.has(thing)) {
        if (!happens(failure)) return [];
        failed.add(thing);
        return [fail(thing)];
      }
      return happens(recovery) && failed.delete(thing) ? [recover(thing)] : [];
    });
}
