import type { Behavior, Context } from '../../kernel/behavior.ts';
import { behavior } from '../../system/define-system.ts';
import type { PlainState } from '../../system/plain-state.ts';
import { parseFrame } from '../frames/ethernet.ts';
import type { Frame } from '../frames/frame.ts';
import type { NetworkMessage } from '../network/network-switch-state.ts';
import type {
  Bare,
  ErrorMessage,
  FeaturesReply,
  FlowRemoved,
  PacketIn,
  PortStatus,
  StatsReply,
} from '../openflow/messages.ts';
import { ConnectedSwitch } from './connected-switch.ts';

/** The context of a handler of a controller. */
export type ControllerContext<T extends string = string> = Context<NetworkMessage, T>;

/** A packet that a switch sent to its controller, taken apart. */
export interface PacketAt extends PacketIn {
  /** The number of the port at which the packet arrived. */
  readonly inPort: number;
  /** The packet, parsed from `data`. */
  readonly frame: Frame;
}

type Handler<S, M, T extends string> = (
  state: S,
  message: M,
  from: ConnectedSwitch,
  ctx: ControllerContext<T>,
) => void | Promise<void>;

/** How a controller reacts. All but `start` may be left out. */
export interface ControllerHandlers<S extends object, T extends string = string> extends Pick<
  Behavior<S, NetworkMessage, T>,
  'start' | 'timer' | 'wrote'
> {
  /** A switch has connected, for the first time or again. */
  connected?(state: S, at: ConnectedSwitch, ctx: ControllerContext<T>): void | Promise<void>;
  /** A switch is gone, or has closed its channel. */
  closed?(state: S, at: ConnectedSwitch, ctx: ControllerContext<T>): void | Promise<void>;
  /** What a switch can do, with its ports. It is asked for when a switch connects, if there is this handler. */
  features?: Handler<S, FeaturesReply, T>;
  /** A packet that no entry matches, or that an entry sends to the controller. */
  packetIn?: Handler<S, PacketAt, T>;
  /** A port was added, removed, or went up or down. */
  portStatus?: Handler<S, PortStatus, T>;
  /** An entry with the flag `send_flow_rem` expired or was deleted. */
  flowRemoved?: Handler<S, FlowRemoved, T>;
  /** The switch refused a message: `data` begins with it. */
  error?: Handler<S, ErrorMessage, T>;
  /** The switch has handled everything that was sent before the barrier request of this `xid`. */
  barrierReply?: Handler<S, Bare, T>;
  /** The answer to a `stats_request`. */
  statsReply?: Handler<S, StatsReply, T>;
  /** All other messages: of processes that are no switches, or frames without a whole header. */
  receive?(state: S, message: NetworkMessage, ctx: ControllerContext<T>): void | Promise<void>;
}

/**
 * A controller, by what it does about each message of OpenFlow. It answers hellos and echo requests by itself; messages without a handler
 * have no effect.
 */
export function controllerBehavior<S extends PlainState<S>, T extends string = string>(
  handlers: ControllerHandlers<S, T>,
): Behavior<S, NetworkMessage, T> {
  return behavior<S, NetworkMessage, T>({
    start: (ctx) => handlers.start(ctx),
    timer: (state, timer, ctx) => handlers.timer?.(state, timer, ctx),
    wrote: (state, key, ctx) => handlers.wrote?.(state, key, ctx),
    receive: (state, message, ctx) => handle(handlers, state, message, ctx),
  });
}

type Handled<S extends object, T extends string> = [
  handlers: ControllerHandlers<S, T>,
  state: S,
  message: NetworkMessage,
  ctx: ControllerContext<T>,
];

function handle<S extends object, T extends string>(...all: Handled<S, T>): void | Promise<void> {
  const [handlers, state, message, ctx] = all;
  const from = switchAt(ctx, ctx.from);
  switch (message.type) {
    case 'hello':
      from.send(message);
      if (handlers.features !== undefined) from.send({ type: 'features_request', xid: 0 });
      return handlers.connected?.(state, from, ctx);
    case 'echo_request':
      return from.send({ ...message, type: 'echo_reply' });
    case 'closed':
      return handlers.closed?.(state, from, ctx);
    case 'packet_in': {
      const [{ inPort }, frame] = [message, parseFrame(message.data)];
      if (frame === undefined || typeof inPort !== 'number') return handlers.receive?.(state, message, ctx);
      return handlers.packetIn?.(state, { ...message, inPort, frame }, from, ctx);
    }
    default:
      return handleReport(...all);
  }
}

/** A switch reports what happened to it, or answers. */
function handleReport<S extends object, T extends string>(...all: Handled<S, T>): void | Promise<void> {
  const [handlers, state, message, ctx] = all;
  const from = switchAt(ctx, ctx.from);
  switch (message.type) {
    case 'features_reply':
      return handlers.features?.(state, message, from, ctx);
    case 'port_status':
      return handlers.portStatus?.(state, message, from, ctx);
    case 'flow_removed':
      return handlers.flowRemoved?.(state, message, from, ctx);
    case 'error':
      return handlers.error?.(state, message, from, ctx);
    case 'barrier_reply':
      return handlers.barrierReply?.(state, message, from, ctx);
    case 'stats_reply':
      return handlers.statsReply?.(state, message, from, ctx);
    default:
      return handlers.receive?.(state, message, ctx);
  }
}

/** A switch by its name, to send messages to: for handlers that are about another switch, and for timers. */
export const switchAt = (ctx: Pick<ControllerContext<never>, 'send'>, name: string): ConnectedSwitch =>
  new ConnectedSwitch(name, ctx);
