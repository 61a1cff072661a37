import { describe, expect, test } from 'vitest';
import { countingSystem, culprit, folderWith, interrupted, MOMENT } from './culprit.ts';

const timeless = (out: string): string => out.replace(/[\d.]+ s$/m, '… s');

describe('a hunt', () => {
  test.each(['1', '2'])(
    'keeps its findings when it is interrupted, and says how to resume (%s workers)',
    async (workers) => {
      const folder = folderWith({ 'x.ts': countingSystem(3_000) });
      const hunt = ['hunt', 'x.ts', '--executions'];
      const { code, out } = await interrupted(folder, { at: MOMENT }, ...hunt, '100000000', '--workers', workers);
      expect(code).toBe(130);
      const [, executions = ''] =
        /stopped {3}after ([\d,]+) of 100,000,000 executions, .*: no violation/.exec(out) ?? [];
      const tried = Number(executions.replaceAll(',', ''));
      expect(tried).toBeGreaterThan(1);
      expect(out).toContain(' s: no violation so far, so the verdict is unknown\n');
      // The first execution is of seed 0, the next one of seed 1.
      const whole = culprit(folder, ...hunt, String(tried), '--workers', '1').out;
      const same = [...hunt, '100000000', '--workers', workers].join(' ');
      const coverage = /^coverage(.|\n)*?(?=^example)/m.exec(whole)?.[0];
      expect(out.endsWith(`\n${coverage}resume    culprit ${same} --seed ${tried}\n`)).toBe(true);
    },
  );

  test('prints the same for any number of workers', () => {
    const folder = folderWith();
    const [one, two] = ['1', '2'].map((workers) => {
      const args = ['lock.system.ts', '--set', 'checksOwner=true', '--executions', '5000', '--workers', workers];
      const { code, out, err } = culprit(folder, 'hunt', ...args);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return timeless(out);
    });
    expect(two).toBe(one);
  });

  test('keeps its findings if the system makes it impossible to continue', () => {
    const system = `import { behavior, defineSystem } from 'culprit';
      const a = behavior<{ n: number }, never>({ start: (ctx) => ({ n: ctx.random.below(20) }), receive() {} });
      export default defineSystem({ processes: { a }, invariants: {
        notEight: (world) => world.up(a)[0]?.state.n !== 8 || 'a has drawn 8',
        odd(world) { if (world.up(a)[0]?.state.n === 3) throw new Error('hm'); return true; },
      } });`;
    const folder = folderWith({ 'x.ts': system });
    const { code, out, err } = culprit(folder, 'hunt', 'x.ts', '--violations', '2');
    expect(code).toBe(2);
    expect(out).toContain('violated  notEight: a has drawn 8');
    expect(out).toMatch(/\nfound {5}by seed \d+, \w+, after \d+ executions\nsaved {5}\.culprit\/not-eight-/);
    expect(out).not.toContain('nothing');
    expect(err).toMatch(/^error {5}seed (\d+): the invariant odd threw after event 1: Error: hm\n/);
    const { code: again, out: json } = culprit(folder, 'hunt', 'x.ts', '--violations', '2', '--json');
    expect([again, JSON.parse(json)]).toMatchObject([
      2,
      { findings: [{ oracle: 'notEight' }], error: { seed: Number(/seed (\d+)/.exec(err)?.[1]) } },
    ]);
  });
});
