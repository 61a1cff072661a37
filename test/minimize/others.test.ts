import { behavior, defineSystem, minimize, search, send, type Oracle, type World } from 'culprit';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';

/** Writes each message to its disk, and waits for that. */
const scribe = behavior<{ got: string }, string>({
  start: () => ({ got: '' }),
  blocking: true,
  async receive(state, letter, ctx) {
    await ctx.disk.write('letter', letter);
    state.got += letter;
  },
});

const never = (letters: string) => (world: World<{ scribe: typeof scribe }>) =>
  world.process('scribe').state?.got !== letters || `it got ${letters}`;

/** Detects an execution that continues after another one has begun. */
class Onlooker implements Oracle {
  isMixed = false;
  private begun = 0;

  judge(): { kind: 'holds' } {
    return { kind: 'holds' };
  }

  begin(): Oracle {
    this.begun += 1;
    const mine = this.begun;
    return {
      judge: () => {
        if (mine !== this.begun) this.isMixed = true;
        return { kind: 'holds' };
      },
    };
  }
}

const oracleIn = (verdict: Trace['verdict']): string => ('oracle' in verdict ? verdict.oracle : '');

test('other bugs are executed again one after the other, and never two at once', async () => {
  const onlooker = new Onlooker();
  const system = defineSystem({
    processes: { scribe },
    workload: ['x', 'y', 'z'].map((letter) => send('scribe', letter)),
    invariants: { all: never('xyz'), last: never('yz'), ends: never('xz') },
    oracles: { onlooker },
  });
  const { findings } = await search(system, { executions: 1_000, violations: 3 });
  const all = findings.map(({ trace }) => trace).find(({ verdict }) => oracleIn(verdict) === 'all');
  const { others } = await minimize(system, all as Trace);
  expect(others.map(({ verdict }) => oracleIn(verdict))).toEqual(['ends', 'last']);
  expect(onlooker.isMixed).toBe(false);
});
