import { describe, expect, test } from 'vitest';
import type { EventLine, ProcessTopology, Trace } from 'culprit/trace';
import { Graph } from './graph.ts';
import { layoutOf } from './layout.ts';
import { stationPoints } from './station-points.ts';

const line = (event: number, more: object): EventLine =>
  ({ event, process: 'environment', cause: 0, id: '0000000000000000', ...more }) as EventLine;

const delivered = (event: number, from: string, process: string): EventLine =>
  line(event, { kind: 'deliver', from, process, message: 'm', sentMs: 0 });

const traceOf = (events: readonly EventLine[]): Pick<Trace, 'events' | 'verdict'> => ({
  events,
  verdict: { verdict: 'holds', name: '0000000000000000', ending: 'finished' },
});

const nodesOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at + 1}`);

const link = (one: string, other: string): ProcessTopology['links'][number] => ({
  ends: [{ process: one }, { process: other }],
});

/** A line of nodes, with a station at each. */
const lineOf = (count: number): ProcessTopology => {
  const nodes = nodesOf(count);
  return {
    nodes,
    links: nodes.slice(1).map((name, at) => link(nodes[at] as string, name)),
    stations: nodes.map((process) => ({ name: `h-${process}`, process, port: 9 })),
    controllers: ['c1'],
  };
};

const ringOf = (count: number): ProcessTopology => {
  const { nodes, links, ...more } = lineOf(count);
  return { nodes, links: [...links, link(nodes[count - 1] as string, 's1')], ...more };
};

/** Edges with stations below a layer of cores. */
const treeOf = (edges: number, cores: number): ProcessTopology => {
  const [below, above] = [nodesOf(edges), nodesOf(cores).map((name) => `core-${name}`)];
  return {
    nodes: [...below, ...above],
    links: below.flatMap((edge) => above.map((core) => link(edge, core))),
    stations: below.map((process) => ({ name: `h-${process}`, process })),
  };
};

describe('a large graph is folded', () => {
  const large = lineOf(10_000);

  test('up to the bound, every node is drawn', () => {
    expect(new Graph(lineOf(60), traceOf([])).nodes).toHaveLength(60);
    expect(new Graph(lineOf(61), traceOf([])).nodes).toEqual([]);
  });

  test('to the nodes that events touch, and the links between them', () => {
    const graph = new Graph(large, traceOf([delivered(1, 's7', 's8'), delivered(2, 'c1', 's500')]));
    expect(graph.nodes).toEqual(['s7', 's8', 's500']);
    expect(graph.links).toHaveLength(1);
    expect(graph.stations.map(({ name }) => name)).toEqual(['h-s7', 'h-s8']);
    expect(graph.channels).toEqual([{ controller: 'c1', node: 's500' }]);
    expect(graph.folded).toEqual({ nodes: 9_997, links: 9_998, stations: 9_998, controllers: 0 });
  });

  test('a start touches nothing; control messages of every switch do not count beside frames', () => {
    const starts = large.nodes.map((process, at) => line(at + 1, { kind: 'start', process }));
    expect(new Graph(large, traceOf(starts)).nodes).toEqual([]);
    const hellos = large.nodes.map((name, at) => delivered(at + 1, name, 'c1'));
    const graph = new Graph(large, traceOf([...starts, ...hellos, delivered(20_001, 's2', 's3')]));
    expect(graph.nodes).toEqual(['s2', 's3']);
    // Without frames, the first ones stand for all.
    expect(new Graph(large, traceOf(hellos)).nodes).toHaveLength(60);
  });

  test('faults and the verdict touch nodes', () => {
    const events = [
      line(1, { kind: 'cut', links: [['s10', 's11']] }),
      line(2, { kind: 'crash', process: 's20' }),
      line(3, { kind: 'send', to: 's30', message: 'm' }),
    ];
    const violated = { verdict: 'violated', oracle: 'o', message: 'm', processes: ['s40', 'nobody'], fingerprint: 'f' };
    const verdict = { ...violated, name: '0000000000000000', ending: 'verdict' } as Trace['verdict'];
    expect(new Graph(large, { events, verdict }).nodes).toEqual(['s10', 's11', 's20', 's30', 's40']);
  });

  test('parallel links are numbered, and found by lane and port', () => {
    const ends = (port: number): ProcessTopology['links'][number]['ends'] => [
      { process: 'a', port },
      { process: 'b', port: port + 10 },
    ];
    const links = [1, 2].map((port) => ({ ends: ends(port), lane: `${port}` }));
    const graph = new Graph({ nodes: ['a', 'b'], links }, traceOf([]));
    expect(graph.links.map(({ nth, of }) => [nth, of])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(graph.linkOf('b', 'a', '2')?.lane).toBe('2');
    expect(graph.linkOf('a', 'b', undefined, 12)?.lane).toBe('2');
    expect(graph.linkOf('a', 'c')).toBeUndefined();
  });
});

describe('a layout', () => {
  const size = { width: 700, height: 380 };
  const shapes: readonly [string, ProcessTopology][] = [
    ['a line', lineOf(5)],
    ['a long line', lineOf(40)],
    ['a ring', ringOf(7)],
    ['two nodes', lineOf(2)],
    ['one node', { nodes: ['s1'], links: [] }],
    ['a tree', treeOf(8, 4)],
    ['a wide tree', treeOf(50, 4)],
  ];

  test.each(shapes)('of %s is the same each time, within the drawing, and no two boxes overlap', (_name, topology) => {
    const graph = new Graph(topology, traceOf([]));
    const layout = layoutOf(graph, size);
    expect([...layoutOf(new Graph(topology, traceOf([])), size).nodes]).toEqual([...layout.nodes]);
    expect(layout.isCrowded).toBe(false);
    const points = [...layout.nodes.values(), ...layout.controllers.values()];
    const { width, height } = layout.box;
    for (const [at, { x, y }] of points.entries()) {
      expect(x - width / 2).toBeGreaterThanOrEqual(0);
      expect(x + width / 2).toBeLessThanOrEqual(size.width);
      expect(y - height / 2).toBeGreaterThanOrEqual(0);
      expect(y + height / 2).toBeLessThanOrEqual(size.height);
      for (const other of points.slice(at + 1))
        expect(Math.abs(other.x - x) >= width || Math.abs(other.y - y) >= height).toBe(true);
    }
  });

  test('has the edges of a tree below its cores, and a line in its order', () => {
    const tree = layoutOf(new Graph(treeOf(4, 2), traceOf([])), size);
    const height = (name: string): number => tree.nodes.get(name)?.y ?? 0;
    expect(height('core-s1')).toBeLessThan(height('s1'));
    expect(height('core-s2')).toBe(height('core-s1'));
    const { nodes, ...more } = lineOf(3);
    const line_ = layoutOf(new Graph({ ...more, nodes: nodes.toReversed() }, traceOf([])), size);
    const xs = ['s1', 's2', 's3'].map((name) => line_.nodes.get(name)?.x ?? 0);
    expect(xs.toSorted((a, b) => b - a)).toEqual(xs);
  });

  test('has a place for the stations that fit, those that are wanted first', () => {
    const layout = layoutOf(new Graph(ringOf(3), traceOf([])), size);
    const stations = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, node: 's1' }));
    const drawn = stationPoints(layout, stations, new Set(['e']));
    expect(drawn.map(({ name, others }) => [name, others])).toEqual([
      ['e', 0],
      ['a', 0],
      ['b', 2],
    ]);
  });
});
