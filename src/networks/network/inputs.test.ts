import { minimize, search, type System } from 'culprit';
import type { AnyBehavior, World } from 'culprit/kernel';
import { eventOf, hex, type Event, type Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../../test/twins/one-execution.ts';
import { ticking } from '../../../test/twins/ticking.ts';
import { controllerBehavior } from '../controller/controller-behavior.ts';
import { output, packetOut } from '../controller/packet-outs.ts';
import { buildFrame, parseFrame } from '../frames/ethernet.ts';
import { flowMod } from '../openflow/flow-mod-message.ts';
import type { Message, PacketIn } from '../openflow/messages.ts';
import { linear } from '../topology/line.ts';
import { defineNetwork, type NetworkDefinition } from './define-network.ts';
import { receivedBy } from './world-of-stations.ts';
import type { Network } from './network.ts';
import type { NetworkFaults } from './network-faults.ts';

/** Floods every packet, as an actor. */
const hub = controllerBehavior({
  start: () => ({ packets: 0 }),
  packetIn(state, packet, from) {
    state.packets += 1;
    from.sendPacket(packet, [output('flood')]);
  },
});

/** Floods every packet, as a process that acts by itself: it takes its time. */
const slowHub = ticking({
  receive(box, message, from) {
    const { type } = message as Message;
    if (type === 'hello') box.send(from, message);
    if (type === 'packet_in') box.after(5, () => box.send(from, packetOut(message as PacketIn, [output('flood')])));
  },
  view: () => ({}),
});

const both = [
  ['are actors', hub],
  ['act by themselves', slowHub],
] as const;

/** A frame with which controllers discover links. */
const lldp = buildFrame({
  dlDst: '01:80:c2:00:00:0e',
  dlSrc: '00:00:5e:00:53:01',
  dlType: 0x88cc,
  payload: { kind: 'lldp', chassisId: { subtype: 7, id: '01' }, portId: { subtype: 7, id: '01' }, ttl: 120, tlvs: [] },
});

type Part = Partial<NetworkDefinition>;

const networkOf = (controller: AnyBehavior, definition: Part): System =>
  defineNetwork({ topology: linear(2), rounds: 8, controllers: { c1: controller, c2: controller }, ...definition });

const messageIn = (event: Event | undefined): { readonly type?: unknown; readonly packet?: string } =>
  event !== undefined && 'message' in event ? (event.message as object) : {};

/** Of whom a message or link is: `switch-controller` for one to a controller. */
const ends = (from: string, to: string): string =>
  [from, to].map((name) => ({ c: 'controller', s: 'switch' })[name.charAt(0)] ?? name).join('-');

/** The name of what the environment did; undefined for other events. */
function inputName(event: Event, about: ReadonlyMap<string, Event>): string | undefined {
  switch (event.kind) {
    case 'crash':
    case 'restart':
    case 'pause':
    case 'resume':
      return `${event.kind} ${event.process.replace(/\d+$/, '')}`;
    case 'cut':
    case 'heal':
      return `${event.kind} ${ends(...(event.links[0]?.slice(0, 2) as [string, string]))}`;
    case 'send':
      return String(messageIn(event).type);
    case 'act':
      return event.action;
    case 'lose':
    case 'hold':
      return `${event.kind} ${messageName(about.get(event.target))}`;
    // Beside a controller that acts by itself, a message is held back for a time.
    case 'delay':
      return `hold ${messageName(about.get(event.target))}`;
    default:
      return undefined;
  }
}

function messageName(message: Event | undefined): string {
  if (message?.kind !== 'deliver') return 'message';
  const { packet } = messageIn(message);
  if (messageIn(message).type !== 'frame') return ends(message.from, message.process);
  return parseFrame(packet ?? '')?.dlType === 0x88cc ? 'discovery' : 'frame';
}

const inputsOf = (events: readonly Event[]): string[] => {
  const about = new Map(events.map((event) => [hex(event), event]));
  return events.flatMap((event) => {
    const isCaused = events[event.cause]?.kind === 'act';
    return isCaused ? [] : (inputName(event, about) ?? []);
  });
};

/** Everything, often. */
const everything: Part = {
  migrations: true,
  traffic: { pings: 0.2, arps: 0.1, tcp: 0.1, udp: 0.1, migrations: 0.1 },
  faults: {
    frameDelay: 0.1,
    receiptDelay: 0.1,
    sendDelay: 0.1,
    channelBlock: 0.1,
    channelUnblock: 0.5,
    channelReset: 0.1,
    controlFailure: 0.1,
    controlRecovery: 0.5,
    powerFailure: 0.1,
    powerRecovery: 0.5,
    linkFailure: 0.1,
    linkRecovery: 0.5,
    controllerFailure: 0.1,
    controllerRecovery: 0.5,
    controllerPause: 0.1,
    controllerResume: 0.5,
    controllerPartition: 0.2,
    controllerHeal: 0.5,
  },
  rounds: 40,
};

const everyInput = `
ping, arp, tcp, udp, migrate, hold frame, hold controller-switch, hold switch-controller, channel_reset,
cut controller-switch, heal controller-switch, cut switch-switch, heal switch-switch, control_failure, control_recovery,
crash s, restart s, crash c, restart c, pause c, resume c, cut controller-controller, heal controller-controller`
  .trim()
  .split(/,\s/)
  .toSorted();

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { control: false });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

