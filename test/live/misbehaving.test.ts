import { behavior, defineSystem, search, send, stop, type System } from 'culprit';
import { command, stdio } from 'culprit/live';
import type { AnyBehavior } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith } from '../cli/culprit.ts';
import { processesWith } from './processes.ts';

const program = `${import.meta.dirname}/programs/misbehaving.mjs`;
const misbehaving = (name: string, ...args: readonly string[]): string[] => [process.execPath, program, name, ...args];

type Given = Parameters<typeof command>[1];

const peer = behavior<{ got: unknown[] }, unknown>({
  start: () => ({ got: [] }),
  receive: (state, message) => void state.got.push(message),
});

const systemOf = (node: AnyBehavior, workload: readonly External[] = []): System =>
  defineSystem({ processes: { node, peer }, pace: { roundMs: 20, quietMs: 100 }, workload });

const live = (words: readonly string[], options: Given = {}): AnyBehavior =>
  command(words, { connect: stdio(), ...options });

const huntedOnce = (system: System): ReturnType<typeof search> => search(system, { executions: 1 });

describe('a program that', () => {
  test('is never ready makes the execution unknown, with what it printed', async () => {
    const node = live(misbehaving('is never ready'), { ready: { log: /listening/ }, readyMs: 2_000 });
    const { unknown, whyUnknown, findings } = await huntedOnce(systemOf(node));
    expect(findings).toEqual([]);
    expect(unknown).toBe(1);
    expect(whyUnknown).toMatch(
      /^node did not get ready: it printed no line that matches \/listening\/ within 2 s\. Its last lines:\npid \d+$/,
    );
  });

  test.each([undefined, { log: /listening/ }] as const)(
    'exits at once violates, with its status: %j',
    async (ready) => {
      const node = live(misbehaving('exits at once'), ready === undefined ? {} : { ready, readyMs: 60_000 });
      const { findings } = await huntedOnce(systemOf(node));
      const { verdict } = findings[0]?.trace ?? {};
      expect(verdict).toMatchObject({ verdict: 'violated', oracle: 'noUncaughtException', processes: ['node'] });
      expect((verdict as { message: string }).message).toMatch(/^node exited with code 7/);
      expect(verdict).toMatchObject({ values: { 'last line': 'no license found' } });
      expect(verdict).toMatchObject({
        fingerprint: expect.stringMatching(/^noUncaughtException node exited with code 7/) as string,
      });
    },
  );

  test('exits by itself, though it may, violates nothing', async () => {
    const { findings, unknown } = await huntedOnce(systemOf(live(misbehaving('exits at once'), { mayExit: true })));
    expect([findings, unknown]).toEqual([[], 0]);
  });

  test('ignores SIGTERM is killed when its time is over', async () => {
    const mark = `ignores-${process.pid}`;
    const node = live(misbehaving('ignores SIGTERM', mark), { stopMs: 200 });
    const { findings, unknown } = await huntedOnce(systemOf(node, [stop('node')]));
    expect([findings, unknown]).toEqual([[], 0]);
    expect(processesWith(mark)).toEqual([]);
  });

  test('floods its output keeps the trace small', async () => {
    const node = live(misbehaving('floods its output'));
    const system = defineSystem({ ...systemOf(node).define({}), invariants: { never: () => false } });
    const { findings } = await huntedOnce(system);
    const notes = findings[0]?.trace.events.flatMap(({ observed = [] }) => observed) ?? [];
    expect(notes.length).toBeLessThanOrEqual(10_000);
  });

  test('prints five megabytes without ending a line is read', async () => {
    const { findings, unknown } = await huntedOnce(systemOf(live(misbehaving('prints without end'))));
    expect([findings, unknown]).toEqual([[], 0]);
  });

  test('prints a line that is no JSON violates, and the line is named', async () => {
    const { findings } = await huntedOnce(systemOf(live(misbehaving('prints no JSON'))));
    expect(findings[0]?.trace.verdict).toMatchObject({
      message:
        'node threw NoMessage: node printed a line that is no message: it is not JSON: "{\\"to\\": \\"peer\\", \\"mess"',
    });
  });

  test('writes to a process that is not there violates, and the name is shown', async () => {
    const { findings } = await huntedOnce(systemOf(live(misbehaving('writes to nobody'))));
    expect(findings[0]?.trace.verdict).toMatchObject({
      message: expect.stringContaining('no process is called "nobody"') as string,
    });
  });

  test('answers late is waited for', async () => {
    const node = live(misbehaving('answers late'));
    const system = defineSystem({
      ...systemOf(node, [send('node', 'ping')]).define({}),
      pace: { roundMs: 20, quietMs: 20_000, executionMs: 30_000 },
      invariants: {
        silent: (world) => (world.process('peer').state as { got: unknown[] } | undefined)?.got.length !== 1,
      },
    });
    const { findings } = await huntedOnce(system);
    expect(findings[0]?.trace.events.at(-1)).toMatchObject({ kind: 'deliver', process: 'peer', message: 'ping' });
  });

  test.each(['does not read', 'ends its input'])('%s takes messages without harm', async (name) => {
    const messages = Array.from({ length: 5 }, () => send('node', 'x'.repeat(100_000)));
    const { findings, unknown } = await huntedOnce(systemOf(live(misbehaving(name)), messages));
    expect([findings, unknown]).toEqual([[], 0]);
  });
});

test.each(['has a grandchild', 'hides a grandchild'])('nothing is left of a program that %s', async (name) => {
  const mark = `${name.replaceAll(' ', '-')}-${process.pid}`;
  await huntedOnce(systemOf(live(misbehaving(name, mark))));
  expect(processesWith(mark)).toEqual([]);
});

test('nothing is left of a program that hides more and more grandchildren', async () => {
  // They sleep for so many seconds.
  const mark = `1000.${process.pid}`;
  // Only observed: culprit would wait until it has finished its reactions.
  await huntedOnce(systemOf(command(misbehaving('hides more and more grandchildren', mark))));
  expect(processesWith(mark)).toEqual([]);
});

const systemFile = (line: string, more = ''): string => `import { defineSystem } from 'culprit';
import { command, stdio } from 'culprit/live';
export default defineSystem({ processes: { node: command(${JSON.stringify(line)}, { connect: stdio()${more} }) } });
`;

describe('one sentence and exit code 2 for', () => {
  test('a program that is not there', () => {
    const folder = folderWith({ 'a.system.ts': systemFile('no-such-program --port 1') });
    const { code, err } = culprit(folder, 'hunt', 'a.system.ts', '--executions', '1');
    expect(code).toBe(2);
    expect(err).toContain('node cannot be started: there is no program no-such-program');
  });

  test('a check of a live process', () => {
    const folder = folderWith({ 'a.system.ts': systemFile('cat') });
    const { code, err } = culprit(folder, 'check', 'a.system.ts');
    expect(code).toBe(2);
    expect(err).toContain('check needs a repeatable system; node is live.');
  });

  test('an option that is unknown', () => {
    const folder = folderWith({ 'a.system.ts': systemFile('cat', ', redy: true') });
    const { code, err } = culprit(folder, 'hunt', 'a.system.ts');
    expect(code).toBe(2);
    expect(err).toContain('redy');
  });
});
