import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, culpritWith, makeFolder, removeFolder } from './culprit.ts';

const one = '.culprit/mutual-exclusion-8dfc.trace';
const other = '.culprit/mutual-exclusion-d352.trace';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
  culprit(folder, 'hunt', 'lock.system.ts', '--no-minimize');
  culprit(folder, 'hunt', 'lock.system.ts', '--no-minimize', '--seed', '40');
});

afterAll(() => removeFolder(folder));

describe('culprit diff', () => {
  test('says where two traces diverge, what each does then, and how they end', () => {
    const { code, out, err } = culprit(folder, 'diff', one, other);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(`\n${out}`).toMatchInlineSnapshot(`
      "
      left      .culprit/mutual-exclusion-8dfc.trace: lock, seed 0, 11 events
      right     .culprit/mutual-exclusion-d352.trace: lock, seed 78, 11 events
      same      4 events, to 4 client-3 starts
      diverge   on the left, 5 lock gets acquire from client-2; on the right, 5 lock gets acquire from client-3

        >    5  lock      gets acquire from client-3  holder: null → client-3; also on the left, as 10
        >    6  client-2  timer enough fires          phase: waiting → done
        ≠  5|7  lock      gets acquire from client-2  left: holder: null → client-2; right: nothing
        <    6  client-2  gets granted from lock      phase: waiting → holding
        <    7  client-1  timer enough fires          phase: waiting → done
        >    8  lock      gets release from client-2  holder: client-3 → null
        >    9  client-3  gets granted from lock      phase: waiting → holding
        ≠ 8|10  lock      gets acquire from client-1  left: nothing; right: holder: null → client-1
        <    9  lock      gets release from client-1  holder: client-2 → null
        <   10  lock      gets acquire from client-3  holder: null → client-3; also on the right, as 5
        <   11  client-3  gets granted from lock      phase: waiting → holding
        >   11  client-1  gets granted from lock      phase: waiting → holding

      left      violated  mutualExclusion: client-2 and client-3 both hold the lock
      right     violated  mutualExclusion: client-1 and client-3 both hold the lock
      "
    `);
  });

  test('the same trace has no difference', () => {
    const { code, out } = culprit(folder, 'diff', one, one);
    expect(code).toBe(0);
    expect(out).toContain('\nsame      all 11 events\n');
  });

  test('says first what makes them hard to compare', () => {
    const text = readFileSync(join(folder, one), 'utf8');
    writeFileSync(join(folder, 'set.trace'), text.replace('"checksOwner":false', '"checksOwner":true,"more":3'));
    writeFileSync(join(folder, 'named.trace'), text.replace('"system":"lock"', '"system":"key"'));
    expect(culprit(folder, 'diff', one, 'set.trace').out.split('\n')[2]).toBe(
      'settings  checksOwner is false on the left, true on the right; more is missing on the left, 3 on the right',
    );
    expect(culprit(folder, 'diff', one, 'named.trace').out.split('\n')[2]).toBe(
      'systems   differ: lock on the left, key on the right',
    );
  });

  test('a different verdict is a difference', () => {
    const text = readFileSync(join(folder, one), 'utf8');
    writeFileSync(join(folder, 'ended.trace'), text.replace('both hold the lock', 'quarrel'));
    const { code, out } = culprit(folder, 'diff', one, 'ended.trace');
    expect(code).toBe(1);
    expect(out).toContain('same      all 11 events, but a different verdict');
  });

  test('prints JSON', () => {
    const { code, out } = culprit(folder, 'diff', one, other, '--json');
    expect(code).toBe(1);
    const { rows, ...rest } = JSON.parse(out) as { rows: object[] };
    expect(rows.slice(3, 6)).toEqual([
      { left: 4, right: 4, how: 'same' },
      { right: 5, how: 'right', elsewhere: 10 },
      expect.objectContaining({ how: expect.any(String) as string }),
    ]);
    expect(rest).toMatchObject({
      same: false,
      divergence: 4,
      left: {
        file: one,
        system: 'lock',
        parameters: { checksOwner: false },
        seed: 0,
        events: 11,
        verdict: { verdict: 'violated' },
      },
      right: { file: other, seed: 78 },
    });
    expect(JSON.parse(culprit(folder, 'diff', one, one, '--json').out)).toMatchObject({ same: true, divergence: null });
  });

  test('uses colors on request', () => {
    const { out } = culpritWith({ FORCE_COLOR: '1' }, folder, 'diff', one, other);
    // eslint-disable-next-line no-control-regex
    const bare = out.replaceAll(/\u001b\[\d+m/g, '');
    expect(bare).toBe(culprit(folder, 'diff', one, other).out);
    expect(bare).not.toBe(out);
  });

  test.each([
    [[one], "missing required argument 'right'"],
    [[one, 'nowhere.trace'], 'nowhere.trace cannot be read'],
    [['lock.system.ts', one], 'lock.system.ts, line 1 is not JSON'],
  ])('says what is wrong with %j', (args, problem) => {
    const { code, out, err } = culprit(folder, 'diff', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(problem);
  });
});
