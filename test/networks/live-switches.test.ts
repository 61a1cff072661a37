import { behavior, crash, cut, heal, restart, send } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import { jsonLines } from 'culprit/live';
import {
  buildFrame,
  controller,
  linear,
  network,
  networkFingerprint,
  networkPhrases,
  openVSwitch,
  type LiveSwitchState,
} from 'culprit/networks';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DrivenSession } from '../live/driven-session.ts';
import { commandLineOf, descendantsOf } from '../live/processes.ts';
import { exampleOf } from '../guide-with-programs.ts';
import { programPath } from './peers.ts';

/** Stations at s1.1 and s2.1. */
const [h1, h2] = ['00:00:5e:00:53:01', '00:00:5e:00:53:02'];

const frame = (dlSrc: string, dlDst: string): string =>
  buildFrame({ dlDst, dlSrc, dlType: 0x88b5, payload: { kind: 'opaque', data: '00'.repeat(46) } });

/** The lane of the link. */
const LINK = '2-2';

const there = frame(h1, h2);
const back = frame(h2, h1);

const learner = (): AnyBehavior =>
  controller(`${programPath('testcontroller')} --unixctl=$dir/ctl ptcp:$port:$address`);

/** Two switches of Open vSwitch, a link between their second ports, and their controller. */
async function started(): Promise<DrivenSession> {
  programPath('ovsVswitchd');
  const driven = await DrivenSession.start(
    {
      c1: learner(),
      s1: openVSwitch({ datapathId: 1, ports: 2, controllers: ['c1'], links: { 2: 's2.2' } }),
      s2: openVSwitch({ datapathId: 2, ports: 2, controllers: ['c1'], links: { 2: 's1.2' } }),
    },
    { links: [{ between: ['s1', 's2'], lane: LINK, onCut: 'drop', reports: true }] },
  );
  await driven.deliverUntil('both handshakes', () => ['s1', 's2'].every((name) => handshakes(driven, name) === 1));
  return driven;
}

const isMessage = (type: string, message: unknown): boolean => (message as { type: string }).type === type;

/** The messages that a process has got from another one. */
const messages = (driven: DrivenSession, process: string, from: string) =>
  driven.session.recording.events
    .since(0)
    .flatMap((event) =>
      event.kind === 'deliver' && event.process === process && event.from === from
        ? [{ lane: event.lane, message: event.message }]
        : [],
    );

/** The types of these messages. */
const gotten = (driven: DrivenSession, process: string, from: string): string[] =>
  messages(driven, process, from).map(({ message }) => (message as { type: string }).type);

/**
 * How many handshakes of a switch with c1 are over. One that takes more than a second is given up and begins again on another lane, so an
 * answer of the switch counts.
 */
function handshakes(driven: DrivenSession, name: string): number {
  const configured = messages(driven, name, 'c1').filter(({ message }) => isMessage('set_config', message));
  const answered = messages(driven, 'c1', name).filter(({ message }) => isMessage('features_reply', message));
  return answered.filter(({ lane }) => configured.some((one) => one.lane === lane)).length;
}

const stateOf = (driven: DrivenSession, name: string): LiveSwitchState | undefined =>
  driven.session.world.process(name).state as LiveSwitchState | undefined;

const arrivedAt = (driven: DrivenSession, port: string): number =>
  stateOf(driven, port.slice(0, 2))?.stations[port]?.frames ?? 0;

const entriesOf = (driven: DrivenSession, name: string): unknown[] | undefined =>
  stateOf(driven, name)?.table.entries.map(({ match, actions }) => [match.dlDst, actions]);

/** The programs of Open vSwitch that this process or one of its descendants has started. */
const ovsProgramsBelow = (pid: number): string[] =>
  descendantsOf(pid)
    .map((child) => basename(commandLineOf(child).split('\0')[0] ?? ''))
    .filter((name) => name.startsWith('ovs'))
    .toSorted();

/** Delivers the next message from one process to another when it is there. */
async function deliverNext(driven: DrivenSession, from: string, to: string): Promise<unknown> {
  const next = () =>
    driven.session.enabled.find((event) => event.kind === 'deliver' && event.from === from && event.process === to);
  await driven.until(`a message from ${from} to ${to}`, () => next() !== undefined);
  const event = next();
  if (event?.kind !== 'deliver') throw new Error('there is none');
  await driven.perform(event);
  return event.message;
}

