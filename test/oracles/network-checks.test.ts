import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { behavior, check, minimize, search, untilQuiet, type Oracle } from 'culprit';
import {
  controllerBehavior,
  defineNetwork,
  flowMod,
  linear,
  mesh,
  noBlackholes,
  noInvalidPorts,
  noLoops,
  output,
  type NetworkDefinition,
  type NetworkMessage,
} from 'culprit/networks';
import type { Trace } from 'culprit/trace';
import { to, type Installed } from '../twins/networks/installing.ts';

/**
 * A controller that sends all its flow_mods at one moment, once so many switches are there. `repairs`: whether it deletes entries that lead to
 * a port that went down.
 */
const atOneMoment = (flows: readonly Installed[], switches: number, repairs: boolean) =>
  behavior<{ hellos: string[] }, NetworkMessage>({
    start: () => ({ hellos: [] }),
    receive(state, message, ctx) {
      if (message.type === 'port_status' && repairs) {
        const outPort = message.desc.portNo;
        ctx.send(ctx.from, flowMod({ command: 'delete', outPort }));
      }
      if (message.type !== 'hello' || state.hellos.push(ctx.from) < switches) return;
      for (const name of state.hellos) ctx.send(name, message);
      for (const { at, ...flow } of flows) ctx.send(at, flowMod({ priority: 100, ...flow }));
    },
  });

const X = '00:00:5e:00:53:01';
const add = (at: string, port: number): Installed => ({ at, match: { dlDst: X }, actions: [to(port)] });
const remove = (at: string): Installed => ({ ...add(at, 1), command: 'delete', actions: [] });

const networkOf = (
  it: Oracle,
  flows: readonly Installed[],
  definition: Partial<NetworkDefinition> = {},
  repairs = false,
) => {
  const { topology = mesh(3) } = definition;
  const controllers = { c1: atOneMoment(flows, topology.switches.length, repairs) };
  return defineNetwork({ ...definition, topology, controllers, invariants: { it } });
};

const answers = async (...of: Parameters<typeof networkOf>): Promise<string[]> => {
  const found: string[] = [];
  for (const by of ['dpor', 'depth', 'worlds'] as const)
    found.push((await check(networkOf(...of), { search: by, executions: 10_000 })).verdict);
  return found;
};

describe('a loop that exists only between two events at different switches', () => {
  const around = [add('s1', 2), add('s2', 1), add('s3', 2)];
  test.each(['s1', 's2', 's3'])('%s deletes its entry', async (name) => {
    expect(await answers(noLoops(), [...around, remove(name)])).toEqual(['violated', 'violated', 'violated']);
  });

  test('is no loop once controllers are idle', async () => {
    const untilIdle = noLoops({ persist: 'untilIdle' });
    expect((await check(networkOf(untilIdle, [...around, remove('s3')]), { search: 'worlds' })).verdict).toBe('holds');
    expect(await answers(untilIdle, around)).toEqual(['violated', 'violated', 'violated']);
  });

  test('is minimized with a certificate, though shorter executions end while a controller is busy', async () => {
    const another: Installed = { ...add('s1', 2), match: { dlDst: '00:00:5e:00:53:02' } };
    const system = networkOf(noLoops({ persist: 'untilIdle' }), [...around, another]);
    const { findings } = await search(system, { executions: 20 });
    const { certificate } = await minimize(system, findings[0]?.trace as Trace, { proofStates: 0 });
    expect(certificate).toBe('1-minimal');
  });
});

describe('a link that is cut while an entry leads to it', () => {
  const definition: Partial<NetworkDefinition> = {
    topology: linear(2),
    traffic: (net) => [untilQuiet(), net.cutLink('s1', 's2')],
  };
  test('is a blackhole at once', async () => {
    expect(await answers(noBlackholes(), [add('s1', 1)], definition, true)).toEqual([
      'violated',
      'violated',
      'violated',
    ]);
    const meanwhile: Partial<NetworkDefinition> = { ...definition, traffic: (net) => [net.cutLink('s1', 's2')] };
    expect(await answers(noBlackholes(), [add('s1', 1), remove('s1')], meanwhile)).toEqual([
      'violated',
      'violated',
      'violated',
    ]);
  });

  test('is none once its controller has repaired it', async () => {
    const persist = 'untilIdle';
    expect(await answers(noBlackholes({ persist }), [add('s1', 1)], definition, true)).toEqual([
      'holds',
      'holds',
      'holds',
    ]);
    expect(await answers(noBlackholes({ persist }), [add('s1', 1)], definition)).toEqual([
      'violated',
      'violated',
      'violated',
    ]);
  });
});

test('the order of messages that an oracle waits for makes no difference to it', async () => {
  const persist = 'untilIdle';
  const flows = [add('s1', 1), add('s1', 9), add('s2', 1), add('s2', 9), remove('s1'), remove('s2')];
  const all = { search: 'dpor', executions: 10_000 } as const;
  const waiting = await check(networkOf(noBlackholes({ persist }), flows, { topology: linear(2) }), all);
  // Any other invariant may be interested in each world.
  const curious = networkOf(noBlackholes({ persist }), flows, {
    topology: linear(2),
    oracles: { entries: noInvalidPorts({ persist: 0 }) },
  });
  expect([waiting.verdict, waiting.executions]).toEqual(['holds', 3]);
  expect((await check(curious, all)).verdict).toBe('violated');
});

test('a world is judged that is idle only if an answer arrives before an entry expires', async () => {
  const asks = controllerBehavior({
    start: () => ({}),
    connected(_state, at) {
      at.addFlow({ match: { dlDst: X }, actions: [output(9)], hardTimeout: 1 });
      at.send({ type: 'barrier_request', xid: 1 });
    },
  });
  for (const by of ['dpor', 'depth', 'worlds'] as const) {
    const system = defineNetwork({
      topology: linear(1),
      controllers: { c1: asks },
      timers: 'any',
      invariants: { it: noBlackholes({ persist: 'untilIdle' }) },
    });
    expect((await check(system, { search: by, violations: 1 })).verdict).toBe('violated');
  }
});

test('rounds depend on the order, so a check does not know', async () => {
  const checked = await check(networkOf(noLoops({ persist: 3 }), [add('s1', 2)]));
  expect([checked.verdict, checked.whyUnknown.join()]).toEqual([
    'unknown',
    expect.stringContaining('an oracle depends on the history') as string,
  ]);
});

const flows = fc.array(
  fc.record({ at: fc.constantFrom('s1', 's2'), port: fc.constantFrom(1, 2, 9), isRemoved: fc.boolean() }),
  { maxLength: 4 },
);

test('a reduced check says of random tables what one of all orders says', async () => {
  const oracles = { noLoops, noBlackholes, noInvalidPorts };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      flows,
      fc.constantFrom(...(Object.keys(oracles) as (keyof typeof oracles)[])),
      fc.constantFrom(0, 'untilIdle' as const),
      fc.boolean(),
      async (given, kind, persist, isBusy) => {
        const list = given.map(({ at, port, isRemoved }) => (isRemoved ? remove(at) : add(at, port)));
        const [one, ...others] = await answers(oracles[kind]({ persist }), list, {
          topology: linear(2),
          ...(isBusy ? { traffic: (net) => [net.inject('h1', `${X.replaceAll(':', '')}00005e00530988b5`)] } : {}),
        });
        seen.add(`${one} ${persist}`);
        expect(others).toEqual([one, one]);
      },
    ),
    { numRuns: 30, seed: 7 },
  );
  expect([...seen].toSorted()).toEqual(['holds 0', 'holds untilIdle', 'violated 0', 'violated untilIdle']);
});
