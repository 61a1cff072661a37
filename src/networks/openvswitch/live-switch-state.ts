import type { StationRecord } from '../network/station.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import type { SwitchPort } from '../switch/ports.ts';
import type { KnownSwitch } from './management-channel.ts';

/** What is seen of a switch that is a program, as it was after its last event, in the words of our own switches. */
export interface LiveSwitchState {
  /** Its ports, as the switch describes them. */
  readonly ports: readonly Pick<SwitchPort, 'desc'>[];
  /** An entry that expires is there until the next event of the switch. */
  readonly table: { readonly entries: readonly LiveFlowEntry[] };
  /** The frames that have left through ports without a link, by port: `s1.1`. */
  readonly stations: Readonly<Record<string, StationRecord>>;
}

/** A flow entry, without counters and times: they depend on when one looks. */
export type LiveFlowEntry = Pick<
  FlowEntry,
  'match' | 'priority' | 'idleTimeout' | 'hardTimeout' | 'cookie' | 'actions'
>;

export const liveSwitchState = (
  { flows, ports }: KnownSwitch,
  stations: Readonly<Record<string, StationRecord>>,
): LiveSwitchState => ({
  ports: ports.flatMap(({ portNo, hwAddr, config, state }) =>
    typeof portNo === 'number' ? [{ desc: { portNo, hwAddr, config, state } }] : [],
  ),
  table: {
    entries: flows.map(({ match, priority, idleTimeout, hardTimeout, cookie, actions }) => ({
      match,
      priority,
      idleTimeout,
      hardTimeout,
      cookie,
      actions,
    })),
  },
  stations,
});
