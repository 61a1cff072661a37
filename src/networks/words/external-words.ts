import type { External } from '../../trace/event.ts';
import { recordOf, shown } from './shown.ts';
import { frameWords } from './frame-words.ts';
import { having, type Wording } from './having.ts';
import type { LinkNames } from './link-names.ts';
import { messageWords } from './message-words.ts';
import type { StationNames } from './station-names.ts';

/** What the environment does to a network: `moves h1 to s2`, `cuts the link s1.1 – s2.1`. Undefined for the rest. */
export function externalWords(external: External, names: StationNames, links: LinkNames): string | undefined {
  switch (external.kind) {
    case 'act':
      return Object.hasOwn(actions, external.action)
        ? actions[external.action]?.(recordOf(external.payload) ?? {}, names)
        : undefined;
    case 'cut':
    case 'heal':
      return links.wordsFor(external.kind, external.links);
    case 'send':
      return sentWords(external.message, external.to, names);
    default:
      return undefined;
  }
}

const actions: Readonly<Record<string, Wording>> = {
  ping: having(['from', 'to'], ({ from, to }) =>
    from === to ? `lets ${shown(from)} ping itself` : `lets ${shown(from)} ping ${shown(to)}`,
  ),
  arp: having(['from', 'to'], ({ from, to }) => `lets ${shown(from)} ask for the address of ${shown(to)}`),
  tcp: having(
    ['from', 'to', 'flow', 'segment'],
    ({ from, to, flow, segment }) =>
      `lets ${shown(from)} send segment ${shown(segment)} of TCP flow ${shown(flow)} to ${shown(to)}`,
  ),
  udp: having(
    ['from', 'to', 'flow'],
    ({ from, to, flow }) => `lets ${shown(from)} send a datagram of UDP flow ${shown(flow)} to ${shown(to)}`,
  ),
  inject: having(
    ['from', 'packet'],
    ({ from, packet }, names) => `lets ${shown(from)} send ${frameWords(packet, names)}`,
  ),
  migrate: having(['station', 'to'], ({ station, to }) => `moves ${shown(station)} to ${shown(to)}`),
};

/** What it sends to a switch. */
function sentWords(message: unknown, to: string, names: StationNames): string | undefined {
  const { type, controller } = recordOf(message) ?? {};
  switch (type) {
    case 'frame': {
      const words = messageWords(message, names);
      return words === undefined ? undefined : `sends ${words} of ${to}`;
    }
    case 'control_failure':
      return `closes all control channels of ${to} (control failure)`;
    case 'control_recovery':
      return `lets ${to} connect to its controllers again (control recovery)`;
    case 'channel_reset':
      return `resets ${controller === undefined ? 'all control channels of' : `the control channel ${shown(controller)} –`} ${to}`;
    default:
      return undefined;
  }
}
