import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith, started } from './culprit.ts';

const gossip = fileURLToPath(new URL('../../cases/cassandra-gossip', import.meta.url));

const fixed = ['check', 'lock.system.ts', '--set', 'checksOwner=true'];

const explored = (out: string): string | undefined => /^explored {2}(.*), [\d.]+ s$/m.exec(out)?.[1];

describe('culprit check', { timeout: 60_000 }, () => {
  test('goes on with what it left when its budget was spent, until nothing is left', () => {
    const folder = folderWith();
    const whole = culprit(folder, ...fixed);
    const some = [...fixed, '--executions', '900'];
    const [first, second, third] = [culprit(folder, ...some), culprit(folder, ...some), culprit(folder, ...some)];
    expect([first?.code, second?.code, third?.code]).toEqual([3, 3, 0]);
    expect(first?.out).toContain('go on     culprit check lock.system.ts --set checksOwner=true --executions 900\n');
    expect(second?.out).toContain('goes on   from .culprit/lock.check\n');
    expect(explored(third?.out ?? '')).toBe(explored(whole.out));
    expect(existsSync(join(folder, '.culprit', 'lock.check'))).toBe(false);
  });

  test('is not stopped for good by kill -9', async () => {
    const folder = folderWith();
    cpSync(gossip, join(folder, 'gossip'), { recursive: true });
    const check = ['check', 'gossip/cassandra-gossip.system.ts'];
    const child = started(folder, ...check);
    const file = join(folder, '.culprit', 'cassandra-gossip.check');
    while (!existsSync(file)) await setTimeout(100);
    child.kill('SIGKILL');
    const { out } = culprit(folder, ...check, '--executions', '10', '--json');
    expect(JSON.parse(out)).toMatchObject({ verdict: 'unknown', checkpoint: '.culprit/cassandra-gossip.check' });
    const { executions } = JSON.parse(out) as { executions: number };
    expect(executions).toBeGreaterThan(10);
  });

  test('refuses to go on with what is another check, unless it is to begin anew', () => {
    const folder = folderWith();
    const file = join(folder, '.culprit', 'lock.check');
    culprit(folder, ...fixed, '--executions', '10');
    const refused = (message: string, ...args: string[]): void => {
      const { code, err } = culprit(folder, ...fixed, ...args);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) as unknown });
      expect(err).toContain('--anew');
    };
    refused('the check that was left had events 200, and this one has 50.', '--events', '50');
    const system = join(folder, 'lock.system.ts');
    const before = readFileSync(system, 'utf8');
    writeFileSync(system, before.replace('holders.length < 2', 'holders.length < 3'));
    refused('the system has changed since the check that was left in .culprit/lock.check.');
    writeFileSync(system, before);
    const left = readFileSync(file, 'utf8');
    writeFileSync(file, left.replace(/"elapsedMs":[\d.]+/, '"elapsedMs":1'));
    refused('.culprit/lock.check is damaged: it is not as a check left it.');
    writeFileSync(file, left.slice(0, -100));
    refused('.culprit/lock.check is not what a check leaves.');
    writeFileSync(file, '{}');
    refused('.culprit/lock.check is not what a check leaves.');
    expect(culprit(folder, ...fixed, '--anew').code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});
