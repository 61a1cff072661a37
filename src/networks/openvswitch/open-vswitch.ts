import { command, type CommandBehavior } from '../../hosts/live/command.ts';
import { byName, checked, count, field, list, object, text } from '../../kernel/options/fields.ts';
import { BadSystem } from '../../system/check-definition.ts';
import { DPID_MAX, PORT_MAX, portMac } from '../topology/published-addresses.ts';
import type { LinkEnd } from '../topology/topology.ts';
import type { LiveSwitchState } from './live-switch-state.ts';
import { ovsConnector } from './ovs-connector.ts';
import { ovsCommand, ovsEnvironment } from './ovs-script.ts';

/** A switch of Open vSwitch. */
export interface OpenVSwitchOptions {
  /** The number by which controllers know it. */
  readonly datapathId: number;
  /** How many ports it has; they are numbered from 1. */
  readonly ports: number;
  /** The processes that control it, which are programs. None by default. */
  readonly controllers?: readonly string[];
  /** Its links: the number of a port, and the other end, such as `{ 2: 's2.1' }`. */
  readonly links?: Readonly<Record<number, string>>;
  /** How often a silent controller is asked for an echo; a channel without an answer until the next time is closed. Never by default. */
  readonly echoMs?: number;
}

const upTo = (max: number) =>
  field(
    `a whole number from 1 to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max,
  );

const optionsField = object<OpenVSwitchOptions>(
  'an object such as { datapathId: 1, ports: 2 }',
  {
    datapathId: upTo(DPID_MAX),
    ports: upTo(PORT_MAX),
    controllers: list('a list of names of processes', text),
    links: byName('an object such as { 2: "s2.1" }', text),
    echoMs: count(1),
  },
  ['datapathId', 'ports'],
);

/** How long two daemons may take to start on a machine that is busy. */
const READY_MS = 20_000;

/**
 * Makes Open vSwitch a process of a system: a switch that is a real program, in a folder of its own, without root. culprit holds and
 * delivers the messages between it and its controllers, and the frames on its links.
 */
export function openVSwitch(options: OpenVSwitchOptions): CommandBehavior<LiveSwitchState> {
  const about = { who: 'openVSwitch', noun: 'option', error: BadSystem };
  const { datapathId, ports: number, controllers = [], links = {}, echoMs = 0 } = checked(options, optionsField, about);
  const ports = Array.from({ length: number }, (_, at) => ({ portNo: at + 1, hwAddr: portMac(datapathId, at + 1) }));
  const bridge = { datapathId: datapathId.toString(16).padStart(16, '0'), ports };
  const peers = new Map(Object.entries(links).map(([port, end]) => [portIn(port, number), endIn(end)]));
  return command<LiveSwitchState>(ovsCommand(bridge), {
    connect: ovsConnector({ ports, controllers, peers, echoMs }),
    env: ovsEnvironment,
    readyMs: READY_MS,
  });
}

function portIn(given: string, ports: number): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= ports) return port;
  throw new BadSystem(`openVSwitch has a link at port ${given}, and its ports are 1 to ${ports}.`, 'Correct `links`.');
}

function endIn(given: string): LinkEnd {
  const [, name, port] = /^(.+)\.([1-9]\d*)$/.exec(given) ?? [];
  if (name !== undefined && port !== undefined) return { switch: name, port: Number(port) };
  throw new BadSystem(
    `openVSwitch has a link to ${JSON.stringify(given)}, which is no port of a switch.`,
    'Name the switch and its port, such as s2.1.',
  );
}
