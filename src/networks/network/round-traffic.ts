import { defaultPace } from '../../kernel/declaration.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import {
  chosenBy,
  generate,
  untilRested,
  untilRound,
  type Generator,
  type PlanItem,
  type WorkloadItem,
} from '../../system/workload.ts';
import { Chances, failuresIn } from './failures.ts';
import { BadNetwork } from './names.ts';
import { isFaultRate, networkFaults, rate, type NetworkFaults } from './network-faults.ts';
import type { NetworkMessage } from './network-switch-state.ts';
import { arbitraryOf, drawsIn, expectTwoStations, type Draw, type TrafficWeights } from './random-traffic.ts';
import type { RoundSubject } from './round-subject.ts';

/** How likely each station does something in a round, from 0 to 1. */
export type TrafficRates = TrafficWeights;

/** The traffic of STS (Scott and others, 2014). */
export const publishedTraffic = { pings: 0.08 } as const satisfies TrafficRates;

/** What happens in rounds. */
export interface RoundInputs {
  /** Rates; or items, which are spread over the rounds. */
  readonly traffic?: TrafficRates | readonly WorkloadItem[];
  /** Rates at which things fail and recover, once a round. */
  readonly faults?: NetworkFaults;
  /** How long a round lasts where controllers are real programs: `pace.roundMs` of the system, 100 by default. */
  readonly roundMs?: number;
}

const trafficRates = optionsOf<TrafficRates>('traffic', {
  pings: rate,
  arps: rate,
  tcp: rate,
  udp: rate,
  migrations: rate,
});

/** Rounds in which each thing happens at its rate, different in every execution. A round without any lets the network come to rest. */
export function roundTraffic(
  subject: RoundSubject,
  rounds: number,
  { traffic = {}, faults = {}, roundMs = defaultPace.roundMs }: RoundInputs,
): Generator<NetworkMessage> {
  if (!Number.isInteger(rounds) || rounds < 0)
    throw new BadNetwork(`there are no ${String(rounds)} rounds.`, 'Give a whole number, 0 or more.');
  const rates = networkFaults.checked(faults);
  expectTwoControllers(subject, rates);
  const items = isList(traffic) ? traffic : checkedTraffic(traffic, subject);
  return generate(1, [
    1,
    arbitraryOf((draw) => itemsOf(subject, rounds, { traffic: items, faults: rates, roundMs }, draw)),
  ]) as Generator<NetworkMessage>;
}

const trafficKinds = ['pings', 'arps', 'tcp', 'udp'] as const;

const isList = (traffic: TrafficRates | readonly WorkloadItem[]): traffic is readonly WorkloadItem[] =>
  Array.isArray(traffic);

function expectTwoControllers(
  { topology, controllersOf }: RoundSubject,
  { controllerPartition = 0 }: NetworkFaults,
): void {
  const controllers = new Set(topology.switches.flatMap(({ name }) => controllersOf(name)));
  if (controllerPartition > 0 && controllers.size < 2)
    throw new BadNetwork('controllers cannot be parted: there is only one.', 'Leave out `faults.controllerPartition`.');
}

function checkedTraffic(given: TrafficRates, { topology, canMove }: RoundSubject): TrafficRates {
  const fault = Object.keys(given).find(isFaultRate);
  if (fault !== undefined)
    throw new BadNetwork(`${fault} is no rate of traffic.`, `Give it in \`faults\`: { ${fault}: 0.005 }.`);
  if ('rounds' in given)
    throw new BadNetwork('the number of rounds is no rate of traffic.', 'Give `rounds` beside `traffic`.');
  const rates = trafficRates.checked(given);
  if (trafficKinds.some((kind) => (rates[kind] ?? 0) > 0)) expectTwoStations(topology);
  if ((rates.migrations ?? 0) > 0 && !canMove)
    throw new BadNetwork('stations cannot move.', 'Give the network the option `migrations: true`.');
  return rates;
}

function itemsOf(subject: RoundSubject, rounds: number, inputs: Required<RoundInputs>, draw: Draw): PlanItem[] {
  const { roundMs } = inputs;
  const round = roundOf(subject, rounds, inputs, draw);
  const items: PlanItem[] = [];
  let empty = 0;
  const rest = (): void => {
    // In one wait, since a network that has come to rest stays so. Programs get the time of these rounds.
    if (empty > 0) items.push(untilRested({ withinMs: empty * roundMs }));
    empty = 0;
  };
  for (let nth = 0; nth < rounds; nth++) {
    const happening = round(nth);
    if (happening.length === 0) empty++;
    else {
      rest();
      items.push(...happening, untilRound);
    }
  }
  rest();
  return items;
}

/** Gives what happens in each round, in the order of STS: channels, switches, links, traffic, controllers, migrations, partitions. */
function roundOf(subject: RoundSubject, rounds: number, inputs: Required<RoundInputs>, draw: Draw) {
  const chances = new Chances(() => draw.nextDouble(), inputs.faults);
  const failures = failuresIn(subject, inputs.faults);
  const traffic = isList(inputs.traffic)
    ? listedTraffic(inputs.traffic, rounds, draw)
    : drawnTraffic(subject, inputs.traffic, chances, draw);
  return (nth: number): PlanItem[] => [
    ...failures.channels(chances),
    ...failures.switches(chances),
    ...failures.links(chances),
    ...traffic.sent(nth),
    ...failures.controllers(chances),
    ...traffic.moved(nth),
    ...failures.controllerPairs(chances),
  ];
}

/** What stations send in a round, and which of them move. */
interface RoundsOfTraffic {
  readonly sent: (nth: number) => readonly PlanItem[];
  readonly moved: (nth: number) => readonly PlanItem[];
}

function drawnTraffic(
  { topology, traffic }: RoundSubject,
  rates: TrafficRates,
  chances: Chances,
  draw: Draw,
): RoundsOfTraffic {
  const draws = drawsIn(topology, traffic);
  const does = (kind: keyof TrafficRates): PlanItem[] =>
    topology.stations.flatMap((station) => (chances.happens(rates[kind]) ? [draws[kind](draw, station)] : []));
  return { sent: () => trafficKinds.flatMap(does), moved: () => does('migrations') };
}

/** The items of a list in their order, the same number in every round as far as possible. */
function listedTraffic(items: readonly WorkloadItem[], rounds: number, draw: Draw): RoundsOfTraffic {
  const all = items.flatMap((item) => (item.kind === 'generate' ? drawnBy(item, draw) : [item]));
  const before = (nth: number): number => Math.ceil((nth * all.length) / rounds);
  return { sent: (nth) => all.slice(before(nth), before(nth + 1)), moved: () => [] };
}

const drawnBy = (generator: Generator, draw: Draw): PlanItem[] =>
  Array.from(
    { length: generator.count },
    () => chosenBy(draw.nextDouble(), generator).generate(draw as never, undefined).value,
  ).flat();
