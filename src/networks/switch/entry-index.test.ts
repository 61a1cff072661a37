import { inspect, isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { RandomSequence } from '../../../test/twins/networks/ovs/random-sequence.ts';
import { Random } from '../../kernel/data/random.ts';
import type { FlowMod } from '../openflow/messages.ts';
import { entriesOf, EntryIndex } from './entry-index.ts';
import { EntryScan, type EntryStore, type Meant } from './entry-scan.ts';
import { applyFlowMod } from './flow-mod.ts';
import { emptyTable, type FlowEntry } from './flow-table.ts';
import { fieldsOf, type PacketFields } from './packet-fields.ts';

/** The same entries, with an index and without one. */
class Pair {
  readonly lists: readonly [FlowEntry[], FlowEntry[]] = [[], []];
  readonly stores: readonly [EntryStore, EntryStore] = [new EntryIndex(this.lists[0]), new EntryScan(this.lists[1])];
  private created = 0;

  /** Both give the same entries, each its own objects. */
  same<T>(ask: (store: EntryStore) => T): T {
    const [one, other] = [ask(this.stores[0]), ask(this.stores[1])];
    if (!isDeepStrictEqual(one, other)) throw new Error(`${inspect(one)} is not ${inspect(other)}`);
    return one;
  }

  insert(flowMod: FlowMod, { match, priority }: Meant, nowMs: number): void {
    const cookie = ++this.created;
    for (const store of this.stores) {
      const { idleTimeout, hardTimeout, flags, actions } = flowMod;
      const times = { createdAtMs: nowMs, modifiedAtMs: nowMs, usedAtMs: nowMs };
      const entry = { match, priority, idleTimeout, hardTimeout, flags, actions, cookie, ...times };
      const same = store.same({ match, priority });
      const made: FlowEntry = { ...entry, packetCount: 0, byteCount: 0 };
      if (same === undefined) store.insert(made);
      else store.replace(same, made);
    }
  }

  remove(find: (store: EntryStore) => FlowEntry[]): number {
    const removed = this.same(find).length;
    const [indexed, scan] = this.stores;
    const ofIndex = find(indexed);
    indexed.remove(ofIndex);
    scan.remove(find(scan));
    return removed;
  }
}

const shortTimes = (flowMod: FlowMod): FlowMod => ({
  ...flowMod,
  idleTimeout: flowMod.idleTimeout % 7,
  hardTimeout: flowMod.hardTimeout % 9,
});

test.each([1, 2, 3, 4])('an index finds what looking at all entries finds, seed %i', (seed) => {
  const random = Random.seeded(seed, 0x1dec);
  const sequence = new RandomSequence(random);
  const pair = new Pair();
  const seen = { found: 0, overlapping: 0, removed: 0, expired: 0 };
  for (let step = 0; step < 400; step++) {
    const nowMs = step * 50;
    const flowMod = shortTimes(sequence.flowMod());
    // Few priorities, so that the order of equal ones counts.
    const meant: Meant = { match: flowMod.match, priority: random.below(4) };
    if (pair.same((store) => store.hasOverlap(meant))) seen.overlapping++;
    if (flowMod.command === 'delete' && random.below(3) === 0) {
      seen.removed += pair.remove((store) => store.coveredBy(meant.match));
    } else if (flowMod.command === 'delete_strict') {
      seen.removed += pair.remove((store) => [store.same(meant)].filter((entry) => entry !== undefined));
    } else pair.insert(flowMod, meant, nowMs);
    const packet = sequence.packet();
    const fields = fieldsOf(Buffer.from(packet.data, 'hex'), packet.inPort) as PacketFields;
    if (pair.same((store) => use(store.entryFor(fields), nowMs)) !== undefined) seen.found++;
    expect(pair.same((store) => store.nextExpiryMs())).toBeGreaterThan(nowMs - 50);
    // What the queue of the index gives is taken from it: it is removed at once.
    const expired = pair.same((store) => {
      const over = store.expired(nowMs);
      store.remove(over);
      return over;
    });
    seen.expired += expired.length;
    expect(cookies(pair.lists[0])).toBe(cookies(pair.lists[1]));
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

/** The entries in their order. */
const cookies = (entries: readonly FlowEntry[]): string => entries.map(({ cookie }) => cookie).join(' ');

function use(entry: FlowEntry | undefined, nowMs: number): FlowEntry | undefined {
  if (entry !== undefined) entry.usedAtMs = nowMs;
  return entry;
}

test('many entries of one priority overlap as the scan says', () => {
  const sequence = new RandomSequence(Random.seeded(9, 0x1dec));
  const pair = new Pair();
  let overlapping = 0;
  for (let step = 0; step < 600; step++) {
    const flowMod = sequence.flowMod();
    const meant = { match: flowMod.match, priority: 5 };
    if (pair.same((store) => store.hasOverlap(meant))) overlapping++;
    pair.insert(flowMod, meant, 0);
    if (step % 20 === 0) pair.same((store) => store.coveredBy(meant.match));
  }
  expect(overlapping).toBeGreaterThan(300);
  expect(pair.lists[0].length).toBeGreaterThan(100);
});

test('a large table has an index, and one that others have changed gets a new one', () => {
  const sequence = new RandomSequence(Random.seeded(7, 0x1dec));
  const table = emptyTable(1000);
  while (table.entries.length < 60) applyFlowMod(table, { ...sequence.flowMod(), command: 'add' }, 0);
  const index = entriesOf(table);
  expect(index).toBeInstanceOf(EntryIndex);
  expect(entriesOf(table)).toBe(index);
  table.entries.splice(10, 5);
  expect(entriesOf(table)).toBeInstanceOf(EntryScan);
  while (!(entriesOf(table) instanceof EntryIndex));
  expect(entriesOf(table)).not.toBe(index);
  // A copy of a state has none.
  expect(entriesOf(structuredClone(table))).toBeInstanceOf(EntryScan);
});
