import { crash, cut, heal, restart } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import { command, jsonLines, tcp, type FrameCodec } from 'culprit/live';
import { controller, linear, network, type ControllerPeers } from 'culprit/networks';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DrivenSession } from './driven-session.ts';

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));
const view = ({ out }: { out: readonly string[] }): { out: string[] } => ({ out: [...out] });
const PEER_PORT = 7000;

/** A controller that connects to these, and listens for peers if it says how. */
const node = (peers: ControllerPeers | undefined, ...others: readonly string[]): AnyBehavior =>
  controller([process.execPath, program('controller.mjs'), '$address', '$port', String(peers?.port ?? 0), ...others], {
    ...(peers === undefined ? {} : { peers }),
    view,
  });

const registry = (): AnyBehavior =>
  command([process.execPath, program('registry.mjs'), '$address', '$port'], {
    port: 7100,
    connect: tcp(jsonLines()),
    view,
  });

/** One switch for each controller: s1 belongs to c1. */
const net = network(linear(2), { controllers: (name) => [name.replace('s', 'c')] });

const cluster = (processes: Readonly<Record<string, AnyBehavior>>): Promise<DrivenSession> =>
  DrivenSession.start(
    { ...processes, ...net.processes },
    {
      links: [...net.links, ['c1', 'c2']],
      faults: { partitions: 1 },
      transport: { onCrash: { notice: { type: 'closed' } } },
    },
  );

/** c2 connects to c1. */
const pair = (codec?: FrameCodec): Promise<DrivenSession> =>
  cluster({
    c1: node({ port: PEER_PORT, ...(codec === undefined ? {} : { codec }) }),
    c2: node(undefined, `$address.c1:${PEER_PORT}`),
  });

const knows = (driven: DrivenSession, name: string, dpid: number): boolean =>
  driven.lines(name).includes(`hears has ${dpid}`);

/** Delivers what is in flight between switches and their controllers, and nothing else. */
async function handshakes(driven: DrivenSession): Promise<void> {
  const isDone = (): boolean => ['c1', 'c2'].every((name, at) => driven.lines(name).includes(`has ${at + 1}`));
  while (!isDone()) {
    const next = driven.session.enabled.find(
      (event) => event.kind === 'deliver' && [event.from, event.process].some((name) => name.startsWith('s')),
    );
    if (next === undefined) await driven.session.wait?.({ ms: 20 });
    else await driven.perform(next);
  }
}

describe('with a codec', () => {
  test('every message between controllers is held and delivered, in order', async () => {
    const driven = await pair(jsonLines());
    await handshakes(driven);
    await driven.until('a message each way', () => {
      const [toOne, toOther] = ['c1', 'c2'].map((name) => driven.inFlightTo(name));
      return toOne?.includes('has') === true && toOther?.includes('has') === true;
    });
    expect([knows(driven, 'c1', 2), knows(driven, 'c2', 1)]).toEqual([false, false]);
    const held = driven.session.enabled.filter((event) => event.kind === 'deliver' && event.lane !== undefined);
    expect(held).toMatchObject([
      { from: 'c2', process: 'c1', lane: 'c2 1', message: { type: 'has', content: { type: 'has', dpid: 2 } } },
      { from: 'c1', process: 'c2', lane: 'c2 1', message: { type: 'has', content: { type: 'has', dpid: 1 } } },
    ]);
    for (const event of held) await driven.perform(event);
    await driven.until('both know', () => knows(driven, 'c1', 2) && knows(driven, 'c2', 1));
  });

  test('a partition holds them until it heals', async () => {
    const driven = await pair(jsonLines());
    const partition = cut('c1', 'c2');
    expect(driven.session.faults()).toContainEqual(expect.objectContaining(partition));
    await driven.perform(partition);
    await handshakes(driven);
    await driven.until('messages', () => driven.inFlightTo('c1').includes('has'));
    expect(driven.session.enabled.filter(({ kind }) => kind === 'deliver')).toEqual([]);
    await driven.perform(heal('c1', 'c2'));
    await driven.deliverUntil('both know', () => knows(driven, 'c1', 2) && knows(driven, 'c2', 1));
  });

  test('the crash of a controller resets its connections, and it joins again after a restart', async () => {
    const driven = await pair(jsonLines());
    await handshakes(driven);
    await driven.deliverUntil('both know', () => knows(driven, 'c1', 2) && knows(driven, 'c2', 1));
    await driven.perform(crash('c1'));
    await driven.deliverUntil('c2 notices', () => driven.lines('c2').includes(`loses ${PEER_PORT}`));
    await driven.perform(restart('c1'));
    await driven.deliverUntil('c1 hears of s2 again', () => knows(driven, 'c1', 2));
    await driven.perform(crash('c2'));
    await driven.deliverUntil('c1 notices', () => driven.lines('c1').includes('loses a peer'));
    await driven.perform(restart('c2'));
    await driven.deliverUntil('c2 hears of s1 again', () => knows(driven, 'c2', 1));
    expect(driven.hasObserved('c1', 'undelivered')).toBe(false);
  });
});

