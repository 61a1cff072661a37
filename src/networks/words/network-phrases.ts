import { field, list, text } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { AnyPhrases } from '../../system/phrases.ts';
import type { ProcessLink } from '../../trace/topology.ts';
import { recordOf } from './shown.ts';
import { arrivalWords } from './arrival-words.ts';
import { externalWords } from './external-words.ts';
import { LinkNames } from './link-names.ts';
import { isRoutine, messageWords } from './message-words.ts';
import { StationNames, type AddressedStation } from './station-names.ts';
import { switchIn, type ShownPort } from './switch-in.ts';
import { tableChanges } from './table-changes.ts';

/** The parts of a topology that are called by their names. */
export interface NetworkPhrasesOptions {
  /** Stations, for their addresses. */
  readonly stations?: readonly AddressedStation[];
  /** Links between switches: ports are then called by what they lead to. */
  readonly links?: readonly ProcessLink[];
  /** The processes that control switches. */
  readonly controllers?: readonly string[];
}

/** A station may have further fields, such as its place. */
const stationField = field("an object such as { name: 'h1', addresses: ['00:00:5e:00:53:01'] }", (value) => {
  const { name, addresses = [] } = recordOf(value) ?? {};
  return typeof name === 'string' && Array.isArray(addresses);
});

const linkField = field(
  "an object such as { ends: [{ process: 's1', port: 1 }, { process: 's2', port: 1 }] }",
  (value) => {
    const ends = recordOf(value)?.['ends'];
    return (
      Array.isArray(ends) && ends.length === 2 && ends.every((end) => typeof recordOf(end)?.['process'] === 'string')
    );
  },
);

const phrasesOptions = optionsOf<NetworkPhrasesOptions>('networkPhrases', {
  stations: list('a list of stations with their addresses', stationField),
  links: list('a list of links, as in `topology`', linkField),
  controllers: list('a list of names', text),
});

/** Words for messages of OpenFlow, frames and switches. What they do not know keeps its default wording. */
export function networkPhrases(options: NetworkPhrasesOptions = {}): AnyPhrases {
  const { stations, links, controllers } = phrasesOptions.checked(options);
  const names = new StationNames(stations);
  const linkNames = new LinkNames(links, controllers);
  return {
    message: (message, between) => arrivalWords(message, between, names, linkNames),
    messageName: (message) => messageWords(message, names),
    isRoutine,
    external: (external) => externalWords(external, names, linkNames),
    timer: timerWords,
    state: switchWords,
    changes: (before, after) => changedWords(before, after, names),
  };
}

/** The timers of a switch. */
function timerWords(timer: string): string | undefined {
  const [name, controller] = timer.split(' ');
  if (timer === 'expiry') return 'looks for flow entries that have expired';
  if (controller === undefined) return undefined;
  if (name === 'connect') return `tries to connect to ${controller} again`;
  return name === 'echo' ? `looks whether it has heard from ${controller}` : undefined;
}

/** `2 flow entries`; undefined for a state that is no switch's. Ports that go down are changes. */
function switchWords(state: unknown): string | undefined {
  const found = switchIn(state);
  if (found === undefined) return undefined;
  const { length } = found.entries;
  return `${length} flow ${length === 1 ? 'entry' : 'entries'}`;
}

/** `learns: port 1 → output 3, priority 32768`: entries, ports and stations, but no counters; undefined for a state that is no switch's. */
function changedWords(before: unknown, after: unknown, names: StationNames): readonly string[] | undefined {
  const [old, now] = [switchIn(before), switchIn(after)];
  if (old === undefined || now === undefined) return undefined;
  const { learned, forgotten } = tableChanges(old, now, names);
  const wasUp = new Map(old.ports.map(({ number, isUp }) => [number, isUp]));
  return [
    ...listed('learns', learned),
    ...listed('forgets', forgotten),
    ...now.ports.filter(({ number, isUp }) => wasUp.get(number) !== isUp).map(portChange),
    ...stationsReached(before, after).map((name) => `reaches ${name}`),
  ];
}

/** More entries than this are counted. */
const LISTED_MAX = 3;

const listed = (verb: string, entries: readonly string[]): string[] =>
  entries.length > LISTED_MAX
    ? [`${verb} ${entries.length} flow entries`]
    : entries.map((entry) => `${verb}: ${entry}`);

const portChange = ({ number, isUp }: ShownPort): string => `port ${number} is ${isUp ? 'up' : 'down'}`;

/** The stations whose count of frames is another one. A station that moves brings its count along. */
function stationsReached(before: unknown, after: unknown): string[] {
  const [old, now] = [recordOf(before) ?? {}, recordOf(after) ?? {}];
  if (arrivals(now) > arrivals(old)) return [];
  const [had, has] = [recordOf(old['stations']) ?? {}, recordOf(now['stations']) ?? {}];
  return Object.keys(has).filter((name) => recordOf(has[name])?.['frames'] !== recordOf(had[name])?.['frames']);
}

/** How many stations are at the switch that were not there at first. */
function arrivals({ moved }: Readonly<Record<string, unknown>>): number {
  const arrived = recordOf(moved)?.['arrived'];
  return Array.isArray(arrived) ? arrived.length : 0;
}
