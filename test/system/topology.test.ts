import { behavior, defineSystem, minimize, send, type System } from 'culprit';
import { BadSystem, resolveSystem } from 'culprit/kernel';
import { readTrace, writeTrace, type ProcessTopology } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';

const node = behavior({
  start: () => ({ messages: 0 }),
  receive(state: { messages: number }) {
    state.messages += 1;
  },
});

const topology: ProcessTopology = {
  nodes: ['s1', 's2'],
  links: [
    {
      ends: [
        { process: 's1', port: 1 },
        { process: 's2', port: 1 },
      ],
      lane: 's1.1-s2.1',
    },
    { ends: [{ process: 's1' }, { process: 's2' }] },
  ],
  stations: [{ name: 'h1', process: 's1', port: 2 }],
  controllers: ['c1'],
};

const systemWith = (given: unknown): System =>
  defineSystem({
    processes: { s1: node, s2: node, c1: node },
    topology: given as ProcessTopology,
    workload: [send('s1', 'a'), send('s1', 'b')],
    invariants: { quiet: (world) => (world.process('s1').state?.messages ?? 0) < 2 || 's1 got two messages' },
  });

describe('the topology of a system', () => {
  test('is stored in its traces, and in minimized ones', async () => {
    const trace = await found(systemWith(topology));
    expect(trace.header.topology).toEqual(topology);
    expect(readTrace(writeTrace(trace), 'x.trace')).toEqual(trace);
    const { trace: minimized } = await minimize(systemWith(topology), trace);
    expect(minimized.header.topology).toEqual(topology);
  });

  test('changes no execution', async () => {
    const [one, other] = [await found(systemWith(topology)), await found(systemWith(undefined))];
    expect(one.events).toEqual(other.events);
    expect(other.header).not.toHaveProperty('topology');
  });

  test.each<[topology: unknown, problem: string]>([
    ['mesh', 'topology is an object with nodes and links, not "mesh".'],
    [{ nodes: ['s1'] }, 'the system has no topology.links.'],
    [{ nodes: 's1', links: [] }, 'topology.nodes is a list of names of processes, not "s1".'],
    [{ node: [], nodes: [], links: [] }, 'the system has no field topology.node: did you mean topology.nodes?'],
    [{ ...topology, links: [{ ends: [{ process: 's1' }] }] }, 'topology.links[0].ends is a pair of ends, not a list.'],
    [
      { ...topology, links: [{ ends: [{ process: 's1', prt: 1 }, { process: 's2' }] }] },
      'the system has no field topology.links[0].ends[0].prt: did you mean topology.links[0].ends[0].port?',
    ],
    [
      { ...topology, links: [{ ends: [{ process: 's1', port: -1 }, { process: 's2' }] }] },
      'topology.links[0].ends[0].port is a whole number, 0 or more, not -1.',
    ],
    [
      { ...topology, nodes: ['s1', 's22'] },
      'topology.nodes[1] is "s22", which is no declared process: did you mean s2?',
    ],
    [{ ...topology, controllers: ['c'] }, 'topology.controllers[0] is "c", which is no declared process.'],
    [{ ...topology, controllers: ['s2'] }, 'topology.controllers[0] is "s2", which is a node, too.'],
    [{ ...topology, nodes: ['s1', 's2', 's1'] }, 'topology.nodes[2] is "s1", which is listed before.'],
    [
      { ...topology, links: [{ ends: [{ process: 's1' }, { process: 's11' }] }] },
      'topology.links[0].ends[1].process is "s11", which is no node: did you mean s1?',
    ],
    [
      { ...topology, links: [{ ends: [{ process: 's1' }, { process: 's1' }] }] },
      'topology.links[0].ends[1].process is "s1", which is the other end, too.',
    ],
    [
      { ...topology, stations: [{ name: 'h1', process: 'c1' }] },
      'topology.stations[0].process is "c1", which is no node.',
    ],
  ])('%j is refused', (given, problem) => {
    const define = (): unknown => resolveSystem(systemWith(given));
    expect(define).toThrow(BadSystem);
    expect(define).toThrow(expect.objectContaining({ message: problem }));
  });

  test('in a damaged file is refused', async () => {
    const trace = await found(systemWith(topology));
    const damaged = (change: Partial<ProcessTopology>): string =>
      writeTrace({ ...trace, header: { ...trace.header, topology: { ...topology, ...change } } });
    expect(() => readTrace(damaged({ nodes: ['s1'] }), 'x.trace')).toThrow(
      'x.trace, line 1, topology.links[0].ends[1].process is s2, which is no node.',
    );
    expect(() => readTrace(damaged({ stations: [{ name: 'h1' }] as never }), 'x.trace')).toThrow(
      'x.trace, line 1, topology.stations.0.process: Invalid key: Expected "process" but received undefined.',
    );
  });
});
