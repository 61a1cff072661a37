import { command, type CommandBehavior } from '../../hosts/live/command.ts';
import type { CommandOptions } from '../../hosts/live/command-options.ts';
import { checked } from '../../kernel/options/fields.ts';
import { BadSystem } from '../../system/check-definition.ts';
import { controlChannels } from './control-channels.ts';
import { peerConnector, peersField, type ControllerPeers } from './controller-peers.ts';

/** The port of OpenFlow. Every controller has an address of its own, so all of them can have this one. */
const PORT = 6653;

/** Some controllers load for long before they listen, and say hello. */
const READY_MS = 20_000;

/** How a program controls switches. */
export interface ControllerOptions<V extends object> extends Omit<CommandOptions<V>, 'connect'> {
  /** How it is connected with other controllers, and with other programs. Without it, culprit does not see these connections. */
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
  if (peers !== undefined) checked(peers, peersField, { who: 'controller', noun: 'option', error: BadSystem });
  const connect = controlChannels(readyMs, peers && peerConnector(peers));
  return command(line, { port: PORT, readyMs, ...options, connect });
}
