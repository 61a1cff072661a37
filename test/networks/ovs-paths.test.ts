import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  flowMod,
  HeaderSpace,
  packetPath,
  runActions,
  type Action,
  type FlowMod,
  type NetworkState,
  type PacketPath,
  type PathHop,
  type SwitchView,
} from 'culprit/networks';
import { RandomNetwork } from '../twins/networks/header-space/random-network.ts';
import { SlowNetwork, type Arrival } from '../twins/networks/header-space/slow-network.ts';
import { bridgePorts, OpenVSwitch, type OvsBridge } from '../twins/networks/ovs/open-vswitch.ts';
import { programPath } from './peers.ts';

let ovs: OpenVSwitch;
beforeAll(async () => {
  programPath('ovsVswitchd');
  ovs = await OpenVSwitch.start();
});
afterAll(async () => {
  await ovs?.close();
});

/** The ports are those of a new bridge, and no two entries have the same priority. */
const forOvs = ({ switches }: NetworkState): NetworkState => ({
  switches: switches.map(({ name, entries, ports }) => ({
    name,
    entries: entries.map((entry, index) => ({ ...entry, priority: 1000 - index, cookie: index + 1 })),
    ports: bridgePorts.map((portNo) => {
      const peer = ports.find((port) => port.portNo === portNo)?.peer;
      return { portNo, isUp: true, linkIsUp: true, config: [], ...(peer === undefined ? {} : { peer }) };
    }),
  })),
});

/** Open vSwitch lets actions that set ports change ICMP, and the standard does not. */
const isComparable = ({ switches }: NetworkState): boolean => !JSON.stringify(switches).includes('set_tp');

const PATHS_MAX = 4;

test('ofproto/trace agrees with the path of every violating packet, hop by hop', async () => {
  let [hops, paths, networks] = [0, 0, 0];
  for (let seed = 1; networks < 15; seed++) {
    const state = forOvs(new RandomNetwork(seed).state);
    const { loops, blackholes } = new HeaderSpace(state);
    const found = [...loops.slice(0, PATHS_MAX), ...blackholes.slice(0, PATHS_MAX)];
    if (!isComparable(state) || found.length === 0) continue;
    networks++;
    const bridges = await bridgesFor(state);
    for (const { headers, hops: way } of found) {
      const { ours, theirs: reference } = followed(new SlowNetwork(state), bridges, packetPath(headers, way));
      expect(reference, `seed ${seed}`).toEqual(ours);
      expect(ours).toHaveLength(way.length);
      paths++;
      hops += ours.length;
    }
    for (const { bridge } of bridges.values()) ovs.removeBridge(bridge);
  }
  expect({ paths, hops }).toEqual({ paths: 74, hops: 133 });
});

/** A bridge, and its ports by their numbers in the datapath. */
interface Bridge {
  readonly bridge: OvsBridge;
  readonly ports: ReadonlyMap<number, number>;
}

/** A bridge for each switch, with its flow entries. */
async function bridgesFor({ switches }: NetworkState): Promise<Map<string, Bridge>> {
  const bridges = new Map<string, Bridge>();
  for (const view of switches) {
    const bridge = await ovs.addBridge();
    bridges.set(view.name, { bridge, ports: ovs.datapathPorts(bridge) });
    const errors = await bridge.channel.exchange(flowMods(view));
    expect(errors.filter(({ type }) => type === 'error')).toEqual([]);
  }
  return bridges;
}

const flowMods = ({ entries }: SwitchView): FlowMod[] =>
  entries.map(({ match, priority, cookie, actions }, index) =>
    flowMod({ xid: index + 1, match, priority, cookie, actions }),
  );

/** Follows the packet as long as it takes the path, and asks Open vSwitch at each hop which entry it meets and where it leaves. */
function followed(network: SlowNetwork, bridges: Map<string, Bridge>, { packet, path }: PacketPath): Followed {
  const seen: Followed = { ours: [], theirs: [] };
  let arrival: Arrival | undefined = { name: (path[0] as PathHop).switch, port: Number(path[0]?.inPort), packet };
  for (const [index, hop] of path.entries()) {
    const { switch: name, inPort, entry } = hop;
    if (arrival === undefined) return seen;
    const at: Arrival = arrival;
    const step = network.step(at);
    seen.ours.push({ name, inPort, cookie: entry.cookie, outputs: outputsOf(step?.entry.actions ?? [], at) });
    seen.theirs.push({ name: at.name, inPort: at.port, ...theirs(bridges.get(at.name) as Bridge, at) });
    arrival = step?.fates
      .filter((fate) => fate.kind === 'arrives')
      .find((fate) => fate.outPort === hop.outPort && meets(network, fate.at, path[index + 1]))?.at;
  }
  return seen;
}

interface Followed {
  readonly ours: unknown[];
  readonly theirs: unknown[];
}

const meets = (network: SlowNetwork, arrival: Arrival, hop: PathHop | undefined): boolean =>
  hop !== undefined && arrival.name === hop.switch && network.step(arrival)?.entry.cookie === hop.entry.cookie;

function outputsOf(actions: readonly Action[], { packet, port }: Arrival): number[] {
  const ports = bridgePorts.map((portNo) => ({ portNo, config: [], state: [] }));
  return inOrder(runActions(actions, packet, port, ports).map((output) => output.port));
}

const inOrder = (ports: readonly unknown[]): number[] =>
  [...new Set(ports)].filter((port) => typeof port === 'number').toSorted((a, b) => a - b);

/** From the text of a trace: the entry, and the ports of the network through which the packet leaves. */
function theirs({ bridge, ports }: Bridge, { port, packet }: Arrival): { cookie: number; outputs: number[] } {
  const { text, actions } = ovs.trace(bridge, port, packet);
  const cookie = Number(/^ 0\. .*cookie (0x[0-9a-f]+)/m.exec(text)?.[1]);
  const outputs = withoutArguments(actions)
    .split(',')
    .map((action) => ports.get(Number(action)));
  return { cookie, outputs: inOrder(outputs) };
}

/** Without what stands in parentheses, in which numbers are no ports. */
function withoutArguments(actions: string): string {
  const shorter = actions.replaceAll(/\([^()]*\)/g, '');
  return shorter === actions ? actions : withoutArguments(shorter);
}
