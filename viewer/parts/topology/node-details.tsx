import { useMemo } from 'preact/hooks';
import type { Desk } from '../../model/desk.ts';
import { tableIn, type SwitchTable } from '../../model/topology/flow-table.ts';
import type { ShownTopology } from '../../model/topology/shown-topology.ts';
import { useStates } from '../use-states.ts';

interface Props {
  readonly desk: Desk;
  readonly topology: ShownTopology;
  readonly node: string;
}

/** Longer lists are cut. */
const ENTRIES_MAX = 100;

const statusWords: Readonly<Record<string, string>> = {
  absent: 'It is not running.',
  down: 'It has crashed.',
  stopped: 'It has stopped.',
};

/** The flow table and the ports of a node after the event at the cursor. */
export function NodeDetails({ desk, topology, node }: Props) {
  const { event } = desk.settings.cursor;
  const { execution } = desk;
  const states = useStates(execution, event);
  const before = useStates(execution, event - 1);
  const status = execution.lives.at(node, event);
  const table = useMemo(
    () => tableIn(states?.get(node)?.state, before?.get(node)?.state, topology.names),
    [states, before, node, topology],
  );
  if (statusWords[status] !== undefined) return <p class="hint">{statusWords[status]}</p>;
  if (states === undefined) return <p class="hint">…</p>;
  return (
    <>
      {table !== undefined && <Entries table={table} />}
      <Ports desk={desk} topology={topology} node={node} table={table} />
    </>
  );
}

const signs = { same: '', new: '+ ', gone: '− ' } as const;

function Entries({ table: { entries, total } }: { readonly table: SwitchTable }) {
  const shown = entries.slice(0, ENTRIES_MAX);
  const more = total - shown.filter(({ how }) => how !== 'gone').length;
  return (
    <>
      <h3>
        Flow table <span class="label">{total === 1 ? '1 entry' : `${total.toLocaleString('en')} entries`}</span>
      </h3>
      {shown.length > 0 && (
        <ol class="flows">
          {shown.map(({ text, how, isHit }, at) => (
            <li key={at} class={how}>
              {signs[how]}
              {text}
              {isHit && <span class="hit"> matches the packet</span>}
              {how === 'gone' && <span class="spoken">, removed by this event</span>}
            </li>
          ))}
        </ol>
      )}
      {more > 0 && <p class="hint">and {more.toLocaleString('en')} more</p>}
    </>
  );
}

/** Each port with its other end, and whether it is down. */
function Ports({ desk, topology, node, table }: Props & { readonly table: SwitchTable | undefined }) {
  const { event } = desk.settings.cursor;
  const peers = new Map<string, string>();
  for (const { ends } of topology.graph.links)
    for (const [one, other] of [ends, ends.toReversed()] as const)
      if (one?.process === node && other !== undefined)
        peers.set(
          String(one.port ?? other.process),
          `${other.process}${other.port === undefined ? '' : `.${other.port}`}`,
        );
  for (const { name, node: place, port } of topology.stationsAt(event))
    if (place === node) peers.set(String(port ?? name), name);
  const down = new Map(table?.ports.map(({ number, isUp, config }) => [number, { isUp, config }]));
  const numbers = [...new Set([...peers.keys(), ...down.keys()])].toSorted((one, other) => Number(one) - Number(other));
  if (numbers.length === 0) return null;
  const { nodes, stations } = topology.graph.folded;
  const nothing = nodes + stations > 0 ? 'not drawn' : 'nothing';
  return (
    <>
      <h3>Ports</h3>
      <ul class="ports">
        {numbers.slice(0, ENTRIES_MAX).map((number) => {
          const port = down.get(number);
          return (
            <li key={number} class={port?.isUp === false ? 'down' : ''}>
              {number} → {peers.get(number) ?? nothing}
              {port?.isUp === false && ', down'}
              {port !== undefined && port.config.length > 0 && ` (${port.config.join(', ')})`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
