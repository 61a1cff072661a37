import { existsSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { countingSystem, culprit, folderWith, interrupted, MOMENT } from './culprit.ts';

const cases = fileURLToPath(new URL('../../cases', import.meta.url));

const timeless = (out: string): string =>
  out.replaceAll(/\d+ schedules/g, '… schedules').replaceAll(/[\d.]+ s\b/g, '… s');

function folderWithGossip(): string {
  const folder = folderWith();
  cpSync(join(cases, 'cassandra-gossip'), join(folder, 'gossip'), { recursive: true });
  return folder;
}

const gossip = 'gossip/cassandra-gossip.system.ts';

describe('culprit check', () => {
  test('describes a violation like a hunt, saves it, and prints the command that shows it again', () => {
    const folder = folderWith();
    const { code, out, err } = culprit(folder, 'check', 'lock.system.ts');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(timeless(out)).toMatchInlineSnapshot(`
      "check     lock.system.ts, by dpor
      violated  mutualExclusion: client-2 and client-3 both hold the lock
                11 events → 11, … schedules, … s, shortest
      why       had event 10 (lock gets acquire from client-3) come before event 9 (lock gets release from client-1), mutualExclusion would have held

        1–4  lock, client-1, client-2, client-3 start  lock {holder: null}, client-1, client-2, client-3 {phase: waiting}
          5  lock      gets acquire from client-2  holder: null → client-2
          6  lock      gets acquire from client-1
          7  client-1  timer enough fires          phase: waiting → done
          8  client-2  gets granted from lock      phase: waiting → holding
          9  lock      gets release from client-1  holder: client-2 → null
         10  lock      gets acquire from client-3  holder: null → client-3
         11  client-3  gets granted from lock      phase: waiting → holding

      found     after 242 executions
      saved     .culprit/mutual-exclusion-1b17.min.trace
                .culprit/mutual-exclusion-1b17.trace, before minimizing
      view      npx culprit view .culprit/mutual-exclusion-1b17.min.trace
      explain   npx culprit explain .culprit/mutual-exclusion-1b17.min.trace
      replay    npx culprit replay .culprit/mutual-exclusion-1b17.min.trace
      explored  242 executions, 971 events, … s
      "
    `);
    const [minimized = '', found = ''] = readdirSync(join(folder, '.culprit')).map((name) => `.culprit/${name}`);
    for (const path of [minimized, found]) {
      const replayed = culprit(folder, 'replay', path);
      expect([replayed.code, replayed.out]).toEqual([1, expect.stringContaining('replayed  reproduced: all')]);
    }
    expect(culprit(folder, 'minimize', found)).toMatchObject({ code: 1, err: '' });
  });

  test('says that nothing is violated, and within which bounds', () => {
    const { code, out, err } = culprit(folderWith(), 'check', 'lock.system.ts', '--set', 'checksOwner=true');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(timeless(out)).toMatchInlineSnapshot(`
      "check     lock.system.ts, by dpor
      holds     no violation within these bounds: no faults, 200 events
      explored  1,993 executions, 8,423 events, … s
      "
    `);
  });

  test('is unknown if something remains, and says what', () => {
    const few = ['check', 'lock.system.ts', '--set', 'checksOwner=true', '--executions', '300'];
    const { code, out } = culprit(folderWith(), ...few);
    expect(code).toBe(3);
    expect(timeless(out)).toMatchInlineSnapshot(`
      "check     lock.system.ts, by dpor
      unknown   no violation found; bounds: no faults, 200 events
                but the budget was spent before the exploration was complete
      explored  300 executions, 1,198 events, … s
                about 7 % of all executions
      resume    culprit check lock.system.ts --set checksOwner=true --executions 300
      "
    `);
  });

  test('explores every crash, and finds the bug that needs two and a restart', () => {
    const folder = folderWithGossip();
    const small = ['check', gossip, '--set', 'nodes=2', '--crashes', '1', '--restarts', '1'];
    const fixed = culprit(folder, ...small);
    expect(fixed.code).toBe(0);
    expect(timeless(fixed.out)).toMatchInlineSnapshot(`
      "check     gossip/cassandra-gossip.system.ts, by dpor
      holds     no violation within these bounds: 1 crash, 1 restart, 200 events
      explored  308 executions, 1,365 events, … s
                2 of 2 fault plans
      "
    `);
    expect(culprit(folder, ...small, '--set', 'bug=cassandra-3626').code).toBe(0);
    const { code, out } = culprit(folder, 'check', gossip, '--set', 'bug=cassandra-3626');
    expect(code).toBe(1);
    expect(out).toMatch(/^violated {2}canBeConvicted: node-\d takes node-\d for alive, which is down/m);
  });

  test('names the executions that a heuristic pruned, and is unknown then', () => {
    const heuristic = ['--crashes', '1', '--restarts', '0', '--reduce', 'lmi,crs'];
    const { code, out } = culprit(folderWithGossip(), 'check', gossip, ...heuristic);
    expect(code).toBe(3);
    expect(timeless(out)).toMatchInlineSnapshot(`
      "check     gossip/cassandra-gossip.system.ts, by dpor, reduced by lmi, crs
      unknown   no violation found; bounds: 1 crash, 200 events
                but crs pruned 645 times, heuristically
      explored  1,167 executions, 6,207 events, … s
                3 of 3 fault plans
      pruned    645 times by crs
      assumes   lmi: events that are independent in one state are independent in every relevant state
      audited   0 of 35 independence claims, 0 wrong
      "
    `);
  });

  test('estimates what policies would have pruned, and keeps no checkpoint', () => {
    const folder = folderWithGossip();
    const { code, out } = culprit(folder, 'check', gossip, '--executions', '40', '--estimate-reduction', 'lmi,crs');
    expect(code).toBe(3);
    expect(timeless(out)).toMatchInlineSnapshot(`
      "check     gossip/cassandra-gossip.system.ts, by dpor
      unknown   no violation found; bounds: 2 crashes, 1 restart, 200 events
                but the budget was spent before the exploration was complete
      explored  40 executions, 332 events, … s
                0 of 9 fault plans, about 2 % of all executions
      estimate  lmi would leave 39 of 39 executions: 1.0 times fewer
                crs would leave 30 of 39 executions: 1.3 times fewer
                lmi, crs would leave 30 of 39 executions: 1.3 times fewer
      "
    `);
    expect(existsSync(join(folder, '.culprit'))).toBe(false);
  });

  test('shows a wrong rule, with the results of both orders', () => {
    const folder = folderWith({ 'x.ts': last("() => 'discards'") });
    const { code, out } = culprit(folder, 'check', 'x.ts', '--reduce', 'lmi', '--audit');
    expect(code).toBe(3);
    expect(timeless(out)).toMatchInlineSnapshot(`
      "check     x.ts, by dpor, reduced by lmi
      refuted   the rule for lmi says that the order of these two events does not matter, but it does:
                  a: deliver "hello" from b
                  a: deliver "hello" from c
                a is {"from":"c"} after the first order, and {"from":"b"} after the second
      unknown   no violation found; bounds: no faults, 200 events
                but the rule for lmi is wrong
      explored  2 executions, 5 events, … s
      assumes   lmi: events that are independent in one state are independent in every relevant state
      audited   4 of 4 independence claims, 1 wrong
      "
    `);
  });

  test('prints one object as JSON', () => {
    const { code, out, err } = culprit(folderWith(), 'check', 'lock.system.ts', '--json', '--no-minimize');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const report = JSON.parse(out) as object;
    expect(report).toMatchObject({
      verdict: 'violated',
      within: { crashes: 0, restarts: 0, partitions: 0, events: 200 },
      findings: [
        { oracle: 'mutualExclusion', executions: 242, events: 11, path: expect.stringMatching(/\.trace$/) as unknown },
      ],
      executions: 242,
      interrupted: false,
    });
    const { out: help } = culprit(folderWith(), 'check', '--help');
    const documented = help.replaceAll(/\s+/g, ' ').split('--json has ')[1] ?? '';
    for (const field of Object.keys(report)) expect(documented).toMatch(new RegExp(`\\b${field}\\b`));
  });

  test('says after how many executions it was stopped, and saves its progress', async () => {
    const folder = folderWith({ 'x.ts': countingSystem(3_000) });
    const { code, out } = await interrupted(folder, { at: MOMENT }, 'check', 'x.ts', '--set', 'nodes=5');
    expect(code).toBe(130);
    expect(out).toMatch(
      /\nstopped {3}after [\d,]+ of at most 1,000,000 executions: no violation so far, so the verdict is unknown\n {10}bounds: no faults, 200 events\nexplored {2}[\d,]+ executions/,
    );
    expect(out).toContain('\nresume    culprit check x.ts --set nodes=5\n');
    expect(out).not.toMatch(/holds|no violation found/);
  });
});

/** A process that keeps the last message: the order of its two messages matters. */
const last = (rule: string): string => `import { behavior, defineSystem } from 'culprit';
  const a = behavior<{ from: string }, string>({ start: () => ({ from: '' }), receive(state, _, { from }) { state.from = from; } });
  const other = behavior<object, string>({ start(ctx) { ctx.send('a', 'hello'); return {}; }, receive() {} });
  export default defineSystem({ processes: { a, b: other, c: other }, reduce: { message: ${rule} } });`;

describe('culprit check, given', () => {
  test.each([
    ['an unknown search', ['lock.system.ts', '--search', 'luck'], {}, 'search is one of dpor, race-reversal,'],
    ['an unknown policy', ['lock.system.ts', '--reduce', 'lmi,luck'], {}, 'reduce[1] is one of automatic, lmi,'],
    ['a policy without a rule', ['lock.system.ts', '--reduce', 'lmi'], {}, 'the system has no rule for lmi.'],
    ['a budget below 0', ['lock.system.ts', '--crashes', '-1'], {}, "'--crashes <n>' argument '-1'"],
    ['no events', ['lock.system.ts', '--events', '0'], {}, "'--events <n>' argument '0'"],
    [
      'a rule that throws',
      ['x.ts', '--reduce', 'lmi'],
      { 'x.ts': last("() => { throw new Error('hm'); }") },
      'reduce.message, asked about a message to a, threw: Error: hm',
    ],
  ])('%s, reports it and exits with 2', (_what, args, files, problem) => {
    const { code, out, err } = culprit(folderWith(files), 'check', ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) as unknown });
    expect(out).not.toMatch(/^(holds|violated|unknown)/m);
  });
});
