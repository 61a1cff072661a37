import { expect, test } from 'vitest';
import { fatTree } from './fat-tree.ts';
import { topologyFrom } from './from-json.ts';
import { ring } from './line.ts';
import { mesh } from './mesh.ts';
import { BadTopology } from './sizes.ts';

const end = (name: string, port: unknown) => ({ switch: name, port });
const two = { switches: [{ name: 's1' }, { name: 's8' }] };

test('a topology is JSON, and JSON a topology', () => {
  for (const one of [mesh(4), ring(2), fatTree(4)]) {
    expect(topologyFrom(JSON.stringify(one))).toEqual(one);
    expect(topologyFrom(one)).toEqual(one);
  }
});

test('numbers and addresses may be left out', () => {
  const given = {
    switches: [{ name: 'left' }, { name: 'right', ports: [7] }],
    links: [{ ends: [end('left', 1), end('right', 1)] }],
    stations: [
      { switch: 'left', port: 2 },
      { name: 'server', switch: 'right', port: 2, ip: '192.0.2.1' },
    ],
  };
  expect(topologyFrom(given)).toEqual({
    switches: [
      { name: 'left', dpid: 1, ports: [1, 2] },
      { name: 'right', dpid: 2, ports: [1, 2, 7] },
    ],
    links: given.links,
    stations: [
      { name: 'h1', switch: 'left', port: 2, mac: '12:34:56:78:01:02', ip: '123.123.1.2' },
      { name: 'server', switch: 'right', port: 2, mac: '12:34:56:78:02:02', ip: '192.0.2.1' },
    ],
  });
});

test('a station may have further interfaces', () => {
  const stations = [
    { name: 'h1', switch: 's1', port: 1 },
    { name: 'h1.2', of: 'h1', switch: 's8', port: 1 },
  ];
  const made = topologyFrom({ ...two, stations });
  expect(made.stations).toMatchObject([{ name: 'h1' }, { name: 'h1.2', of: 'h1', mac: '12:34:56:78:02:01' }]);
  expect(topologyFrom(JSON.stringify(made))).toEqual(made);
  for (const of of ['h1.2', 'h9', 7])
    expect(() => topologyFrom({ ...two, stations: [...stations, { switch: 's8', port: 2, of }] })).toThrow(
      `stations[2].of is ${JSON.stringify(of)}.`,
    );
});

test.each<[unknown, string]>([
  ['{ "switches": [', 'the topology is no JSON: '],
  [[], 'a topology is [].'],
  [{ switch: [] }, 'a topology has the field "switch".'],
  [{ switches: {} }, 'switches is {}.'],
  [{ switches: ['s1'] }, 'switches[0] is "s1".'],
  [{ switches: [{ name: '' }] }, 'switches[0].name is "".'],
  [{ switches: [{ name: 's1' }, { name: 's1' }] }, 'switches[1]: there are two of the name s1.'],
  [{ switches: [{ name: 's1' }, { name: 's2', dpid: 1 }] }, 'switches[1]: s1 has dpid 1, too.'],
  [{ switches: [{ name: 's1', dpid: -1 }] }, 'switches[0].dpid is -1.'],
  [{ switches: [{ name: 's1', ports: [1, 'a'] }] }, 'switches[0].ports[1] is "a".'],
  [{ ...two, links: [{ ends: [end('s1', 1), end('s9', 1)] }] }, 'links[0]: there is no switch s9; did you mean s8?'],
  [
    { switches: [{ name: 'edge' }], stations: [end('egde', 1)] },
    'stations[0]: there is no switch egde; did you mean edge?',
  ],
  [{ ...two, links: [{ ends: [end('s1', 1)] }] }, 'links[0] is {"ends":[{"switch":"s1","port":1}]}.'],
  [{ ...two, links: [{ ends: [end('s1', 1), end('s8', 256)] }] }, 'links[0].ends[1] is {"switch":"s8","port":256}.'],
  [{ ...two, links: [{ ends: [end('s1', 1), end('s1', 2)] }] }, 'links[0]: both ends are at s1.'],
  [
    { ...two, links: [{ ends: [end('s1', 1), end('s8', 1)] }], stations: [end('s8', 1)] },
    'stations[0]: port s8.1 is used by links[0] already.',
  ],
  [{ ...two, stations: [{ ...end('s1', 1), name: 's8' }] }, 'stations[0]: s8 is a switch, too.'],
  [{ ...two, stations: [{ ...end('s1', 1), mac: 'x' }] }, 'stations[0].mac is "x".'],
  [{ ...two, stations: [{ ...end('s1', 1), ip: '1.2.3' }] }, 'stations[0].ip is "1.2.3".'],
])('%j is refused with its place', (given, message) => {
  expect(() => topologyFrom(given)).toThrow(BadTopology);
  expect(() => topologyFrom(given)).toThrow(message);
});

test('a mistake in a text is named with its line', () => {
  const text = `{
    "links": [{ "ends": [{ "switch": "s1", "port": 1 }, { "switch": "s2", "port": 1 }] },
      { "ends": [
        { "switch": "s1", "port": 2 },
        { "switch": "s9", "port": 2 }
      ] }],
    "switches": [
      { "name": "s1", "ports": [7, 8] },

      { "name": "s2" }
    ],
    "stations": [{ "name": "a \\" ] , \\\\", "switch": "s1", "port": 9 },
      { "switch": "s2", "port": 1 }]
  }`;
  expect(() => topologyFrom(text)).toThrow('line 3: links[1]: there is no switch s9; did you mean s2?');
  const fixed = text.replace('s9', 's2');
  expect(() => topologyFrom(fixed)).toThrow('line 13: stations[1]: port s2.1 is used by links[0] already.');
  expect(() => topologyFrom(fixed.replace('"s2" }\n', '"s1" }\n'))).toThrow('line 10: switches[1]: there are two');
  expect(() => topologyFrom(fixed.replace('7, 8', '7, 0'))).toThrow('line 8: switches[0].ports[1] is 0.');
});