describe.each(both)('with controllers that %s', (_kind, controller) => {
  test('every input happens', async () => {
    const system = networkOf(controller, everything);
    const names = new Set<string>();
    for (let seed = 1; seed <= 4; seed++) for (const name of inputsOf(await eventsOf(system, seed))) names.add(name);
    // Held back, and then lost with its link or receiver.
    names.delete('hold message');
    expect([...names].toSorted()).toEqual(everyInput);
  });

  test.each<['data' | 'discovery', NetworkFaults]>([
    ['data', { frameLoss: 0.5 }],
    ['discovery', { discoveryLoss: 0.5 }],
  ])('frames of %s are lost at a rate of their own', async (kind, faults) => {
    const losses = async (sent: typeof kind) => {
      const traffic = (net: Network) =>
        Array.from({ length: 8 }, () => (sent === 'data' ? net.ping('h1', 'h2') : net.inject('h1', lldp)));
      const inputs = inputsOf(await eventsOf(networkOf(controller, { traffic, faults }), 1));
      return inputs.filter((input) => input.startsWith('lose')).length;
    };
    expect(await losses(kind)).toBeGreaterThan(0);
    expect(await losses(kind === 'data' ? 'discovery' : 'data')).toBe(0);
  });

  test.each<[string, NetworkFaults, string]>([
    ['a frame that is lost', { frameLoss: 0.3 }, 'frame, lose message'],
    ['a channel that is blocked', { channelBlock: 0.2 }, 'cut controller-switch'],
    [
      'a channel that is unblocked',
      { channelBlock: 0.2, channelUnblock: 0.5 },
      'cut controller-switch, heal controller-switch',
    ],
    ['a channel that is reset', { channelReset: 0.2 }, 'channel_reset'],
    ['control that recovers', { controlFailure: 0.2, controlRecovery: 0.5 }, 'control_failure, control_recovery'],
    ['a switch that restarts', { powerFailure: 0.2, powerRecovery: 0.5 }, 'crash s, restart s'],
    ['a link that recovers', { linkFailure: 0.3, linkRecovery: 0.5 }, 'cut switch-switch, heal switch-switch'],
    ['a controller that restarts', { controllerFailure: 0.2, controllerRecovery: 0.5 }, 'crash c, restart c'],
    ['a controller that is resumed', { controllerPause: 0.2, controllerResume: 0.5 }, 'pause c, resume c'],
    [
      'controllers that are joined',
      { controllerPartition: 0.4, controllerHeal: 0.5 },
      'cut controller-controller, heal controller-controller',
    ],
  ])('minimizing leaves %s', async (_name, faults, left) => {
    const wanted = left.split(', ');
    const isWanted = ({ last }: World): boolean => last !== undefined && inputName(last, nothing) === wanted.at(-1);
    const system = networkOf(controller, {
      traffic: { pings: 0.1 },
      faults,
      rounds: 6,
      invariants: { never: (world: World) => !isWanted(world) },
    });
    const trace = await found(system);
    const { trace: least } = await minimize(system, trace, { proofStates: 0 });
    const inputs = inputsOf(least.events.map(eventOf));
    expect(inputs).toEqual(wanted);
    // Those of both controllers and both switches, whether or not they have a part in it.
    expect(least.events.filter(({ kind }) => kind === 'start')).toHaveLength(4);
  });
});