test('without a codec, bytes pass between controllers, and a partition stops them', async () => {
  const driven = await pair();
  await driven.perform(cut('c1', 'c2'));
  await handshakes(driven);
  await driven.until('something is stopped', () => driven.hasObserved('c2', 'cut off'));
  expect([knows(driven, 'c1', 2), knows(driven, 'c2', 1)]).toEqual([false, false]);
  await driven.perform(heal('c1', 'c2'));
  await driven.until('both know', () => knows(driven, 'c1', 2) && knows(driven, 'c2', 1));
  expect(
    driven.session.recording.events.since(0).some((event) => event.kind === 'deliver' && event.lane !== undefined),
  ).toBe(false);
});

test('controllers share a store: what they say to it is held, and each has its own partition from it', async () => {
  const driven = await cluster({
    store: registry(),
    c1: node(undefined, '$address.store:$port.store'),
    c2: node(undefined, '$address.store:$port.store'),
  });
  await driven.perform(cut('c1', 'store'));
  await handshakes(driven);
  await driven.until('both have said it', () => driven.inFlightTo('store').length === 2);
  const [first, ...others] = driven.session.enabled.filter(({ process }) => process === 'store');
  expect([first, others]).toMatchObject([{ from: 'c2', lane: 'c2 1', message: { type: 'has' } }, []]);
  if (first !== undefined) await driven.perform(first);
  await driven.until('the store has it', () => driven.lines('store').includes('keeps {"type":"has","dpid":2}'));
  await driven.perform(heal('c1', 'store'));
  await driven.deliverUntil('both know', () => knows(driven, 'c1', 2) && knows(driven, 'c2', 1));
});

describe('one sentence for', () => {
  test.each([
    ['peers without a port', {}, 'the option peers of controller has no port.'],
    ['a port that is none', { port: 0 }, 'port is a port from 1 to 65535, not 0.'],
    ['a field that is misspelled', { prot: 7000 }, 'has no field prot: did you mean port?'],
    ['something that is no codec', { port: 7000, codec: {} }, 'tcp takes a codec with name, open and bytesOf.'],
    ['the port of OpenFlow', { port: 6653 }, 'the port 6653 of a controller cannot be for switches and for peers.'],
  ])('%s', (_, peers, sentence) => {
    expect(() => controller('program', { peers: peers as ControllerPeers })).toThrow(sentence);
  });

  test('a port for peers that something else has', async () => {
    const taker = createServer().listen(0, '0.0.0.0');
    onTestFinished(() => void taker.close());
    await once(taker, 'listening');
    const { port } = taker.address() as AddressInfo;
    await expect(cluster({ c1: node({ port }), c2: node(undefined) })).rejects.toThrow(
      /^c1 cannot listen at 127\.\d+\.1\.1:\d+: something else does already\./,
    );
  });

  test('a controller that does not exist', async () => {
    const processes = { c1: node({ port: PEER_PORT }), c2: node(undefined, `$address.c3:${PEER_PORT}`) };
    await expect(cluster(processes)).rejects.toThrow('uses $address.c3, but no process is called c3.');
  });

  test('a codec that throws', async () => {
    const broken: FrameCodec = {
      name: 'broken',
      open: () => {
        throw new TypeError('no such field');
      },
      bytesOf: () => Buffer.alloc(0),
    };
    const executed = async (): Promise<void> => {
      const driven = await pair(broken);
      await driven.deliverUntil('a connection', () => false);
    };
    await expect(executed()).rejects.toThrow('the codec broken of tcp failed: TypeError: no such field');
  });
});
