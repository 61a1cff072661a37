import { cut } from 'culprit';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { defineNetwork, type NetworkDefinition, type Topology } from 'culprit/networks';
import { exposedGc } from '../timing.ts';

/** One link in so many is cut. */
const CUT_EVERY = 20;

/** A moment of a run: seconds since its beginning, on the clock and of processor time of culprit. */
interface Moment {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** What is left to do for those that run a network. */
export interface Runner {
  readonly controllers: NetworkDefinition['controllers'];
  /** Delivers everything until all switches are connected and all cuts are reported, of which there are so many. Throws if they are not. */
  readonly settle: (session: Session, switches: number, cuts: number) => Promise<void>;
}

export interface NetworkRun {
  readonly switches: number;
  readonly stations: number;
  readonly cuts: number;
  readonly started: Moment;
  /** With all handshakes. */
  readonly connected: Moment;
  /** With the reports on cut links. */
  readonly ended: Moment;
  /** Without garbage. */
  readonly startedBytes: number;
  readonly endedBytes: number;
}

/** Builds a network, starts it, connects all switches, cuts one link in twenty, and reports that to the controller. */
export async function runNetwork(made: () => Topology, { controllers, settle }: Runner): Promise<NetworkRun> {
  const since = stopwatch();
  const topology = made();
  const resolved = resolveSystem(defineNetwork({ topology, controllers }));
  const session = targetOf(resolved).open(1);
  try {
    for (const item of resolved.plan(1).items) if (item.kind === 'start') await session.perform(item);
    const started = since();
    const startedBytes = residentBytes();
    const switches = topology.switches.length;
    await settle(session, switches, 0);
    const connected = since();
    const links = resolved.declaration.links ?? [];
    const broken = links.filter(({ lane }, at) => lane !== undefined && at % CUT_EVERY === 0);
    for (const { between, lane } of broken) await session.perform(cut(...between, lane === undefined ? {} : { lane }));
    await settle(session, switches, broken.length);
    const ended = since();
    const counts = { switches, stations: topology.stations.length, cuts: broken.length };
    return { ...counts, started, connected, ended, startedBytes, endedBytes: residentBytes() };
  } finally {
    await session.close();
  }
}

function stopwatch(): () => Moment {
  const [ms, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: (performance.now() - ms) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}

function residentBytes(): number {
  exposedGc()();
  return process.memoryUsage().rss;
}
