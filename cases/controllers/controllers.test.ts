import { readFileSync } from 'node:fs';
import { minimize, recheck, search } from 'culprit';
import { controller, defineNetwork, linear, noBlackholes, noLoops } from 'culprit/networks';
import { storyLines } from 'culprit/report';
import { readTrace, type Trace } from 'culprit/trace';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import osKenMigration from './os-ken-migration.system.ts';
import { testcontroller } from './testcontroller.ts';
import testcontrollerMigration from './testcontroller-migration.system.ts';
import testcontrollerStorm from './testcontroller-storm.system.ts';

function best(name: string): Trace {
  const url = new URL(`best/${name}.trace`, import.meta.url);
  return readTrace(readFileSync(url, 'utf8'), url.pathname);
}

/** The inputs of the environment, by name. */
const inputsOf = ({ events }: Trace): string[] =>
  events.flatMap((event) => (event.kind === 'act' ? [event.action] : []));

beforeAll(() => {
  for (const found of [inject('programs').testcontroller, inject('programs').osKen])
    if ('problem' in found) throw new Error(found.problem);
});

describe("Open vSwitch's controller", () => {
  test('loses packets for a station that has moved: a hunt finds it', async () => {
    const { findings } = await search(testcontrollerMigration, { executions: 5, control: false });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'blackholes' });
  });

  test('does so in every replay of three inputs, and not without them', async () => {
    const stored = best('testcontroller-migration');
    expect(inputsOf(stored)).toEqual(['ping', 'migrate', 'ping']);
    const answer = await recheck(testcontrollerMigration, stored, { replays: 4, jobs: 2 });
    expect(answer).toMatchObject({ answer: 'sampled', replays: 4, reproduced: 4 });
  });

  test('does so without inputs that do not matter', async () => {
    // The first datagram teaches the controller nothing that matters.
    const system = defineNetwork({
      controllers: { c1: controller(testcontroller) },
      topology: linear(2),
      migrations: true,
      pace: { roundMs: 50, quietMs: 350 },
      traffic: (net) => [
        net.udp('h2', 'h2', { flow: 1 }),
        net.ping('h1', 'h2'),
        net.migrate('h1', 's2'),
        net.ping('h2', 'h1'),
      ],
      invariants: { blackholes: noBlackholes({ persist: 3 }) },
    });
    const { findings } = await search(system, { executions: 1, control: false });
    const { trace, certificate } = await minimize(system, findings[0]?.trace as Trace, { seconds: 600, error: 0.2 });
    expect(inputsOf(trace)).toEqual(['ping', 'migrate', 'ping']);
    expect(certificate).toBe('1-minimal up to the stated error');
  });

  test('floods a packet around a circle of switches, for ever', async () => {
    const answer = await recheck(testcontrollerStorm, best('testcontroller-storm'), { replays: 2 });
    expect(answer).toMatchObject({ answer: 'sampled', replays: 2, reproduced: 2 });
  });

  test('is right about stations that stay, in a row of switches', async () => {
    const system = defineNetwork({
      controllers: { c1: controller(testcontroller) },
      topology: linear(3),
      rounds: 10,
      traffic: { pings: 0.2 },
      invariants: { blackholes: noBlackholes({ persist: 3 }), loops: noLoops({ persist: 3 }) },
    });
    const { findings, unknown } = await search(system, { executions: 2 });
    expect([findings, unknown]).toEqual([[], 0]);
  });
});

describe('os-ken with a learning switch', () => {
  test('loses packets for a station that has moved', async () => {
    const answer = await recheck(osKenMigration, best('os-ken-migration'), { replays: 2, jobs: 2 });
    expect(answer).toMatchObject({ answer: 'sampled', replays: 2 });
    expect('reproduced' in answer && answer.reproduced).toBeGreaterThan(0);
  });

  test('does not if it forgets what is behind a port that goes down', async () => {
    const { findings, unknown } = await search(osKenMigration, {
      executions: 1,
      set: { forgets: true },
      control: false,
    });
    expect([findings, unknown]).toEqual([[], 0]);
  });
});

test.each(['testcontroller-migration', 'testcontroller-storm', 'os-ken-migration'])(
  'the page shows the stored execution of %s',
  (name) => {
    const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const line of storyLines(best(name).events).slice(-10)) expect(page).toContain(line);
  },
);
