import { field, list } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { AnyPhrases } from '../../system/phrases.ts';
import { recordOf } from './flow-words.ts';
import { messageWords } from './message-words.ts';
import { StationNames, type AddressedStation } from './station-names.ts';
import { switchIn } from './switch-in.ts';

/** Stations whose addresses are called by their names. */
export interface NetworkPhrasesOptions {
  /** Such as the stations of a topology. */
  readonly stations?: readonly AddressedStation[];
}

/** A station may have further fields, such as its place. */
const station = field("an object such as { name: 'h1', addresses: ['00:00:5e:00:53:01'] }", (value) => {
  const { name, addresses = [] } = recordOf(value) ?? {};
  return typeof name === 'string' && Array.isArray(addresses);
});

const phrasesOptions = optionsOf<NetworkPhrasesOptions>('networkPhrases', {
  stations: list('a list of stations with their addresses', station),
});

/** Words for messages of OpenFlow, frames and switches. What they do not know keeps its default wording. */
export function networkPhrases(options: NetworkPhrasesOptions = {}): AnyPhrases {
  const { stations } = phrasesOptions.checked(options);
  const names = new StationNames(stations);
  return {
    messageName: (message) => messageWords(message, names),
    timer: (timer) => (timer === 'expiry' ? 'looks for flow entries that have expired' : undefined),
    state: switchWords,
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
