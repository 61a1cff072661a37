import { generate, send } from 'culprit';
import fc from 'fast-check';
import { mesh, sessionAffinity, type Station } from 'culprit/networks';
import { studySystem } from '../study.ts';
import { client } from './client.ts';

const topology = mesh(3);
const [h1, ...servers] = topology.stations as [Station, ...Station[]];
const pairs = topology.stations.flatMap(({ name }) =>
  servers.filter((to) => to.name !== name).map((to) => [name, to.name] as const),
);
/** Of which one in five opens a flow. */
const INPUTS = 160;

const open = (flow: number) => send('client', { type: 'open', flow });

/** Flows from h1 to the service behind h2 and h3, until the table of s1 is full. */
export default studySystem(
  160,
  ({ table }) => ({
    controllers: { c1: { app: 'balancer', bug: 'unchecked', given: { servers: servers.map(({ ip }) => ip).join() } } },
    processes: { client: client(h1) },
    topology,
    settle: { self: false },
    switches: { tableMax: table },
    pace: { roundMs: 70, quietMs: 300 },
    traffic: (net) => {
      const pings = fc.constantFrom(...pairs).map(([from, to]) => net.ping(from, to));
      return [generate(INPUTS, [1, fc.nat(50_000).map(open)], [4, pings])];
    },
    script: Array.from({ length: table - 1 }, (_, flow) => open(flow)),
    // Which server is drawn differs from replay to replay.
    minimize: { mask: ['actions'] },
    invariants: { affinity: sessionAffinity({ servers: servers.map(({ name }) => name) }) },
  }),
  { table: 25 },
);
