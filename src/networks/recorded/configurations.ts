import type { EventLine, Trace } from '../../trace/format.ts';
import { common } from '../../trace/subsequence.ts';
import { digestText } from '../../trace/digest.ts';
import { flowWords } from '../words/flow-words.ts';
import { StationNames } from '../words/station-names.ts';
import { switchIn } from '../words/switch-in.ts';
import { recordedStates } from './recorded-states.ts';

/** How a network is configured after an event: what each switch has in its table, which ports are down, which links are cut. */
export interface Configuration {
  /** The number of the event that made it. */
  readonly event: number;
  /** One text for each fact, in order: `s1: port 1 → output 2, priority 100`, `s1: port 2 is down`, `the link s1–s2 1-1 is cut`. */
  readonly facts: readonly string[];
}

/** The configurations of a recording one after another, without repetitions (the output of a replay, chapter 3 of the thesis on STS). */
export function configurationsOf({ events, header }: Trace): Configuration[] {
  const names = new StationNames(header.topology?.stations);
  const bySwitch = new Map<string, readonly string[]>();
  const cuts = new Set<string>();
  const all: Configuration[] = [];
  for (const { line, after } of recordedStates(events)) {
    if (header.topology?.nodes.includes(line.process) === true)
      bySwitch.set(line.process, factsOf(line.process, after, names));
    turnLinks(line, cuts);
    const facts = [...[...bySwitch.values()].flat(), ...cuts].toSorted();
    if (facts.join('\n') !== all.at(-1)?.facts.join('\n')) all.push({ event: line.event, facts });
  }
  return all;
}

function factsOf(name: string, state: unknown, names: StationNames): string[] {
  const found = switchIn(state);
  if (found === undefined) return [`${name} is down`];
  return [
    ...found.entries.map((entry) => `${name}: ${flowWords(entry, names, { allPriorities: true })}`),
    ...found.ports.filter(({ isUp }) => !isUp).map(({ number }) => `${name}: port ${number} is down`),
  ];
}

function turnLinks(line: EventLine, cuts: Set<string>): void {
  if (line.kind !== 'cut' && line.kind !== 'heal') return;
  if (line.links.length === 0 && line.kind === 'heal') cuts.clear();
  for (const [from, to, lane] of line.links) {
    const fact = `${from} → ${to}${lane === undefined ? '' : ` on ${lane}`} is cut`;
    if (line.kind === 'cut') cuts.add(fact);
    else cuts.delete(fact);
  }
}

/** What has changed from one configuration to the next. */
export interface ConfigurationChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export const changeBetween = (before: Configuration | undefined, after: Configuration): ConfigurationChange => ({
  added: after.facts.filter((fact) => before?.facts.includes(fact) !== true),
  removed: (before?.facts ?? []).filter((fact) => !after.facts.includes(fact)),
});

/** A row of two sequences side by side: a configuration of both, or of one of them. */
export interface ConfigurationRow {
  readonly left?: Configuration;
  readonly right?: Configuration;
}

/** Two sequences of configurations, those that both have beside each other. */
export function configurationDiff(left: readonly Configuration[], right: readonly Configuration[]): ConfigurationRow[] {
  const numbers = (all: readonly Configuration[]): number[] => all.map(({ facts }) => digestText(facts.join('\n')).lo);
  const rows: ConfigurationRow[] = [];
  let [one, other] = [0, 0];
  for (const [atLeft, atRight] of [...common(numbers(left), numbers(right)), [left.length, right.length] as const]) {
    for (const only of left.slice(one, atLeft)) rows.push({ left: only });
    for (const only of right.slice(other, atRight)) rows.push({ right: only });
    const [both, too] = [left[atLeft], right[atRight]];
    if (both !== undefined && too !== undefined) rows.push({ left: both, right: too });
    [one, other] = [atLeft + 1, atRight + 1];
  }
  return rows;
}
