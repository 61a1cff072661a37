import { minimize, recheck, search, untilQuiet, type System } from 'culprit';
import { defineNetwork, linear, network, noBlackholes, type NetworkDefinition } from 'culprit/networks';
import { ENVIRONMENT, hex, type Event, type External, type Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { executedInTime } from '../twins/random-ticking.ts';
import { blackBoxController, type BlackBoxOptions } from '../twins/networks/black-box-controller.ts';

/** Replays of networks whose controller acts by itself, on a fake clock. */

const networkOf = (controller: BlackBoxOptions, more: Partial<NetworkDefinition> = {}): System =>
  defineNetwork({
    topology: linear(2),
    controllers: { c1: blackBoxController(controller) },
    migrations: true,
    pace: { roundMs: 20, quietMs: 100, executionMs: 5_000 },
    traffic: (net) => [
      net.ping('h1', 'h2'),
      untilQuiet(),
      net.ping('h2', 'h1'),
      untilQuiet(),
      net.ping('h1', 'h1'),
      net.migrate('h1', 's2'),
    ],
    invariants: { noBlackholes: noBlackholes({ persist: { ms: 60 } }) },
    ...more,
  });

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 3, control: false });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

const inputsIn = ({ events }: Trace): string[] =>
  events.flatMap((line) => (line.kind === 'act' ? [`${line.action} ${JSON.stringify(line.payload)}`] : []));

describe('a station that moves behind a controller that sends keepalives', () => {
  const system = networkOf({ keepaliveMs: 60 });

  test('is lost in every replay, and three inputs are left', async () => {
    const trace = await found(system);
    const sampled = await recheck(system, trace, { replays: 3 });
    expect(sampled).toMatchObject({ reproduced: 3, passing: [{ rule: 'keepalives', passes: true }] });
    if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
    for (const { absent, unexpected, passed } of sampled.byReplay) {
      expect({ absent, unexpected }).toEqual({ absent: 0, unexpected: 0 });
      expect(passed).toBeGreaterThan(10);
    }
    const { trace: smallest, certificate, inputs } = await minimize(system, trace, { error: 0.1 });
    expect(inputsIn(smallest)).toEqual([
      'ping {"from":"h1","to":"h2"}',
      'ping {"from":"h2","to":"h1"}',
      'migrate {"station":"h1","to":"s2"}',
    ]);
    expect(certificate).toBe('1-minimal up to the stated error');
    expect(inputs).toEqual({ recorded: { inputs: 4, atoms: 4 }, left: { inputs: 3, atoms: 3 } });
    // Switches connect in any case.
    expect(smallest.events.filter(({ kind }) => kind === 'start')).toHaveLength(3);
  });

  test('is matched by masks: with every field, the answers of the controller are others', async () => {
    const whole = networkOf({ keepaliveMs: 60 }, { minimize: { fingerprint: (message) => message } });
    const sampled = await recheck(whole, await found(whole), { replays: 2 });
    if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
    for (const { absent, unexpected } of sampled.byReplay) expect(Math.min(absent, unexpected)).toBeGreaterThan(0);
  });
});

describe('a problem that has to last', () => {
  test.each([[{ ms: 400 }], [20]])('longer than the network is quiet is waited for (%j)', async (persist) => {
    const system = networkOf({}, { invariants: { noBlackholes: noBlackholes({ persist }) } });
    const trace = await found(system);
    const sampled = await recheck(system, trace, { replays: 2 });
    expect(sampled).toMatchObject({ reproduced: 2, unknown: 0 });
  });
});

describe('the identity of an event', () => {
  const { stations } = linear(3);
  const silent = stations[2] as (typeof stations)[number];
  const controllers = { c1: blackBoxController({ drops: [silent.mac] }) };
  const system = defineNetwork({ topology: linear(3), controllers, pace: { roundMs: 20, quietMs: 100 } });
  const net = network(linear(3), { controllers: ['c1'] });
  const workload = [
    net.ping('h1', 'h2'),
    net.ping('h3', 'h1'),
    net.ping('h2', 'h1'),
    net.cutLink('s2', 's3'),
    net.ping('h3', 'h2'),
    net.ping('h1', 'h3'),
  ] as readonly External[];
  const identities = (events: readonly Event[]): string[] =>
    events.map((event) => `${event.kind} ${event.process} ${hex(event)}`).sort();

  test('is as it was without an input that causes no message', async () => {
    const { events } = await executedInTime(system, workload);
    const sends = events.flatMap((event, at) => (event.kind === 'send' ? [at] : []));
    for (const nth of [1, 4]) {
      // Its packets are dropped: it causes nothing.
      const sent = sends[workload.slice(0, nth).filter(({ kind }) => kind === 'send').length] as number;
      const rest = events.filter(
        (event, at) => at !== sent && !(event.cause === sent && 'from' in event && event.from === ENVIRONMENT),
      );
      const without = await executedInTime(system, workload, [nth]);
      expect(rest).toHaveLength(events.length - 2);
      expect(identities(without.events)).toEqual(identities(rest));
    }
  });
});
