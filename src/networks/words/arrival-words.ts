import { ENVIRONMENT } from '../../trace/event.ts';
import { actionsWords } from './flow-words.ts';
import { recordOf, shown } from './shown.ts';
import { frameWords } from './frame-words.ts';
import { messageWords } from './message-words.ts';
import type { LinkNames } from './link-names.ts';
import type { StationNames } from './station-names.ts';
import { switchIn } from './switch-in.ts';
import { tableChanges } from './table-changes.ts';

/** The ends of a message, and the state of its receiver before and after it. */
interface Between {
  readonly from: string;
  readonly to: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * What a switch gets, where its state says more than the message: the packet in a buffer, and whether a flow_mod has changed the table. The
 * port of a frame says over which link it came. Undefined where the usual words do.
 */
export function arrivalWords(
  message: unknown,
  between: Between,
  names: StationNames,
  links: LinkNames,
): string | undefined {
  const given = recordOf(message) ?? {};
  const { type, bufferId, actions } = given;
  if (type === 'link') return linkWords(given, between.to, links);
  if (type === 'frame') {
    const frame = messageWords(message, names);
    return frame && `gets ${frame}${between.from === ENVIRONMENT ? '' : ` from ${between.from}`}`;
  }
  if (type !== 'packet_out' && type !== 'flow_mod') return undefined;
  const packet = packetIn(between.before, bufferId);
  const buffered = packet === undefined ? undefined : frameWords(packet, names);
  if (type === 'packet_out')
    return buffered && `gets packet_out (${buffered}: ${actionsWords(actions, names)}) from ${between.from}`;
  // The change of the table says what the flow_mod is about.
  if (!hasOtherEntries(between.before, between.after, names)) return undefined;
  const command = given['command'] === 'add' ? '' : ` ${shown(given['command'])}`;
  return `gets flow_mod${command}${buffered === undefined ? '' : ` (for ${buffered})`} from ${between.from}`;
}

/** `sees that the link s1.1 – s2.1 is down`. */
function linkWords({ peer, lane, isUp }: Readonly<Record<string, unknown>>, to: string, links: LinkNames) {
  const name = typeof lane === 'string' ? links.between(to, shown(peer), lane) : undefined;
  return name && `sees that ${name} is ${isUp === true ? 'up' : 'down'}`;
}

/** The packet that a switch keeps under this number. */
function packetIn(state: unknown, bufferId: unknown): unknown {
  const buffers = recordOf(state)?.['buffers'];
  if (typeof bufferId !== 'number' || !Array.isArray(buffers)) return undefined;
  const found = buffers.map(recordOf).find((buffer) => buffer?.['id'] === bufferId);
  return found?.['packet'] ?? undefined;
}

function hasOtherEntries(before: unknown, after: unknown, names: StationNames): boolean {
  const [old, now] = [switchIn(before), switchIn(after)];
  if (old === undefined || now === undefined) return false;
  const { learned, forgotten } = tableChanges(old, now, names);
  return learned.length > 0 || forgotten.length > 0;
}
