import { readFileSync } from 'node:fs';
import { defineSystem, search } from 'culprit';
import { controllerBehavior, defineNetwork, linear, output } from 'culprit/networks';
import { readTrace, type Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import learningSwitch from '../../cases/learning-switch/learning-switch.system.ts';
import { mockNetwork, type MockOptions } from '../networks/mock/mock-network.ts';
import { followed, type Followed } from '../replay/followed.ts';
import { originOf } from '../replay/replay.ts';
import type { System } from '../system/definition.ts';

const learner = controllerBehavior<{ ports: Record<string, number> }>({
  start: () => ({ ports: {} }),
  packetIn({ ports }, packet, from) {
    const { inPort, frame } = packet;
    ports[`${from.name} ${frame.dlSrc}`] = inPort;
    const port = ports[`${from.name} ${frame.dlDst}`];
    if (port === undefined || port === inPort) from.sendPacket(packet, [output('flood')]);
    else from.addFlow({ match: { dlSrc: frame.dlSrc, dlDst: frame.dlDst }, actions: [output(port)], packet });
  },
});

/** Everything that ends a connection happens, and stations move. */
const failing = defineNetwork({
  topology: linear(3),
  controllers: { c1: learner, c2: learner },
  migrations: true,
  timers: { skewMs: 0 },
  rounds: 60,
  traffic: { pings: 0.2, migrations: 0.03 },
  faults: {
    controllerFailure: 0.1,
    controllerRecovery: 0.4,
    powerFailure: 0.03,
    powerRecovery: 0.4,
    channelReset: 0.05,
    controlFailure: 0.03,
    controlRecovery: 0.4,
    linkFailure: 0.03,
    linkRecovery: 0.3,
  },
  invariants: { short: (world) => world.length < 160 || 'it is long' },
});

async function mocked(system: System, trace: Trace, options: MockOptions = {}): Promise<Followed> {
  const { system: mocks, schedule } = mockNetwork(system, trace, options);
  return await followed(originOf(mocks, trace), schedule);
}

/** What each switch was after each of its events. */
const switchStates = ({ events, header }: Trace): string[] =>
  events.flatMap(({ process, state }) =>
    header.topology?.nodes.includes(process) === true ? [`${process} ${state}`] : [],
  );

test.each([1, 4])('switches do with mock controllers what they did, event by event (seed %i)', async (seed) => {
  const { findings } = await search(failing, { seed, executions: 1, eventsMax: 200 });
  const trace = findings[0]?.trace as Trace;
  expect(trace.events.some(({ kind, process }) => kind === 'restart' && process.startsWith('c'))).toBe(true);
  const { trace: again, missed } = await mocked(failing, trace);
  const states = switchStates(trace);
  expect(switchStates(again).slice(0, states.length)).toEqual(states);
  // The violation comes before the clock starts.
  expect(missed).toEqual([trace.events.length]);
});

const url = new URL('../../cases/learning-switch/best/keeps.trace', import.meta.url);
const keeps = readTrace(readFileSync(url, 'utf8'), url.pathname);

test('the violation is there without the controller, and not without the message that makes it', async () => {
  const { trace } = await mocked(learningSwitch, keeps);
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'noBlackholes' });
  const without = await mocked(learningSwitch, keeps, { without: ['flow_mod'] });
  expect(without.trace.verdict.verdict).toBe('holds');
  const still = await mocked(learningSwitch, keeps, { without: ['migrate'] });
  expect(still.trace.verdict.verdict).toBe('holds');
});

test('an invariant that the recording did not have is judged, too', async () => {
  const system: System = learningSwitch;
  const further = defineSystem(system.parameters, (values) => {
    const definition = system.define(values);
    const none = (world: { up(): readonly { state: unknown }[] }): true | string =>
      world
        .up()
        .every(({ state }) => ((state as { table?: { entries: unknown[] } }).table?.entries.length ?? 0) === 0) ||
      'there is a flow entry';
    return defineSystem({ ...definition, invariants: { ...definition.invariants, noEntries: none } });
  });
  const { trace } = await mocked(further, keeps);
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'noEntries' });
});

test.each([
  ['nothing', 'no input and no message of a controller fits "nothing".'],
  ['99', 'no input and no message of a controller fits "99".'],
])('--without %s is refused, since it leaves out nothing', async (word, message) => {
  const system: System = learningSwitch;
  expect(() => mockNetwork(system, keeps, { without: [word] })).toThrow(message);
});

test('a trace without controllers has nothing to mock', async () => {
  const system: System = learningSwitch;
  const { topology: _topology, ...header } = keeps.header;
  expect(() => mockNetwork(system, { ...keeps, header })).toThrow('no controller sends a message to a switch');
});
