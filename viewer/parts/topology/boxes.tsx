import type { Desk } from '../../model/desk.ts';
import type { Point, Size } from '../../model/topology/arrangement.ts';
import type { Graph } from '../../model/topology/graph.ts';
import type { Layout } from '../../model/topology/layout.ts';
import { cutName } from './cut-name.ts';

interface Props {
  readonly desk: Desk;
  readonly graph: Graph;
  readonly layout: Layout;
  /** The node whose details are shown. */
  readonly node: string | undefined;
  readonly onPick: (node: string) => void;
}

/** Controllers and nodes. Those with names are drawn over those without. */
export function Boxes({ desk, graph, layout, node, onPick }: Props) {
  const isNamed = (name: string): boolean => !layout.isCrowded || graph.touched.has(name) || name === node;
  const nodes = [...layout.nodes];
  return (
    <g>
      {[...layout.controllers].map(([name, point]) => (
        <Box key={name} kind="controller" name={name} point={point} desk={desk} box={layout.box} />
      ))}
      {nodes
        .filter(([name]) => !isNamed(name))
        .map(([name, point]) => (
          <Dot key={name} name={name} point={point} onPick={onPick} />
        ))}
      {nodes
        .filter(([name]) => isNamed(name))
        .map(([name, point]) => (
          <Box
            key={name}
            kind="node"
            name={name}
            point={point}
            desk={desk}
            box={layout.box}
            isPicked={name === node}
            onPick={onPick}
          />
        ))}
    </g>
  );
}

/** A node without room for its name, which nothing happens to. */
const Dot = ({ name, point: { x, y }, onPick }: { name: string; point: Point; onPick: (node: string) => void }) => (
  <g class="node dot" onClick={() => onPick(name)}>
    <rect x={x - 5} y={y - 5} width={10} height={10} rx={3} />
    <title>{name}</title>
  </g>
);

interface BoxProps {
  readonly kind: 'node' | 'controller';
  readonly name: string;
  readonly point: Point;
  readonly desk: Desk;
  readonly box: Size;
  readonly isPicked?: boolean;
  readonly onPick?: (node: string) => void;
}

/** A node or a controller, with its name. */
function Box({ kind, name, point: { x, y }, desk, box: { width, height }, isPicked = false, onPick }: BoxProps) {
  const { event } = desk.settings.cursor;
  const { lives, events, verdict } = desk.execution;
  const status = lives.at(name, event);
  const isHere = events[event]?.process === name;
  const isWitness =
    desk.execution.violation === event && verdict.verdict === 'violated' && verdict.processes.includes(name);
  const classes = [kind, status, isHere ? 'here' : '', isPicked ? 'picked' : '', isWitness ? 'witness' : ''];
  return (
    <g class={classes.join(' ')} transform={`translate(${x} ${y})`} onClick={() => onPick?.(name)}>
      <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={kind === 'node' ? 5 : 0} />
      <text y={4}>{cutName(name)}</text>
      {status === 'down' && <path class="crash" d={`M${width / 2 - 5} ${-height / 2 - 5}l10 10m0 -10l-10 10`} />}
      <title>{`${name}${status === 'down' ? ', crashed' : ''}${isWitness ? ', named by the verdict' : ''}`}</title>
    </g>
  );
}
