import { setTimeout } from 'node:timers/promises';
import type { Message, StatsReply } from 'culprit/networks';
import { SmallNetwork } from '../small-network.ts';
import { shownFlow, shownMessage } from './observed.ts';
import { bridgePorts, type OpenVSwitch, type OvsBridge } from './open-vswitch.ts';

/** What a switch sends its controller after each message, and the packets that leave, in texts that can be compared. */
export interface Answers {
  readonly answers: readonly (readonly string[])[];
  /** Packets for the controller, which may come later than the answers. */
  readonly packetIns: readonly string[];
  readonly sent: readonly (readonly string[])[];
}

/** Gives messages of a controller to our switch as a process and to a new bridge, whose ports have the same addresses. */
export async function askBoth(
  ovs: OpenVSwitch,
  messages: (hwAddr: (port: number) => string) => readonly Message[],
): Promise<{ readonly ours: Answers; readonly theirs: Answers }> {
  const bridge = await ovs.addBridge();
  const [features] = await bridge.channel.exchange([{ type: 'features_request', xid: 1 }]);
  const described = features?.type === 'features_reply' ? features.ports : [];
  const hwAddr = (port: number): string => described.find(({ portNo }) => portNo === port)?.hwAddr ?? '';
  const ports = bridgePorts.map((portNo) => ({
    portNo,
    hwAddr: hwAddr(portNo),
    peer: { process: `h${portNo}`, port: 1 },
  }));
  const network = await SmallNetwork.start({ controllers: ['c1'], buffers: 0, ports }, bridgePorts.length);
  await network.says('c1', { type: 'set_config', xid: 2, flags: [], missSendLen: 0xffff });
  const ours: Message[][] = [];
  const theirs: Message[][] = [];
  for (const message of messages(hwAddr)) {
    const { c1 = [] } = await network.says('c1', message);
    // Its controller gets messages of OpenFlow only, since its channel is never closed.
    ours.push(c1 as Message[]);
    theirs.push(await bridge.channel.exchange([message]));
  }
  const late = await bridge.channel.settled(0);
  const got = network.got();
  const sent = bridgePorts.map((port) =>
    (got[`h${port}`] ?? []).flatMap((message) => (message.type === 'frame' ? [message.packet] : [])),
  );
  await written(bridge, sent);
  const both = {
    ours: { ...inTexts(ours, []), sent },
    theirs: { ...inTexts(theirs, late), sent: bridgePorts.map((port) => bridge.sentThrough(port)) },
  };
  ovs.removeBridge(bridge);
  return both;
}

/** Open vSwitch writes down what it sends in its own time. What it never sends is missed by the comparison. */
async function written(bridge: Pick<OvsBridge, 'sentThrough'>, sent: readonly (readonly string[])[]): Promise<void> {
  const isBehind = (): boolean =>
    bridgePorts.some((port, at) => bridge.sentThrough(port).length < (sent[at]?.length ?? 0));
  for (let looks = 0; looks < LOOKS_MAX && isBehind(); looks++) await setTimeout(LOOK_MS);
}

const LOOK_MS = 20;
const LOOKS_MAX = 250;

const inTexts = (answers: readonly (readonly Message[])[], late: readonly Message[]): Omit<Answers, 'sent'> => ({
  // Open vSwitch does not send the change of a port to the controller that asked for it.
  answers: answers.map((some) => some.filter(({ type }) => type !== 'packet_in' && type !== 'port_status').map(shown)),
  packetIns: [...answers.flat(), ...late]
    .filter(({ type }) => type === 'packet_in')
    .map(shownMessage)
    .toSorted(),
});

function shown(message: Message): string {
  return message.type === 'stats_reply'
    ? `${message.stats}: ${JSON.stringify(shownStats(message))}`
    : shownMessage(message);
}

/** Durations differ by the time that the comparison takes, and the rest is what a dummy port does not count. */
function shownStats(reply: StatsReply): unknown {
  switch (reply.stats) {
    case 'flow':
      return reply.flows.map((flow) => shownFlow(flow)).toSorted();
    case 'aggregate':
      return [reply.packetCount, reply.byteCount, reply.flowCount];
    case 'port':
      return reply.ports
        .filter(({ portNo }) => portNo !== 'local')
        .map(({ portNo, txPackets, txBytes }) => `${portNo}: ${txPackets} ${txBytes}`)
        .toSorted();
    default:
      return reply.stats;
  }
}
