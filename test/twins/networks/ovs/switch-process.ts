import type { Message, SwitchMessage } from 'culprit/networks';
import { SmallNetwork } from '../small-network.ts';
import { shownFlow, shownMessage, type Input, type Observed } from './observed.ts';
import { bridgePorts } from './open-vswitch.ts';

/** What can be seen of the switch as a process, after these messages of its controller. */
export async function observedOfProcess(inputs: readonly Input[]): Promise<Observed> {
  const options = { controllers: ['c1'], buffers: 0 };
  const network = await SmallNetwork.start(options, bridgePorts.length);
  await network.says('c1', { type: 'set_config', xid: 1, flags: [], missSendLen: 0xffff }, ...inputs);
  const got = network.got();
  return {
    sent: Object.fromEntries(bridgePorts.map((port) => [port, packetsIn(got[`h${port}`] ?? [])])),
    toController: (got['c1'] ?? []).filter(isShown).map(shownMessage).toSorted(),
    flows: network.state.table.entries.map((entry) => shownFlow(entry)).toSorted(),
  };
}

const packetsIn = (messages: readonly SwitchMessage[]): string[] =>
  messages.flatMap((message) => (message.type === 'frame' ? [message.packet] : []));

const isShown = (message: SwitchMessage): message is Message =>
  message.type !== 'hello' && message.type !== 'frame' && message.type !== 'link';
