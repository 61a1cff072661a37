import {
  applyFlowMod,
  emptyTable,
  lookUp,
  nextExpiryMs,
  type FlowMod,
  type FlowTable,
  type PacketFields,
} from 'culprit/networks';
import type { Measured } from '../row.ts';
import { cpuSeconds } from '../timing.ts';
import { macOf, ordinaryFlowMod } from './flow-mods.ts';

const SIZES = [10, 1000, 100_000];
/** Different packets; two of three have an entry. */
const PACKETS = 1000;
const ROUNDS = 200;

/** How fast flow tables of several sizes take flow_mods and find the entries of packets, on one core. */
export function* lookup(): Generator<Measured> {
  for (const size of SIZES) {
    const name = `${size.toLocaleString('en-US')} entries`;
    for (const [which, priorityOf] of Object.entries(priorities)) {
      const table = emptyTable(size);
      const seconds = cpuSeconds(() => fill(table, size, priorityOf));
      if (table.entries.length !== size) throw new Error('bench: an entry was refused');
      // Ten are added before the compiler has seen them.
      if (size > 10) {
        const value = size / seconds;
        yield { case: name, metric: `added, ${which}`, value, unit: 'flow_mods/s', target: '>= 20,000' };
      }
      if (which === 'one priority') continue;
      const looked = cpuSeconds(() => lookUpAll(table, size));
      const value = (PACKETS * ROUNDS) / looked;
      yield { case: name, metric: 'looked up', value, unit: 'packets/s', target: '>= 100,000' };
    }
  }
}

const priorities = {
  'one priority': () => 100,
  'many priorities': (index: number) => (index * 7919) % 60_000,
};

function fill(table: FlowTable, size: number, priorityOf: (index: number) => number): void {
  for (let index = 0; index < size; index++) {
    applyFlowMod(table, { ...ordinaryFlowMod(index), match: matchOf(index), priority: priorityOf(index) }, 0);
  }
}

/** Three shapes: a learning switch, a router, and single connections. */
function matchOf(index: number): FlowMod['match'] {
  if (index % 3 === 0) return { inPort: 1 + (index % 48), dlDst: macOf(index) };
  const [high, low] = [(index >> 8) & 0xff, index & 0xff];
  if (index % 3 === 1) return { dlType: 0x0800, nwDst: `${11 + (index >> 16)}.${high}.${low}.0/24` };
  return { dlType: 0x0800, nwProto: 6, nwSrc: `10.${index >> 16}.${high}.${low}`, nwDst: '10.0.0.1', tpDst: 80 };
}

function lookUpAll(table: FlowTable, size: number): void {
  const packets = Array.from({ length: PACKETS }, (_, index) => packetFor((index * 37) % size));
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const packet of packets) if (lookUp(table, packet, 60, round) !== undefined) found++;
    // A switch asks this after every event.
    if (nextExpiryMs(table) < round) throw new Error('bench: an entry has expired');
  }
  if (found < (PACKETS * ROUNDS) / 2) throw new Error(`bench: only ${found} packets were found`);
}

const packetFor = (index: number): PacketFields => ({
  inPort: 1 + (index % 48),
  dlSrc: macOf(1),
  dlDst: macOf(index),
  dlVlan: 'none',
  dlVlanPcp: 0,
  dlType: 0x0800,
  nwTos: 0,
  nwProto: 6,
  nwSrc: ((10 << 24) | index) >>> 0,
  nwDst: ((10 << 24) | 1) >>> 0,
  tpSrc: 1024,
  tpDst: 80,
});