test('a round has all of its inputs at once, and lasts as long as the system says', async () => {
  const pings = (net: Network) => Array.from({ length: 12 }, () => net.ping('h1', 'h2'));
  for (const roundMs of [100, 40]) {
    const events = await eventsOf(networkOf(slowHub, { traffic: pings, rounds: 3, pace: { roundMs } }), 1);
    const times = events.flatMap(({ kind, atMs = 0 }) => (kind === 'send' ? [atMs] : []));
    // An event takes an eighth of a millisecond.
    const expected = [0, 1, 2].flatMap((nth) => Array.from({ length: 4 }, () => nth));
    expect(times.map((ms) => Math.floor(ms / roundMs))).toEqual(expected);
  }
});

test('flow_mods take effect late in delayed tables, and later with a smaller weight', async () => {
  const installer = controllerBehavior({
    start: () => ({}),
    packetIn(_state, packet, from) {
      from.addFlow({ match: { dlSrc: packet.frame.dlSrc }, actions: [output('flood')], packet });
    },
  });
  const delay = async (complete: number): Promise<number> => {
    const system = networkOf(installer, {
      switches: { delayedTable: 'unordered' },
      traffic: { pings: 0.5 },
      weights: { complete },
    });
    const events = (await Promise.all([1, 2, 3].map((seed) => eventsOf(system, seed)))).flatMap((all) =>
      all.flatMap((event, at) => (event.kind === 'complete' ? [at - event.cause] : [])),
    );
    return events.reduce((sum, one) => sum + one, 0) / events.length;
  };
  expect(await delay(0.05)).toBeGreaterThan(2 * (await delay(1)));
});

test('flow_mods take effect rounds later at a rate, beside a controller that acts by itself', async () => {
  const installer = ticking({
    receive(box, message, from) {
      const { type } = message as Message;
      if (type === 'hello') box.send(from, message);
      if (type === 'packet_in')
        box.send(from, flowMod({ match: { inPort: (message as PacketIn).inPort }, actions: [output('flood')] }));
    },
    view: () => ({}),
  });
  const delays = async (tableDelay: number): Promise<number[]> => {
    const system = networkOf(installer, {
      switches: { delayedTable: 'unordered' },
      traffic: (net) => [net.ping('h1', 'h2')],
      faults: { tableDelay },
      pace: { roundMs: 40, quietMs: 100 },
    });
    const events = await eventsOf(system, 1);
    return events.flatMap(({ kind, cause, atMs = 0 }) =>
      kind === 'complete' ? [Math.round((atMs - (events[cause]?.atMs ?? 0)) / 40)] : [],
    );
  };
  expect((await delays(0)).every((rounds) => rounds === 0)).toBe(true);
  const late = await delays(1);
  expect(late.length > 0 && late.every((rounds) => rounds === 10)).toBe(true);
});

test('without its hold, a frame is delivered at once', async () => {
  const system = networkOf(hub, {
    traffic: (net) => [net.ping('h1', 'h2'), net.ping('h2', 'h1')],
    faults: { frameDelay: 1, receiptDelay: 1, sendDelay: 1 },
    invariants: { lonely: (world: World) => receivedBy(world, 'h2').frames === 0 },
  });
  const trace = await found(system);
  const countOf = (events: readonly { readonly kind: string }[]): number =>
    events.filter(({ kind }) => kind === 'hold').length;
  expect(countOf(trace.events)).toBeGreaterThan(3);
  const { trace: least } = await minimize(system, trace);
  expect(inputsOf(least.events.map(eventOf))).toEqual(['frame']);
});

const nothing: ReadonlyMap<string, Event> = new Map();
