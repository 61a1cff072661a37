import { actionsWords, flowWords, matchWords, type Flow } from './flow-words.ts';
import { recordOf, shown } from './shown.ts';
import { frameWords } from './frame-words.ts';
import { having, type Fields, type Wording } from './having.ts';
import type { StationNames } from './station-names.ts';

/** `flow_mod (port 1 → output 3, priority 100)`; undefined for a message that is no OpenFlow and no frame. */
export function messageWords(message: unknown, names: StationNames): string | undefined {
  const given = recordOf(message);
  const type = given?.['type'];
  if (given === undefined || typeof type !== 'string' || !Object.hasOwn(wordings, type)) return undefined;
  return wordings[type]?.(given, names);
}

const wordings: Readonly<Record<string, Wording>> = {
  frame: having(['packet'], ({ packet, port }, names) => `${frameWords(packet, names)} at port ${shown(port)}`),
  link: having(['isUp'], ({ port, lane, peer, isUp }) => {
    const which =
      port === undefined
        ? `${lane === undefined ? '' : `lane ${shown(lane)} `}to ${shown(peer)}`
        : `port ${shown(port)}`;
    return `link (${which} is ${isUp === true ? 'up' : 'down'})`;
  }),
  attach: having(['station', 'port'], ({ station, port }) => `attach (${stationName(station)} at port ${shown(port)})`),
  detach: having(['station'], ({ station }) => `detach (${stationName(station)})`),
  packet_in: having(['data', 'inPort'], ({ data, inPort, reason, bufferId }, names) => {
    // Most packets are sent to controllers because no entry matches them.
    const why = reason === 'no_match' ? '' : `, ${shown(reason)}`;
    const kept = bufferId === 'none' ? '' : `, buffer ${shown(bufferId)}`;
    return `packet_in (${frameWords(data, names)} at port ${shown(inPort)}${why}${kept})`;
  }),
  packet_out: having(['actions'], ({ data, bufferId, actions }, names) => {
    const what = bufferId === 'none' || bufferId === undefined ? frameWords(data, names) : `buffer ${shown(bufferId)}`;
    return `packet_out (${what}: ${actionsWords(actions, names)})`;
  }),
  flow_mod: having(['match', 'command', 'priority'], flowModWords),
  flow_removed: having(
    ['match', 'reason'],
    ({ match, priority, reason }, names) =>
      `flow_removed (${matchWords(match, names)}, priority ${shown(priority)}, ${shown(reason)})`,
  ),
  port_status: having(['reason', 'desc'], ({ reason, desc }) => `port_status (${shown(reason)}: ${portWords(desc)})`),
  port_mod: having(
    ['portNo', 'config', 'mask'],
    ({ portNo, config, mask }) => `port_mod (port ${shown(portNo)}, ${listed(config)} of ${listed(mask)})`,
  ),
  features_reply: having(['datapathId', 'ports'], ({ datapathId, ports }) => {
    const count = Array.isArray(ports) ? ports.length : 0;
    return `features_reply (datapath ${shown(datapathId)}, ${count} port${count === 1 ? '' : 's'})`;
  }),
  error: having(['error', 'code'], ({ error, code }) => `error (${shown(error)}: ${shown(code)})`),
  stats_request: having(['stats'], ({ stats }) => `stats_request (${shown(stats)})`),
  stats_reply: having(['stats'], ({ stats }) => `stats_reply (${shown(stats)})`),
  hello: having(['xid'], () => 'hello'),
  set_config: having(['xid', 'missSendLen'], ({ missSendLen }) => `set_config (miss_send_len ${shown(missSendLen)})`),
  get_config_reply: having(
    ['xid', 'missSendLen'],
    ({ missSendLen }) => `get_config_reply (miss_send_len ${shown(missSendLen)})`,
  ),
  features_request: having(['xid'], () => 'features_request'),
  get_config_request: having(['xid'], () => 'get_config_request'),
  echo_request: having(['xid'], () => 'echo_request'),
  echo_reply: having(['xid'], () => 'echo_reply'),
  barrier_request: having(['xid'], ({ xid }) => `barrier_request ${shown(xid)}`),
  barrier_reply: having(['xid'], ({ xid }) => `barrier_reply ${shown(xid)}`),
};

/** A request and its answer. */
const pairs = (name: string): string[] => [`${name}_request`, `${name}_reply`];

/** The messages by which a channel is set up and kept. */
const routine = new Set([
  'hello',
  'set_config',
  ...pairs('features'),
  ...pairs('get_config'),
  ...pairs('barrier'),
  ...pairs('echo'),
]);

export function isRoutine(message: unknown): boolean {
  const type = recordOf(message)?.['type'];
  return typeof type === 'string' && routine.has(type) && recordOf(message)?.['xid'] !== undefined;
}

/** A station, or its name. */
const stationName = (station: unknown): string => shown(recordOf(station)?.['name'] ?? station);

/** A deletion has no actions, and a strict one no wildcards: the command says so. */
function flowModWords(message: Fields, names: StationNames): string {
  const { command, match, priority, bufferId, outPort } = message;
  const to = outPort === 'none' || outPort === undefined ? '' : ` → output ${shown(outPort)}`;
  const buffer = bufferId === 'none' || bufferId === undefined ? '' : `, for buffer ${shown(bufferId)}`;
  if (command === 'delete') return `flow_mod delete (${matchWords(match, names)}${to})`;
  if (command === 'delete_strict')
    return `flow_mod delete_strict (${matchWords(match, names)}${to}, priority ${shown(priority)})`;
  const words = `(${flowWords(message as unknown as Flow, names)}${buffer})`;
  return command === 'add' ? `flow_mod ${words}` : `flow_mod ${shown(command)} ${words}`;
}

/** `port 3 is down`. */
function portWords(desc: unknown): string {
  const { portNo, state, config } = recordOf(desc) ?? {};
  const isDown = [state, config].some((bits) => Array.isArray(bits) && /link_down|port_down/.test(bits.join(' ')));
  return `port ${shown(portNo)} is ${isDown ? 'down' : 'up'}`;
}

const listed = (bits: unknown): string => (Array.isArray(bits) ? bits.join(' ') || 'nothing' : shown(bits));
