import { command, type CommandBehavior } from '../../hosts/live/command.ts';
import type { CommandOptions } from '../../hosts/live/command-options.ts';
import { controlChannels } from './control-channels.ts';
import { peerPort, type ControllerPeers } from './controller-peers.ts';

/** The port of OpenFlow. Every controller has an address of its own, so all of them can have this one. */
const PORT = 6653;

/** Some controllers load for long before they listen, and say hello. */
const READY_MS = 20_000;

/** How a program controls switches. */
export interface ControllerOptions<V extends object> extends Omit<CommandOptions<V>, 'connect'> {
  /** How other controllers connect to it, and other programs. */
  readonly peers?: ControllerPeers;
}

/**
 * Makes a program the controller of switches. It has to listen for OpenFlow 1.0 at `$address` and `$port`; the other placeholders and
 * options are those of `command`.
 */
export function controller<V extends object = object>(
  line: string | readonly string[],
  { peers, readyMs = READY_MS, ...options }: ControllerOptions<V> = {},
): CommandBehavior<V> {
  const { port = PORT } = options;
  const connect = controlChannels(readyMs, peers && peerPort(peers, port));
  return command(line, { ...options, port, readyMs, connect });
}
