import { behavior, defineSystem, send } from 'culprit';
import { networkPhrases, openflowSwitch, type SwitchMessage } from 'culprit/networks';
import type { AnyBehavior } from 'culprit/kernel';
import type { ProcessPort, DrawnStation, ProcessTopology, ProcessLink } from 'culprit/trace';
import { frame } from './learning.system.ts';

/** The places in a fat tree of this size: `half` edges and aggregations in each pod, and cores above. */
class Tree {
  readonly half: number;

  constructor(readonly size: number) {
    this.half = size / 2;
  }

  edge(pod: number, nth: number): string {
    return `edge-${pod}-${nth}`;
  }

  aggregation(pod: number, nth: number): string {
    return `agg-${pod}-${nth}`;
  }

  core(nth: number): string {
    return `core-${nth}`;
  }

  /** Ports 1 to `half` go down, the others up; a core has a port for each pod. */
  topology(): ProcessTopology {
    const { half, size } = this;
    const [links, stations]: [ProcessLink[], DrawnStation[]] = [[], []];
    const join = (one: ProcessPort, other: ProcessPort): number => links.push({ ends: [one, other] });
    for (let pod = 0; pod < size; pod++)
      for (let one = 0; one < half; one++)
        for (let other = 0; other < half; other++) {
          const edge = this.edge(pod, one);
          stations.push({ name: `h${stations.length + 1}`, process: edge, port: other + 1 });
          join({ process: edge, port: half + other + 1 }, { process: this.aggregation(pod, other), port: one + 1 });
          const core = { process: this.core(one * half + other), port: pod + 1 };
          join({ process: this.aggregation(pod, one), port: half + other + 1 }, core);
        }
    return { nodes: this.nodes(), links, stations, controllers: ['c1'] };
  }

  private nodes(): string[] {
    const { half, size } = this;
    const pods = Array.from({ length: size }, (_, pod) => pod);
    const places = Array.from({ length: half }, (_, nth) => nth);
    return [
      ...pods.flatMap((pod) => places.map((nth) => this.edge(pod, nth))),
      ...pods.flatMap((pod) => places.map((nth) => this.aggregation(pod, nth))),
      ...Array.from({ length: half * half }, (_, nth) => this.core(nth)),
    ];
  }
}

/** Sends each packet up to the first core, and down to the first station of the second pod. */
const router = (half: number) =>
  behavior({
    start: () => ({}),
    receive(_state: object, message: SwitchMessage, ctx) {
      if (message.type !== 'packet_in') return;
      const { bufferId, inPort } = message;
      const isFromBelow = Number(inPort) <= half;
      const port = ctx.from.startsWith('core') ? 2 : isFromBelow ? half + 1 : 1;
      const actions = [{ type: 'output', port, maxLen: 0 }] as const;
      ctx.send(ctx.from, { type: 'packet_out', xid: 1, bufferId, inPort, actions, data: '' });
    },
  });

type Port = { readonly counters?: { readonly txPackets: number } };

/** A fat tree of switches, 500 for size 20, of which one packet visits five. */
export default defineSystem({ size: 20 }, ({ size }) => {
  const topology = new Tree(size).topology();
  const ports = new Map(topology.nodes.map((name) => [name, new Map<number, ProcessPort>()]));
  for (const { ends } of topology.links) {
    ports.get(ends[0].process)?.set(ends[0].port ?? 0, ends[1]);
    ports.get(ends[1].process)?.set(ends[1].port ?? 0, ends[0]);
  }
  const switches = topology.nodes.map((name, at) => {
    const peers = [...(ports.get(name) ?? [])].map(([portNo, { process, port = 0 }]) => ({
      portNo,
      hwAddr: '00:00:5e:00:54:01',
      peer: { process, port },
    }));
    const stations = (topology.stations ?? [])
      .filter(({ process }) => process === name)
      .map(({ port = 0 }) => ({ portNo: port, hwAddr: '00:00:5e:00:54:02' }));
    return [name, openflowSwitch({ datapathId: at + 1, controllers: ['c1'], ports: [...peers, ...stations] })] as const;
  });
  const processes: Readonly<Record<string, AnyBehavior>> = { c1: router(size / 2), ...Object.fromEntries(switches) };
  return defineSystem({
    name: 'fat tree',
    processes,
    topology,
    phrases: networkPhrases(),
    workload: [send('edge-0-0', { type: 'frame', port: 1, packet: frame(1, 2) })],
    invariants: {
      // Wrong, to see the packet arrive.
      nowhere: (world) => {
        const state: { ports?: Port[] } | undefined = world.process('edge-1-0').state;
        return (
          (state?.ports ?? []).every(({ counters }) => (counters?.txPackets ?? 0) === 0) || 'the packet has arrived'
        );
      },
    },
  });
});
