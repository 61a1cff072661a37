import type { Behavior } from '../../kernel/behavior.ts';
import type { LinkReport } from '../../kernel/declaration.ts';
import type { Hex } from '../bytes/data.ts';
import { openflowSwitch } from '../switch/openflow-switch.ts';
import type { SwitchContext, SwitchOptions, SwitchState } from '../switch/switch-state.ts';
import { arrive, leave, sendOff } from './migration.ts';
import type {
  InnerSwitch,
  NetworkContext,
  NetworkMessage,
  NetworkSwitchOptions,
  NetworkSwitchState,
} from './network-switch-state.ts';
import { answerTo, noteFrame } from './station.ts';
import { placesFrom, portsAt, stationAt } from './station-places.ts';

export type NetworkSwitch = Behavior<NetworkSwitchState, NetworkMessage>;

/** The options of the switches that were made here, for views of the whole network. */
const known = new WeakMap<object, NetworkSwitchOptions>();

export const optionsOf = (behavior: object | undefined): NetworkSwitchOptions | undefined =>
  behavior && known.get(behavior);

/** An OpenFlow switch with stations at its ports: they are plain data of the switch, and no processes. */
export function networkSwitch(options: NetworkSwitchOptions): NetworkSwitch {
  const edge: SwitchOptions['edge'] = (state, port, packet, ctx) =>
    reachStation(options, state as NetworkSwitchState, port, packet, ctx);
  const inner = openflowSwitch({ ...options, edge });
  const take: InnerSwitch = (state, message, ctx) => void inner.receive(state, message, asSwitch(ctx));
  const made: NetworkSwitch = {
    start(ctx) {
      const moved = placesFrom(options, (key) => ctx.disk.peek(key));
      const state = inner.start(asSwitch(ctx)) as SwitchState;
      return { ...state, ports: portsAt(state.ports, moved), stations: {}, moved };
    },
    receive(state, message, ctx) {
      if (message.type === 'detach') leave(state, message, options, ctx, take);
      else if (message.type === 'attach') arrive(state, message, options, ctx, take);
      else if (!('peer' in message)) take(state, message, ctx);
      else {
        const port = portOn(message, options);
        if (port !== undefined) take(state, { type: 'link', port, isUp: message.isUp }, ctx);
      }
    },
    timer: (state, timer, ctx) => inner.timer?.(state, timer as never, asSwitch(ctx)),
    wrote(state, key, ctx) {
      if (!sendOff(key, ctx)) void inner.wrote?.(state, key, asSwitch(ctx));
    },
  };
  known.set(made, options);
  return made;
}

/** The switch inside sends fewer types of messages, and names its own timers. */
const asSwitch = (ctx: NetworkContext): SwitchContext => ctx as unknown as SwitchContext;

/** The port of the link that a report is about. */
const portOn = ({ peer, lane }: LinkReport, { ports }: NetworkSwitchOptions): number | undefined =>
  ports.find((port) => port.peer?.process === peer && port.peer.lane === lane)?.portNo;

/** A frame leaves through a port without a link. The answer of a station is an event of its own. */
function reachStation(
  options: NetworkSwitchOptions,
  state: NetworkSwitchState,
  port: number,
  packet: Hex,
  ctx: NetworkContext,
): void {
  const station = stationAt(options, state.moved, port);
  if (station === undefined) return;
  noteFrame(state.stations, station, packet, ctx.nowMs);
  const answer = answerTo(packet, station, options.answers);
  if (answer !== undefined) ctx.send(ctx.self, { type: 'frame', port, packet: answer }, { lane: station.name });
}
