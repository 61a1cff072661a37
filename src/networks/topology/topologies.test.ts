import { describe, expect, test } from 'vitest';
import { fatTree } from './fat-tree.ts';
import { linear, ring } from './line.ts';
import { mesh } from './mesh.ts';
import { BadTopology } from './sizes.ts';
import { endText, laneOfLink, type Topology } from './topology.ts';

const linksIn = ({ links }: Topology): string[] => links.map(({ ends }) => ends.map(endText).join('–'));

describe('the published numbering', () => {
  test('of a mesh: ports lead to the others in descending order', () => {
    expect(linksIn(mesh(4))).toEqual(['s1.1–s4.3', 's1.2–s3.3', 's1.3–s2.3', 's2.1–s4.2', 's2.2–s3.2', 's3.1–s4.1']);
    expect(mesh(2).stations).toEqual([
      { name: 'h1', switch: 's1', port: 2, mac: '12:34:56:78:01:02', ip: '123.123.1.2' },
      { name: 'h2', switch: 's2', port: 2, mac: '12:34:56:78:02:02', ip: '123.123.2.2' },
    ]);
  });

  test('of a fat tree: links and stations of the published trace of the null pointer', () => {
    const tree = fatTree(4);
    const links = linksIn(tree);
    for (const link of [
      's16.4–s20.4',
      's5.4–s14.1',
      's6.3–s13.2',
      's9.3–s17.1',
      's13.3–s17.3',
      's14.3–s19.3',
      's15.4–s18.4',
      's2.4–s10.2',
      's5.3–s13.1',
    ])
      expect(links).toContain(link);
    expect(tree.stations).toMatchObject([
      {},
      { name: 'h2', switch: 's1', port: 2, mac: '00:00:00:00:00:02', ip: '123.0.0.2' },
      { name: 'h3', switch: 's2', port: 1, mac: '00:00:00:00:01:01', ip: '123.0.1.1' },
      {},
      { name: 'h5', switch: 's3', port: 1, mac: '00:00:00:01:00:01', ip: '123.1.0.1' },
      {},
      { mac: '00:00:00:01:01:01', ip: '123.1.1.1' },
      {},
      {},
      {},
      { mac: '00:00:00:02:01:01', ip: '123.2.1.1' },
      {},
      {},
      {},
      { switch: 's8', port: 1, mac: '00:00:00:03:01:01', ip: '123.3.1.1' },
      {},
    ]);
  });

  test('of an odd fat tree: halves are rounded down', () => {
    const { switches, stations, links } = fatTree(45);
    expect([switches.length, stations.length, links.length]).toEqual([2464, 21_780, 43_560]);
  });
});

test('linear and ring', () => {
  expect(linksIn(linear(3))).toEqual(['s1.1–s2.1', 's2.2–s3.1']);
  expect(linear(3).stations.map(endText)).toEqual(['s1.2', 's2.3', 's3.2']);
  expect(linksIn(ring(3))).toEqual(['s1.2–s2.1', 's2.2–s3.1', 's1.1–s3.2']);
  // Two parallel links, each with a lane of its own.
  expect(ring(2).links.map(laneOfLink)).toEqual(['2-1', '1-2']);
});

const sizes = {
  mesh: [1, 2, 3, 10, 40],
  linear: [1, 2, 7, 300],
  ring: [2, 3, 8, 300],
  fatTree: [2, 3, 4, 5, 8, 11, 20],
};
const made = { mesh, linear, ring, fatTree };

describe.each(Object.entries(sizes) as [keyof typeof made, number[]][])('every %s', (kind, ns) => {
  test.each(ns)('of size %i uses each port once, has distinct addresses, and is connected', (n) => {
    const { switches, links, stations } = made[kind](n);
    const declared = switches.flatMap(({ name, ports }) => ports.map((port) => endText({ switch: name, port })));
    const used = [...links.flatMap(({ ends }) => ends), ...stations].map(endText);
    expect(used.toSorted()).toEqual(declared.toSorted());
    expect(new Set(used).size).toBe(used.length);
    for (const field of ['name', 'mac', 'ip'] as const)
      expect(new Set(stations.map((station) => station[field])).size).toBe(stations.length);
    expect(new Set(switches.map(({ dpid }) => dpid)).size).toBe(switches.length);
    const dpidOf = new Map(switches.map(({ name, dpid }) => [name, dpid]));
    for (const {
      ends: [one, other],
    } of links)
      expect(dpidOf.get(one.switch)).toBeLessThan(dpidOf.get(other.switch) as number);
    expect(reached({ switches, links, stations })).toBe(switches.length);
  });
});

/** How many switches frames from the first one can reach. */
function reached({ switches, links }: Topology): number {
  const neighbors = new Map(switches.map(({ name }) => [name, [] as string[]]));
  for (const {
    ends: [one, other],
  } of links) {
    neighbors.get(one.switch)?.push(other.switch);
    neighbors.get(other.switch)?.push(one.switch);
  }
  const seen = new Set<string>();
  const left = switches.slice(0, 1).map(({ name }) => name);
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    left.push(...(neighbors.get(name) ?? []));
  }
  return seen.size;
}

test.each([2, 4, 6, 20])('a fat tree of %i pods has 5k²/4 switches and k³/4 stations', (k) => {
  const { switches, stations } = fatTree(k);
  expect([switches.length, stations.length]).toEqual([(5 * k * k) / 4, k ** 3 / 4]);
});

test.each([
  [() => mesh(0), 'mesh(0) is no topology.'],
  [() => mesh(256), 'mesh(256) is no topology.'],
  [() => ring(1), 'ring(1) is no topology.'],
  [() => linear(1.5), 'linear(1.5) is no topology.'],
  [() => fatTree('4' as never), 'fatTree(4) is no topology.'],
])('a size that makes no topology is refused', (make, message) => {
  expect(make).toThrow(BadTopology);
  expect(make).toThrow(message);
});
