import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith, started } from './culprit.ts';

const gossip = fileURLToPath(new URL('../../cases/cassandra-gossip', import.meta.url));

const fixed = ['check', 'lock.system.ts', '--set', 'checksOwner=true'];

/** The checkpoints in a folder. */
const checkpoints = (folder: string): string[] =>
  existsSync(join(folder, '.culprit'))
    ? readdirSync(join(folder, '.culprit')).filter((name) => name.endsWith('.check'))
    : [];

const explored = (out: string): string | undefined => /^explored {2}(.*), [\d.]+ s$/m.exec(out)?.[1];

describe('culprit check', () => {
  test('resumes from its checkpoint until nothing remains', () => {
    const folder = folderWith();
    const some = [...fixed, '--executions', '900'];
    const [first, second, third] = [culprit(folder, ...some), culprit(folder, ...some), culprit(folder, ...some)];
    expect([first?.code, second?.code, third?.code]).toEqual([3, 3, 0]);
    expect(first?.out).toContain('resume    culprit check lock.system.ts --set checksOwner=true --executions 900\n');
    expect(second?.out).toMatch(/^resumes {3}from \.culprit\/lock-[0-9a-f]{8}\.check$/m);
    // As many as without a pause: see `check.test.ts`.
    expect(explored(third?.out ?? '')).toBe('1,993 executions, 8,423 events');
    expect(checkpoints(folder)).toEqual([]);
  });

  test('survives kill -9', async () => {
    const folder = folderWith();
    cpSync(gossip, join(folder, 'gossip'), { recursive: true });
    const check = ['check', 'gossip/cassandra-gossip.system.ts'];
    const child = started(folder, ...check);
    while (checkpoints(folder).length === 0) await setTimeout(100);
    child.kill('SIGKILL');
    const { out } = culprit(folder, ...check, '--executions', '10', '--json');
    const [name = ''] = checkpoints(folder);
    expect(name).toMatch(/^cassandra-gossip-/);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'unknown', checkpoint: `.culprit/${name}` });
    const { executions } = JSON.parse(out) as { executions: number };
    expect(executions).toBeGreaterThan(10);
  });

  test('keeps one checkpoint for each check: for other parameters, bounds, searches and systems', () => {
    const folder = folderWith();
    cpSync(join(folder, 'lock.system.ts'), join(folder, 'other.system.ts'));
    const some = ['--executions', '10'];
    const kinds = [
      fixed,
      [...fixed, '--events', '50'],
      [...fixed, '--search', 'race-reversal'],
      ['check', 'other.system.ts', '--set', 'checksOwner=true'],
    ];
    for (const kind of kinds) expect(culprit(folder, ...kind, ...some)).toMatchObject({ code: 3, err: '' });
    expect(checkpoints(folder)).toHaveLength(kinds.length);
    const [first = [], second = []] = kinds;
    const { out } = culprit(folder, ...second, ...some);
    expect(out).toContain('resumes   from .culprit/lock-');
    expect(explored(out)).toMatch(/^20 executions/);
    // A finished check removes its checkpoint, and no other.
    expect(culprit(folder, ...first).code).toBe(0);
    expect(checkpoints(folder)).toHaveLength(kinds.length - 1);
    const listed = culprit(folder, ...fixed, '--search', 'blackbox', ...some).out;
    expect(listed.split('\n').filter((line) => line.startsWith('left '))).toHaveLength(2);
    expect(listed).toMatch(
      /^left {6}\.culprit\/lock-[0-9a-f]{8}\.check, the checkpoint of another check, with events 50$/m,
    );
  });

  test('starts over if the system has changed, and does not read a damaged checkpoint', () => {
    const folder = folderWith();
    culprit(folder, ...fixed, '--executions', '10');
    const [name = ''] = checkpoints(folder);
    const file = join(folder, '.culprit', name);
    const system = join(folder, 'lock.system.ts');
    const before = readFileSync(system, 'utf8');
    writeFileSync(system, before.replace('holders.length < 2', 'holders.length < 3'));
    const { code, out } = culprit(folder, ...fixed, '--executions', '10');
    expect(code).toBe(3);
    expect(out).toContain(`\nrestarts  .culprit/${name} is out of date: the system has changed\n`);
    expect(explored(out)).toMatch(/^10 executions/);
    const left = readFileSync(file, 'utf8');
    writeFileSync(file, left.replace(/"elapsedMs":[\d.]+/, '"elapsedMs":1'));
    const damaged = culprit(folder, ...fixed);
    expect(damaged.code).toBe(2);
    expect(damaged.err).toContain(`.culprit/${name} is damaged: its digest does not match its contents.`);
    writeFileSync(file, '{}');
    const refused = culprit(folder, ...fixed);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`.culprit/${name} is not a checkpoint of a check.`);
    expect(refused.err).toContain('--fresh');
    expect(culprit(folder, ...fixed, '--fresh').code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});
