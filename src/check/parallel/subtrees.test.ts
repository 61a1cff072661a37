import { describe, expect, test } from 'vitest';
import { begun, endsSeenBy } from '../../../test/twins/begun.ts';
import { deeds, type RandomSystem } from '../../../test/twins/deeds.ts';
import { onRandomSystems } from '../../../test/twins/on-random-systems.ts';
import type { Steps } from '../../kernel/loop.ts';
import { hex } from '../../trace/digest.ts';
import { Dpor, type SearchEnding } from '../search/dpor.ts';
import { conflicts } from '../dependence/footprint.ts';
import { Subtrees, type Explored, type Subtree, type SavedSubtrees } from './subtrees.ts';
import { Dependence } from '../dependence/dependence.ts';

const NODES_MAX = 400;

/** Explores a system in pieces, so many executions of each at a time. */
class Divided {
  readonly names = new Set<string>();
  executions = 0;
  blocked = 0;
  /** The largest number of pieces that could be explored at once. */
  most = 0;
  readonly shares: number[] = [];

  constructor(
    private readonly system: RandomSystem,
    private readonly quota: number,
  ) {}

  async explore(alone: number): Promise<this> {
    const first = this.dpor();
    await this.advance(first, alone);
    let pieces = Subtrees.of(first.save());
    while (!pieces.isDone) {
      this.shares.push(pieces.share);
      this.most = Math.max(this.most, pieces.ready.length);
      if (pieces.ready.length === 0) throw new Error('nothing is left to explore, and it is not done');
      const explored: [Subtree, Explored][] = [];
      for (const piece of pieces.ready) explored.push([piece, await this.explored(pieces, piece)]);
      pieces.takeBack(explored);
      pieces = Subtrees.restored(JSON.parse(JSON.stringify(pieces.save())) as SavedSubtrees);
    }
    this.shares.push(pieces.share);
    return this;
  }

  /** As it would be elsewhere: from JSON to JSON. */
  private async explored(pieces: Subtrees, piece: Subtree): Promise<Explored> {
    const { saved, proposals } = JSON.parse(JSON.stringify(pieces.handOut(piece))) as ReturnType<Subtrees['handOut']>;
    const dpor = this.dpor();
    await driven(dpor.restore(saved, proposals));
    await this.advance(dpor, this.quota);
    const divideAt = await driven(dpor.divide());
    const explored = { saved: dpor.save(), proposals: dpor.proposals, ...(divideAt !== undefined && { divideAt }) };
    return JSON.parse(JSON.stringify(explored)) as Explored;
  }

  private async advance(dpor: Dpor, executions: number): Promise<void> {
    const until = this.executions + executions;
    for (const pause of dpor.run())
      if (pause !== undefined) await pause;
      else if (dpor.isBetween && this.executions >= until) return;
  }

  private dpor(): Dpor {
    const { declaration, scripts } = this.system;
    const beginning = begun(declaration, scripts);
    return new Dpor({
      ...beginning,
      dependence: new Dependence(declaration, beginning.environment),
      depends: (_session, one, other) => conflicts(one.foot, other.foot),
      visitor: endsSeenBy((session, ending: SearchEnding) => {
        this.executions += 1;
        if (ending === 'blocked') this.blocked += 1;
        else this.names.add(hex(session.name()));
        return true;
      }),
    });
  }
}

async function driven<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

describe('an exploration in pieces', () => {
  test.each([
    ['messages', 60, 40],
    ['timers', 60, 40],
    ['crashes', 60, 10],
    ['stops', 40, 10],
    ['cuts', 20, 5],
    ['waits', 60, 40],
    ['awaits', 30, 10],
    ['refusals', 60, 10],
  ] as const)('gets to the same as trying everything: %s', async (feature, seeds, few) => {
    const compared = await onRandomSystems(feature, { seeds, nodesMax: NODES_MAX }, async (system, all, seed) => {
      const divided = await new Divided(system, 1 + (seed % 3)).explore(1 + (seed % 2));
      expect({ seed, names: [...divided.names].sort() }).toEqual({ seed, names: [...all.names].sort() });
    });
    expect(compared).toBeGreaterThan(few);
  });

  test('meets no execution twice, and begins few in vain', async () => {
    let [executions, blocked, most] = [0, 0, 0];
    for (let seed = 0; seed < 60; seed++) {
      const divided = await new Divided(deeds('timers', seed), 1).explore(1);
      expect({ seed, executions: divided.executions - divided.blocked }).toEqual({
        seed,
        executions: divided.names.size,
      });
      executions += divided.executions;
      blocked += divided.blocked;
      most = Math.max(most, divided.most);
    }
    expect(most).toBeGreaterThan(4);
    expect(blocked / executions).toBeLessThan(0.1);
  });

  test('says about how far it has come', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { shares } = await new Divided(deeds('timers', seed), 1).explore(1);
      expect(shares.toSorted((one, other) => one - other)).toEqual(shares);
      expect(shares.at(-1)).toBeCloseTo(1);
    }
  });
});
