import { byName, callback, count, either, flag, list, object, oneOf, text } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { SwitchOptions } from '../switch/switch-state.ts';
import type { StationAnswers } from './station.ts';

/** How the switches, stations and links of a network behave. */
export interface NetworkOptions {
  /** The processes that control the switches: all of them, or those of each switch. None by default. */
  readonly controllers?: readonly string[] | ((name: string) => readonly string[]);
  /** Options of every switch. */
  readonly switches?: Pick<SwitchOptions, 'buffers' | 'tableMax' | 'delayedTable' | 'echoMs' | 'connectTries'>;
  /** What stations answer by themselves: requests of ARP, and pings. */
  readonly stations?: StationAnswers;
  /** Whether stations may move: `announced` ones ping themselves afterward. Traffic then follows them, as actions. */
  readonly migrations?: boolean | 'announced';
  /** Whether frames on a link may overtake one another; false by default. */
  readonly reorder?: boolean;
  /** Whether only the first end of a link gets a report when it goes down, as in STS; false by default. */
  readonly oneSided?: boolean;
  /** Whether the environment may cut the channels between controllers and switches, within `faults.partitions`; false by default. */
  readonly channelCuts?: boolean;
  /**
   * Further fields that count when two executions are compared, by type of message: `{ flow_mod: ['cookie'] }`. Of a type that networks
   * do not have, such as one between controllers, these alone count.
   */
  readonly alsoCompare?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether replays await no keepalives (LLDP, BDDP, echo), and do not compare them with the recording. By default
   * that is so if no fault of the recording held or dropped one; if the violation does not happen then, the other way is tried.
   */
  readonly passKeepalives?: boolean;
  /** The same for other frames, except where the recording held or dropped an equal one within ten rounds; true by default. */
  readonly passFrames?: boolean;
}

export const networkOptions = optionsOf<NetworkOptions>('network', {
  controllers: either((given) => (typeof given === 'function' ? callback : list('a list of names of processes', text))),
  switches: object<Required<NetworkOptions>['switches']>('an object with options of switches', {
    buffers: count(0),
    tableMax: count(0),
    delayedTable: oneOf(['fifo', 'unordered']),
    echoMs: count(1),
    connectTries: count(1),
  }),
  stations: object<StationAnswers>('an object with arp or pings', { arp: flag, pings: flag }),
  migrations: either((given) => (given === 'announced' ? text : flag)),
  reorder: flag,
  oneSided: flag,
  channelCuts: flag,
  alsoCompare: byName('an object of lists of fields, by type of message', list('a list of names of fields', text)),
  passKeepalives: flag,
  passFrames: flag,
});
