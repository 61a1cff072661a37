import type { Flow } from './flow-words.ts';
import { recordOf, shown } from './shown.ts';

/** What people want to know of a switch. */
export interface ShownSwitch {
  /** In the order in which the switch tries them. */
  readonly entries: readonly Flow[];
  readonly ports: readonly ShownPort[];
}

export interface ShownPort {
  readonly number: string;
  readonly isUp: boolean;
  /** Its configuration, such as `no_flood`. */
  readonly config: readonly string[];
}

/** The switch in the state of a process; undefined if the process is none. The state may come from a file of unknown origin. */
export function switchIn(state: unknown): ShownSwitch | undefined {
  const { table, ports } = recordOf(state) ?? {};
  const entries = recordOf(table)?.['entries'];
  if (!Array.isArray(entries) || typeof ports !== 'object' || ports === null) return undefined;
  const flows = entries.flatMap((entry: unknown) => flowIn(entry));
  return {
    entries: flows.toSorted((one, other) => priorityOf(other) - priorityOf(one)),
    ports: valuesIn(ports).flatMap(portIn),
  };
}

const priorityOf = ({ priority }: Flow): number => (typeof priority === 'number' ? priority : 0);

/** The values of a list, a Map or an object. */
const valuesIn = (all: object): readonly unknown[] => (all instanceof Map ? [...all.values()] : Object.values(all));

function flowIn(entry: unknown): Flow[] {
  const given = recordOf(entry);
  if (given === undefined) return [];
  const { match, actions, priority, idleTimeout, hardTimeout, packetCount } = given;
  return [{ match, actions, priority, idleTimeout, hardTimeout, packetCount }];
}

function portIn(port: unknown): ShownPort[] {
  const given = recordOf(port);
  const { portNo, state, config } = recordOf(given?.['desc']) ?? given ?? {};
  if (portNo === undefined) return [];
  const bits = namesIn(config);
  return [
    { number: shown(portNo), isUp: !namesIn(state).includes('link_down') && !bits.includes('port_down'), config: bits },
  ];
}

const namesIn = (bits: unknown): readonly string[] =>
  Array.isArray(bits) ? bits.filter((bit): bit is string => typeof bit === 'string') : [];
