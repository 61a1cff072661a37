import { expect, test } from 'vitest';
import { cut, cutOneWay, heal } from '../../system/externals.ts';
import type { External } from '../../trace/event.ts';
import { buildFrame } from '../frames/ethernet.ts';
import { networkPhrases } from './network-phrases.ts';

const h1 = '00:00:5e:00:53:01';
const arp = buildFrame({
  dlDst: 'ff:ff:ff:ff:ff:ff',
  dlSrc: h1,
  dlType: 0x0806,
  payload: { kind: 'arp', op: 1, sha: h1, spa: '192.0.2.1', tha: '00:00:00:00:00:00', tpa: '192.0.2.2' },
});

test.each<[External, string | undefined]>([
  [{ kind: 'act', action: 'ping', payload: { from: 'h1', to: 'h2' } }, 'lets h1 ping h2'],
  [{ kind: 'act', action: 'ping', payload: { from: 'h1', to: 'h1', settles: true } }, 'lets h1 ping itself'],
  [{ kind: 'act', action: 'arp', payload: { from: 'h1', to: 'h2' } }, 'lets h1 ask for the address of h2'],
  [
    { kind: 'act', action: 'tcp', payload: { from: 'h1', to: 'h2', flow: 3, segment: 0 } },
    'lets h1 send segment 0 of TCP flow 3 to h2',
  ],
  [{ kind: 'act', action: 'inject', payload: { from: 'h1', packet: arp } }, 'lets h1 send ARP request h1 → broadcast'],
  [{ kind: 'act', action: 'migrate', payload: { station: 'h1', to: 's2' } }, 'moves h1 to s2'],
  [{ kind: 'act', action: 'ping' }, undefined],
  [{ kind: 'act', action: 'toString', payload: {} }, undefined],
  [
    { kind: 'send', to: 's1', message: { type: 'frame', port: 1, packet: arp } },
    'sends ARP request h1 → broadcast at port 1 of s1',
  ],
  [
    { kind: 'send', to: 's1', message: { type: 'channel_reset', controller: 'c1' } },
    'resets the control channel c1 – s1',
  ],
  [{ kind: 'send', to: 's1', message: 3 }, undefined],
  [cut('s2', 's1', { lane: '3-1' }), 'cuts the link s1.3 – s2.1'],
  [heal('s1', 's2', { lane: '3-1' }), 'heals the link s1.3 – s2.1'],
  [cut('s1', 'c1'), 'blocks the control channel c1 – s1'],
  [heal('c1', 's1'), 'unblocks the control channel c1 – s1'],
  [cut('s1', 's2'), 'cuts the link s1.3 – s2.1'],
  [cut('s1', 's3'), undefined],
  [cutOneWay('c1', 's1'), undefined],
  [cut('s1', ['s2', 'c1']), undefined],
  [{ kind: 'heal', links: [] }, undefined],
  [{ kind: 'crash', process: 's1' }, undefined],
])('an input: %j', (external, words) => {
  const ends = [
    { process: 's1', port: 3 },
    { process: 's2', port: 1 },
  ] as const;
  const named = networkPhrases({
    stations: [{ name: 'h1', addresses: [h1] }],
    links: [{ ends, lane: '3-1' }],
    controllers: ['c1'],
  });
  expect(named.external?.(external)).toBe(words);
});
