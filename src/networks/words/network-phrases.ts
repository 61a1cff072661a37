import { field, list } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { AnyPhrases } from '../../system/phrases.ts';
import { flowWords, recordOf } from './flow-words.ts';
import { messageWords } from './message-words.ts';
import { StationNames, type AddressedStation } from './station-names.ts';
import { switchIn, type ShownPort } from './switch-in.ts';

/** Stations whose addresses are called by their names. */
export interface NetworkPhrasesOptions {
  /** Such as the stations of a topology. */
  readonly stations?: readonly AddressedStation[];
}

/** A station may have further fields, such as its place. */
const stationField = field("an object such as { name: 'h1', addresses: ['00:00:5e:00:53:01'] }", (value) => {
  const { name, addresses = [] } = recordOf(value) ?? {};
  return typeof name === 'string' && Array.isArray(addresses);
});

const phrasesOptions = optionsOf<NetworkPhrasesOptions>('networkPhrases', {
  stations: list('a list of stations with their addresses', stationField),
});

/** Words for messages of OpenFlow, frames and switches. What they do not know keeps its default wording. */
export function networkPhrases(options: NetworkPhrasesOptions = {}): AnyPhrases {
  const { stations } = phrasesOptions.checked(options);
  const names = new StationNames(stations);
  return {
    messageName: (message) => messageWords(message, names),
    timer: (timer) => (timer === 'expiry' ? 'looks for flow entries that have expired' : undefined),
    state: switchWords,
    changes: (before, after) => changedWords(before, after, names),
  };
}

/** `2 flow entries, port 3 down`; undefined for a state that is no switch's. */
function switchWords(state: unknown): string | undefined {
  const found = switchIn(state);
  if (found === undefined) return undefined;
  const { length } = found.entries;
  const down = found.ports.filter(({ isUp }) => !isUp).map(({ number }) => `port ${number} down`);
  return [`${length} flow ${length === 1 ? 'entry' : 'entries'}`, ...down].join(', ');
}

/** `learns port 1 → output 3`: entries, ports and stations, but no counters; undefined for a state that is no switch's. */
function changedWords(before: unknown, after: unknown, names: StationNames): readonly string[] | undefined {
  const [old, now] = [switchIn(before), switchIn(after)];
  if (old === undefined || now === undefined) return undefined;
  const [had, has] = [old, now].map(({ entries }) => new Set(entries.map((entry) => flowWords(entry, names))));
  const wasUp = new Map(old.ports.map(({ number, isUp }) => [number, isUp]));
  return [
    ...listed(
      'learns',
      [...(has ?? [])].filter((entry) => had?.has(entry) === false),
    ),
    ...listed(
      'forgets',
      [...(had ?? [])].filter((entry) => has?.has(entry) === false),
    ),
    ...now.ports.filter(({ number, isUp }) => wasUp.get(number) !== isUp).map(portChange),
    ...stationsReached(before, after).map((name) => `reaches ${name}`),
  ];
}

/** More entries than this are counted. */
const LISTED_MAX = 3;

const listed = (verb: string, entries: readonly string[]): string[] =>
  entries.length > LISTED_MAX ? [`${verb} ${entries.length} flow entries`] : entries.map((entry) => `${verb} ${entry}`);

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
