import { exactWords } from './exact-match-words.ts';
import { recordOf, shown } from './shown.ts';
import { StationNames } from './station-names.ts';

/**
 * Flow entries in the words of OpenFlow, for people. Data may come from a file of unknown origin: a part that is no OpenFlow is
 * shown as it is.
 */

/** The parts of a flow entry, or of a flow_mod, that say what it does. */
export interface Flow {
  readonly match: unknown;
  readonly actions: unknown;
  readonly priority: unknown;
  readonly idleTimeout?: unknown;
  readonly hardTimeout?: unknown;
  /** How many packets it has matched, in the table of a switch. */
  readonly packetCount?: unknown;
}

const noNames = new StationNames();

/** That of the standard: it is not worth telling of a message. */
const DEFAULT_PRIORITY = 0x80_00;

/** `port 1 → output 3, priority 100`. */
export function flowWords(flow: Flow, names: StationNames = noNames, { allPriorities = false } = {}): string {
  const timeouts = [timeout('idle', flow.idleTimeout), timeout('hard', flow.hardTimeout)];
  return [
    `${matchWords(flow.match, names)} → ${actionsWords(flow.actions, names)}`,
    ...(flow.priority === DEFAULT_PRIORITY && !allPriorities ? [] : [`priority ${shown(flow.priority)}`]),
    ...timeouts.filter((words) => words !== ''),
  ].join(', ');
}

/** A timeout of 0 means that there is none. */
const timeout = (name: string, seconds: unknown): string =>
  seconds === undefined || seconds === 0 ? '' : `${name} timeout ${shown(seconds)} s`;

type Wording = (value: unknown, names: StationNames) => string;

const plain: Wording = (value) => shown(value);
const address: Wording = (value, names) => names.of(shown(value));
const named =
  (known: Readonly<Record<number, string>>, digits: (value: number) => string): Wording =>
  (value) =>
    typeof value === 'number' ? (known[value] ?? digits(value)) : shown(value);

/** The name of each field in the standard, and how its value reads. */
const fields: Readonly<Record<string, readonly [name: string, wording: Wording]>> = {
  inPort: ['port', plain],
  dlSrc: ['dl_src', address],
  dlDst: ['dl_dst', address],
  dlVlan: ['dl_vlan', plain],
  dlVlanPcp: ['dl_vlan_pcp', plain],
  dlType: ['dl_type', named({ 0x0800: 'IPv4', 0x0806: 'ARP', 0x88cc: 'LLDP' }, (type) => hexNumber(type))],
  nwTos: ['nw_tos', plain],
  nwProto: ['nw_proto', named({ 1: 'ICMP', 6: 'TCP', 17: 'UDP' }, String)],
  nwSrc: ['nw_src', address],
  nwDst: ['nw_dst', address],
  tpSrc: ['tp_src', plain],
  tpDst: ['tp_dst', plain],
};

/** `port 1, dl_dst h2`; `any packet` for a match of wildcards only; `port 1, exactly (ping h1 → h2)` for one without wildcards. */
export function matchWords(match: unknown, names: StationNames = noNames): string {
  const given = recordOf(match);
  if (given === undefined) return shown(match);
  const exactly = exactWords(given, names);
  if (exactly !== undefined) return `port ${shown(given['inPort'])}, exactly (${exactly})`;
  const words = Object.entries(fields).flatMap(([field, [name, wording]]) =>
    given[field] === undefined ? [] : [`${name} ${wording(given[field], names)}`],
  );
  return words.length === 0 ? 'any packet' : words.join(', ');
}

/** `set_dl_dst h2, output 3`; `drop` for no actions. */
export function actionsWords(actions: unknown, names: StationNames = noNames): string {
  if (!Array.isArray(actions)) return shown(actions);
  return actions.length === 0 ? 'drop' : actions.map((action: unknown) => actionWords(action, names)).join(', ');
}

/** The fields of actions that say what they do, besides their type. */
const arguments_ = ['port', 'vlanVid', 'vlanPcp', 'dlAddr', 'nwAddr', 'nwTos', 'tpPort', 'vendor'] as const;

function actionWords(action: unknown, names: StationNames): string {
  const given = recordOf(action);
  if (given === undefined || typeof given['type'] !== 'string') return shown(action);
  const values = arguments_.flatMap((field) => (given[field] === undefined ? [] : [names.of(shown(given[field]))]));
  const queue = given['queueId'] === undefined ? [] : [`queue ${shown(given['queueId'])}`];
  return [given['type'], ...values, ...queue].join(' ');
}

/** `0x88b5`. */
export const hexNumber = (value: number): string => `0x${value.toString(16).padStart(4, '0')}`;
