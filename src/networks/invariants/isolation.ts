import { list, anything } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle } from '../../kernel/ports.ts';
import type { HeaderSpace } from '../header-space/header-space.ts';
import { VLAN } from '../header-space/fields.ts';
import { packetPath } from '../header-space/packet-path.ts';
import { reachOf, stationsIn, type PlacedStation, type Reached } from '../header-space/reach.ts';
import { has, type ValueSet } from '../header-space/value-set.ts';
import { worldOracle, unseenStation, type Problem } from './network-oracle.ts';
import { persistField, type PersistOptions } from './persistence.ts';
import { ownerOf } from '../topology/topology.ts';
import { watchedProblems } from './watched-problems.ts';
import { evidenceOf, exampleWords } from './words.ts';

/** Who may reach whom. */
export type IsolationRule =
  | { readonly kind: 'may' | 'mustNot'; readonly from: string; readonly to: string }
  | { readonly kind: 'slice'; readonly vlan: number; readonly stations: readonly string[] };

/** Packets of the first station can reach the second, by flow entries or through a controller. */
export const may = (from: string, to: string): IsolationRule => ({ kind: 'may', from, to });

/** No packet of the first station reaches the second. */
export const mustNot = (from: string, to: string): IsolationRule => ({ kind: 'mustNot', from, to });

/** Packets with the tag of this virtual LAN reach these stations only. */
export const vlanSlice = (vlan: number, stations: readonly string[]): IsolationRule => ({
  kind: 'slice',
  vlan,
  stations,
});

/** The options of `isolation`. */
export interface IsolationOptions extends PersistOptions {
  /** All of them must hold. A pair of stations without a rule may reach each other or not. */
  readonly rules: readonly IsolationRule[];
}

const isolationOptions = optionsOf<IsolationOptions>(
  'isolation',
  { persist: persistField, rules: list('a list of rules, such as [mustNot(…), may(…)]', anything) },
  ['rules'],
);

/** Flow entries keep to the rules, for all packets that stations can send. */
export function isolation(options: IsolationOptions): Oracle {
  const { rules, persist = 0 } = isolationOptions.checked(options);
  return worldOracle('isolation', persist, (session) => {
    const unseen = new Set(rules.flatMap(namesIn));
    const find = watchedProblems(function* (space) {
      const stations = stationsIn(space.model);
      for (const { station } of stations) for (const name of [station.name, ownerOf(station)]) unseen.delete(name);
      for (const rule of rules) yield* brokenBy(rule, space, stations);
    })(session);
    return { find, doubt: () => unseenStation(unseen) };
  });
}

const namesIn = (rule: IsolationRule): readonly string[] =>
  rule.kind === 'slice' ? rule.stations : [rule.from, rule.to];

function* brokenBy(rule: IsolationRule, space: HeaderSpace, stations: readonly PlacedStation[]): Iterable<Problem> {
  if (rule.kind === 'slice') {
    for (const placed of stations) {
      for (const reached of reachOf(space.model, placed).reached) {
        const isTagged = has(reached.arriving[VLAN] as ValueSet, rule.vlan);
        const isInside = rule.stations.some((name) => isCalled(name)(reached));
        if (isTagged && !isInside) yield trespassing(space, placed, reached, `slice ${rule.vlan}`);
      }
    }
    return;
  }
  const senders = stations.filter(isCalled(rule.from));
  if (rule.kind === 'mustNot') {
    for (const from of senders) {
      const reached = reachOf(space.model, from).reached.find(isCalled(rule.to));
      if (reached !== undefined) yield trespassing(space, from, reached, 'mustNot');
    }
    return;
  }
  const receivers = stations.filter(isCalled(rule.to));
  const isReached = senders.some((from) => receivers.some((to) => reaches(space, from, to)));
  const [[from], [to]] = [senders, receivers];
  // A station that is on its way to another port sends and receives nothing.
  if (from !== undefined && to !== undefined && !isReached) yield barred(from, to);
}

function reaches(space: HeaderSpace, from: PlacedStation, to: PlacedStation): boolean {
  const { reached, asksController } = reachOf(space.model, from, to.station);
  return asksController || reached.some(({ station }) => station === to.station);
}

function trespassing(space: HeaderSpace, from: PlacedStation, reached: Reached, rule: string): Problem {
  const [one, other] = [from.station.name, reached.station.name];
  return {
    fingerprint: `${rule} ${one} ${other}`,
    shown: () => {
      const example = packetPath(reached.sent, reached.hops);
      return {
        message: `packets of ${one} reach ${other}, which ${rule} forbids, such as ${exampleWords(example, space.model)}.`,
        processes: [...new Set(reached.hops.map(({ at }) => at.name))],
        values: { ...evidenceOf(example, space.model) },
      };
    },
  };
}

const barred = (from: PlacedStation, to: PlacedStation): Problem => ({
  fingerprint: `may ${from.station.name} ${to.station.name}`,
  shown: () => ({
    message: `no packet of ${from.station.name} reaches ${to.station.name}, although it may`,
    processes: [...new Set([from.at.name, to.at.name])],
  }),
});

/** Whether this is the station of that name, by any of its interfaces. */
const isCalled =
  (name: string) =>
  ({ station }: Pick<PlacedStation, 'station'>): boolean =>
    station.name === name || station.of === name;
