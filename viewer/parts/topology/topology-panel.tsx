import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Desk } from '../../model/desk.ts';
import type { Folded } from '../../model/topology/graph.ts';
import type { Size } from '../../model/topology/arrangement.ts';
import type { ShownTopology } from '../../model/topology/shown-topology.ts';
import { Drawing } from './drawing.tsx';
import { NodeDetails } from './node-details.tsx';
import { PathList } from './path-list.tsx';

interface Props {
  readonly desk: Desk;
  readonly topology: ShownTopology;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** The topology after the event at the cursor, with the path of its packet and one node in detail. */
export function TopologyPanel({ desk, topology, onMove }: Props) {
  const canvas = useRef<HTMLDivElement>(null);
  const size = useSize(canvas);
  const { side, event } = desk.settings.cursor;
  const hops = useMemo(() => topology.hopsAt(event), [topology, event]);
  const isPath = useMemo(() => topology.hasPath(event), [topology, event]);
  const node = nodeOf(desk, topology);
  const pick = (name: string | undefined): void => onMove((now) => now.change({ node: name }));
  return (
    <section class="topology" aria-label="Topology">
      <div class="canvas" ref={canvas}>
        {size.width > 0 && (
          <Drawing
            desk={desk}
            topology={topology}
            hops={hops}
            size={size}
            node={node}
            onPick={(name) => pick(name === desk.settings.node ? undefined : name)}
          />
        )}
        <FoldedText folded={topology.graph.folded} />
      </div>
      <div class="details" tabIndex={-1}>
        <NodeChoice desk={desk} topology={topology} node={node} onPick={pick} />
        {node !== undefined && <NodeDetails desk={desk} topology={topology} node={node} />}
        {isPath && <PathList hops={hops} event={event} onGo={(to) => onMove((now) => now.go({ side, event: to }))} />}
      </div>
    </section>
  );
}

/** The node that the reader has chosen; otherwise the one at the cursor. */
function nodeOf({ settings, execution }: Desk, { graph }: ShownTopology): string | undefined {
  if (settings.node !== undefined && graph.has(settings.node)) return settings.node;
  const line = execution.events[settings.cursor.event];
  const names = [line?.process, line?.kind === 'deliver' ? line.from : undefined];
  return names.find((name): name is string => name !== undefined && graph.has(name)) ?? graph.nodes[0];
}

interface ChoiceProps {
  readonly desk: Desk;
  readonly topology: ShownTopology;
  readonly node: string | undefined;
  readonly onPick: (node: string | undefined) => void;
}

/** A click on a node chooses it, too; this works without a mouse. Options have numbers, since a name may be any text. */
const NodeChoice = ({ desk, topology: { graph }, node, onPick }: ChoiceProps) => (
  <label class="node-choice">
    Node{' '}
    <select
      value={desk.settings.node === undefined ? '' : String(graph.nodes.indexOf(desk.settings.node))}
      onChange={({ currentTarget: { value } }) => onPick(value === '' ? undefined : graph.nodes[Number(value)])}
    >
      <option value="">{`${node ?? 'none'} (at the cursor)`}</option>
      {graph.nodes.map((name, at) => (
        <option key={name} value={at}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** `and 10,103 other nodes, 20,000 links and 5 stations that these events do not touch`. */
function FoldedText({ folded }: { readonly folded: Folded }) {
  const parts = (
    [
      [folded.nodes, 'other node'],
      [folded.links, 'link'],
      [folded.stations, 'station'],
      [folded.controllers, 'controller'],
    ] as const
  ).flatMap(([count, word]) => (count === 0 ? [] : [`${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`]));
  if (parts.length === 0) return null;
  const last = parts.pop() as string;
  return <p class="folded-away">and {parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}, not drawn</p>;
}

/** The size of an element, as it changes. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const look = (): void => {
      const now = { width: box.clientWidth, height: box.clientHeight };
      setSize((before) => (before.width === now.width && before.height === now.height ? before : now));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => resized.disconnect();
  }, [element]);
  return size;
}
