import { expect, test } from 'vitest';
import { ipv4Text } from '../bytes/addresses.ts';
import { Random } from '../../kernel/data/random.ts';
import type { Match } from '../openflow/messages.ts';
import { applyFlowMod } from '../switch/flow-mod.ts';
import { emptyTable, type FlowEntry } from '../switch/flow-table.ts';
import { flowMod } from '../openflow/flow-mod-message.ts';
import { EVERYTHING, withoutAll, withSet, type Cube } from './cube.ts';
import { DL_DST, DL_TYPE, IN_PORT, IPV4, NW_DST, NW_SRC, VLAN } from './fields.ts';
import { byPrecedence, type Rule } from './rule.ts';
import { RuleTable, type Hit } from './rule-table.ts';
import { headersFrom, inCube, outsideCube, withValue, type SymbolicHeader } from './symbolic-header.ts';
import { only, range, setOf, unionOf } from './value-set.ts';

/** Random entries and headers that often overlap: prefixes of all lengths, exact values and wildcards in any mixture. */
class RandomRules {
  constructor(private readonly random: Random) {}

  entry(): FlowEntry {
    const table = emptyTable(1);
    const priority = this.random.below(30);
    applyFlowMod(table, flowMod({ match: this.match(), priority, actions: [] }), 0);
    return table.entries[0] as FlowEntry;
  }

  headers(): SymbolicHeader {
    let cube: Cube = EVERYTHING;
    if (this.chance(2)) cube = withSet(cube, DL_TYPE, only(IPV4));
    if (this.chance(3)) cube = withSet(cube, IN_PORT, setOf([1, 2, 3].filter(() => this.chance(2)).concat(4)));
    if (this.chance(3)) cube = withSet(cube, DL_DST, this.chance(2) ? only(this.mac()) : range(0, this.mac()));
    for (const field of [NW_SRC, NW_DST]) if (this.chance(2)) cube = withSet(cube, field, this.addresses());
    const headers = headersFrom(cube);
    if (this.chance(4)) return withValue(headers, NW_DST, this.address());
    return this.chance(4) ? withValue(headers, VLAN, this.random.pick([-1, 0, 5])) : headers;
  }

  private match(): Match {
    const { random } = this;
    const wanted = <T extends Match>(odds: number, part: () => T): T | object => (this.chance(odds) ? part() : {});
    const ipv4 = (): Match => ({
      dlType: IPV4,
      ...wanted(2, () => ({ nwSrc: this.prefix() })),
      ...wanted(1.2, () => ({ nwDst: this.prefix() })),
      ...wanted(6, () => ({ nwProto: 6, tpDst: random.below(3) })),
    });
    const match = {
      ...wanted(4, () => ({ inPort: 1 + random.below(4) })),
      ...wanted(5, () => ({ dlDst: `00:00:00:00:00:0${this.mac()}` })),
      ...wanted(8, () => ({ dlVlan: random.pick(['none', 0, 5] as const) })),
      ...wanted(10, () => ({ dlVlanPcp: random.below(2) })),
      ...wanted(1.3, ipv4),
    };
    // An entry for everything would leave nothing to those after it.
    return Object.keys(match).length === 0 ? ipv4() : match;
  }

  private addresses() {
    if (this.chance(4)) return only(this.address());
    return unionOf(
      Array.from({ length: 1 + this.random.below(6) }, () => {
        const first = this.address();
        return range(first, Math.min(0xffffffff, first + this.random.pick([0, 255, 2 ** 16, 2 ** 24])));
      }),
    );
  }

  /** Of few bits, so that they meet. */
  private address(): number {
    const [high, middle, low] = [this.random.below(4), this.random.below(3), this.random.below(4)];
    return high * 2 ** 30 + middle * 2 ** 16 + low;
  }

  private prefix(): string {
    const bits = this.random.pick([1, 2, 3, 8, 15, 16, 17, 24, 30, 31, 32]);
    const address = this.address();
    return `${ipv4Text(address - (address % 2 ** (32 - bits)))}/${bits}`;
  }

  private readonly mac = (): number => this.random.below(5);

  private chance(odds: number): boolean {
    return this.random.float() * odds < 1;
  }
}

/** By looking at every rule. */
function slowHits(rules: readonly Rule[], headers: SymbolicHeader): Map<Rule, readonly SymbolicHeader[]> {
  const hits = new Map<Rule, readonly SymbolicHeader[]>();
  let left: readonly SymbolicHeader[] = [headers];
  for (const rule of rules) {
    const taken = left.flatMap((part) => inCube(part, rule.cube) ?? []);
    if (taken.length > 0) hits.set(rule, taken);
    left = left.flatMap((part) => outsideCube(part, rule.cube));
  }
  return hits;
}

function partsByRule(hits: readonly Hit[]): Map<Rule, SymbolicHeader[]> {
  const parts = new Map<Rule, SymbolicHeader[]>();
  for (const { rule, headers } of hits) parts.set(rule, [...(parts.get(rule) ?? []), headers]);
  return parts;
}

const startsOf = (parts: readonly SymbolicHeader[]): readonly Cube[] => parts.map(({ start }) => start);

const areSame = (one: readonly SymbolicHeader[], other: readonly SymbolicHeader[]): boolean =>
  withoutAll(startsOf(one), startsOf(other)).length === 0 && withoutAll(startsOf(other), startsOf(one)).length === 0;

test.each([1, 2, 3])('an index finds the rules that looking at all finds, seed %i', (seed) => {
  const random = Random.seeded(seed, 0x7ab1e);
  const source = new RandomRules(random);
  const table = new RuleTable();
  const entries: FlowEntry[] = [];
  const seen = { met: 0, taken: 0, missed: 0 };
  for (let step = 0; step < 60; step++) {
    for (let nth = 0; nth < 4; nth++) {
      const entry = source.entry();
      entries.push(entry);
      table.add(entry);
    }
    // The table grows, and shrinks in between.
    const removed = step % 20 === 19 ? entries.length - 10 : random.below(5);
    for (let nth = 0; nth < removed && entries.length > 0; nth++) {
      table.remove(entries.splice(random.below(entries.length), 1)[0] as FlowEntry);
    }
    const rules = [...table.all].toSorted(byPrecedence);
    expect(rules).toHaveLength(entries.length);
    const headers = source.headers();
    const met = rules.filter(({ cube }) => inCube(headers, cube) !== undefined);
    expect(table.overlapping(headers)).toEqual(met);
    const slow = slowHits(rules, headers);
    const fast = partsByRule(table.hits(headers));
    expect(new Set(fast.keys())).toEqual(new Set(slow.keys()));
    for (const [rule, parts] of fast) {
      expect(areSame(parts, slow.get(rule) ?? [])).toBe(true);
      expect(areSame(table.takenBy(rule, headers), parts)).toBe(true);
    }
    const left = rules.reduce<readonly SymbolicHeader[]>(
      (parts, { cube }) => parts.flatMap((part) => outsideCube(part, cube)),
      [headers],
    );
    expect(table.misses(headers)).toBe(left.length > 0);
    seen.met += met.length;
    seen.taken += fast.size;
    if (left.length > 0) seen.missed++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});