test('messages of a real switch and its real controller are events: held, delivered in order, and stopped by a cut', async () => {
  const driven = await started();
  expect(gotten(driven, 'c1', 's1').slice(-2)).toEqual(['hello', 'features_reply']);
  expect(gotten(driven, 's1', 'c1').slice(-3)).toEqual(['hello', 'features_request', 'set_config']);

  // The controller knows no station yet: the frame floods, over the link, to the far port.
  await driven.perform(send('s1', { type: 'frame', port: 1, packet: there }));
  await driven.deliverUntil('the frame arrives', () => arrivedAt(driven, 's2.1') === 1);
  expect(gotten(driven, 's2', 's1')).toEqual(['frame']);
  expect(entriesOf(driven, 's2')).toEqual([]);

  // The answer goes where the first one came from: the controller makes an entry for it, which is held.
  await driven.perform(send('s2', { type: 'frame', port: 1, packet: back }));
  await deliverNext(driven, 'environment', 's2');
  expect(await deliverNext(driven, 's2', 'c1')).toMatchObject({ type: 'packet_in', inPort: 1, data: back });
  await driven.until('an entry', () => driven.inFlightTo('s2').includes('flow_mod'));
  expect(entriesOf(driven, 's2')).toEqual([]);

  await driven.perform(cut('c1', 's2'));
  await driven.session.wait?.({ ms: 50 });
  expect(driven.session.enabled.filter(({ process }) => process === 's2')).toEqual([]);
  await driven.perform(heal('c1', 's2'));
  const flowMod = await deliverNext(driven, 'c1', 's2');
  const output = [{ type: 'output', port: 2, maxLen: 0 }];
  expect(flowMod).toMatchObject({ type: 'flow_mod', command: 'add', actions: output });
  expect(networkPhrases().messageName?.(flowMod)).toMatch(/^flow_mod \(.* → output 2, /);
  expect(Object.keys(networkFingerprint()(flowMod) as object)).not.toContain('xid');
  expect(entriesOf(driven, 's2')).toEqual([[h1, output]]);
  await driven.deliverUntil('the answer arrives', () => arrivedAt(driven, 's1.1') === 1);

  // A switch whose channel is blocked forwards what it has entries for, and its questions wait.
  await driven.perform(cut('c1', 's2'));
  await driven.perform(send('s2', { type: 'frame', port: 1, packet: back }));
  await driven.perform(send('s2', { type: 'frame', port: 2, packet: there }));
  await driven.deliverUntil('the second answer', () => arrivedAt(driven, 's1.1') === 2);
  await driven.deliverUntil('a question', () => driven.inFlightTo('c1').includes('packet_in'));
  expect(arrivedAt(driven, 's2.1')).toBe(1);
  await driven.perform(heal('c1', 's2'));
  await driven.deliverUntil('the frame arrives', () => arrivedAt(driven, 's2.1') === 2);
});

test('a link that fails, a control failure and a crash are those of any switch, and nothing is left in the end', async () => {
  const driven = await started();
  const isUp = (name: string): boolean => stateOf(driven, name)?.ports[1]?.desc.config.length === 0;
  await driven.perform(cut('s1', 's2', { lane: LINK }));
  const reports = ['s1', 's2'].map((name) => () => gotten(driven, 'c1', name).includes('port_status'));
  await driven.deliverUntil('both report it', () => reports.every((isThere) => isThere()));
  expect([isUp('s1'), isUp('s2')]).toEqual([false, false]);
  expect(networkPhrases().state?.(stateOf(driven, 's1') as never, 's1')).toBe('0 flow entries');
  await driven.perform(heal('s1', 's2', { lane: LINK }));
  await driven.deliverUntil('it works again', () => isUp('s1') && isUp('s2'));
  await driven.perform(send('s1', { type: 'link', port: 1, isUp: false }));
  await driven.deliverUntil(
    'a port that goes down',
    () => stateOf(driven, 's1')?.ports[0]?.desc.config.join() === 'port_down',
  );

  await driven.perform(send('s1', { type: 'control_failure' }));
  await driven.deliverUntil('a closed channel', () =>
    driven.observed('s1').some(([what]) => what.endsWith('closes connection')),
  );
  await driven.perform(send('s1', { type: 'control_recovery' }));
  await driven.deliverUntil('another handshake', () => handshakes(driven, 's1') === 2);

  await driven.perform(crash('s2'));
  await driven.perform(restart('s2'));
  await driven.deliverUntil('a handshake after the restart', () => handshakes(driven, 's2') === 2);
  const programs = ['ovs-testcontroller', 'ovs-vswitchd', 'ovs-vswitchd', 'ovsdb-server', 'ovsdb-server'];
  expect(ovsProgramsBelow(process.pid)).toEqual(programs);
  await driven.session.close();
  expect(ovsProgramsBelow(process.pid)).toEqual([]);
});

test('a controller has switches that are programs, switches of culprit, and peers, each with its own kind of messages', async () => {
  const net = network(linear(1), { controllers: ['c1'] });
  const program = fileURLToPath(new URL('../live/programs/controller.mjs', import.meta.url));
  const line = [process.execPath, program, '$address', '$port'];
  const view = ({ out }: { out: readonly string[] }): { out: string[] } => ({ out: [...out] });
  const driven = await DrivenSession.start(
    {
      c1: controller([...line, '7000'], { peers: { port: 7000, codec: jsonLines() }, view }),
      c2: controller([...line, '0', '$address.c1:7000'], { view }),
      s9: openVSwitch({ datapathId: 9, ports: 1, controllers: ['c1'] }),
      ...net.processes,
    },
    { links: net.links },
  );
  await driven.deliverUntil('c2 knows both switches', () =>
    ['hears has 1', 'hears has 9'].every((heard) => driven.lines('c2').includes(heard)),
  );
  expect(gotten(driven, 'c1', 's1')).toEqual(['hello', 'features_reply']);
  expect(gotten(driven, 'c1', 's9').slice(-2)).toEqual(['hello', 'features_reply']);
  expect(new Set(gotten(driven, 'c2', 'c1'))).toEqual(new Set(['has']));
});

test('the example of the guide prints its documented output', () => {
  for (const name of ['ovsVswitchd', 'testcontroller'] as const) programPath(name);
  const { printed, documented } = exampleOf('docs/guide/networks.md', 'ovs-vswitchd');
  expect(printed).toEqual(documented);
});

describe('one sentence for', () => {
  const failing = async (processes: Readonly<Record<string, AnyBehavior>>): Promise<string> => {
    const error: unknown = await DrivenSession.start(processes).catch((thrown: unknown) => thrown);
    return error instanceof Error ? error.message : 'nothing';
  };
  const idle = behavior({ start: () => ({}), receive() {} });

  test('options that are wrong', () => {
    expect(() => openVSwitch({ ports: 2 } as never)).toThrow('openVSwitch has no datapathId.');
    expect(() => openVSwitch({ datapathId: 1, ports: 0 })).toThrow('ports is a whole number from 1 to 255, not 0.');
    expect(() => openVSwitch({ datapathId: 1, ports: 1, links: { 2: 's2.1' } })).toThrow(
      'openVSwitch has a link at port 2, and its ports are 1 to 1.',
    );
    expect(() => openVSwitch({ datapathId: 1, ports: 1, links: { 1: 's2' } })).toThrow(
      'openVSwitch has a link to "s2", which is no port of a switch.',
    );
  });

  test('a machine without Open vSwitch', async () => {
    // Its daemons are found without a path, and its other programs are not.
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await failing({ s1: openVSwitch({ datapathId: 1, ports: 1 }) })).toBe(
      's1 needs ovsdb-tool, which is not installed.',
    );
  });

  test('names that are wrong', async () => {
    const s1 = (of: string): AnyBehavior => openVSwitch({ datapathId: 1, ports: 1, controllers: [of] });
    expect(await failing({ c1: idle, s1: s1('c2') })).toBe('s1 is connected to c2, and no process is called that.');
    expect(await failing({ c1: idle, s1: s1('c1') })).toBe(
      'c1 cannot control s1: Open vSwitch connects to controllers that are programs.',
    );
  });

  test('messages that a switch cannot take', async () => {
    const driven = await DrivenSession.start({ s1: openVSwitch({ datapathId: 1, ports: 1 }) });
    await driven.perform(send('s1', { type: 'frame', port: 2, packet: there }));
    await expect(deliverNext(driven, 'environment', 's1')).rejects.toThrow('s1 has no port 2.');
    await driven.perform(send('s1', { type: 'frame', port: 1, packet: 'zz' }));
    await expect(deliverNext(driven, 'environment', 's1')).rejects.toThrow(
      'a frame for s1.1 is no hexadecimal text: "zz".',
    );
    await driven.perform(send('s1', { type: 'attach' }));
    await expect(deliverNext(driven, 'environment', 's1')).rejects.toThrow(
      's1 is a program, and takes no message of type "attach" from environment.',
    );
  });
});
