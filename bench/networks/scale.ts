import { behavior, cut } from 'culprit';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { defineNetwork, fatTree, linear, networkStateOf, type NetworkMessage, type Topology } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { exposedGc } from '../timing.ts';

const SMALL = 20;
const LARGE = 90;
/** The share of links that are cut. */
const CUT_EVERY = 20;

/** Answers greetings, asks switches for their ports, and counts the reports on them. */
const controller = behavior<{ switches: number; reports: number }, NetworkMessage>({
  start: () => ({ switches: 0, reports: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'hello') {
      ctx.send(ctx.from, message);
      ctx.send(ctx.from, { type: 'features_request', xid: 1 });
    } else if (message.type === 'features_reply') state.switches++;
    else if (message.type === 'port_status') state.reports++;
  },
});

/** A fat tree with its controller: built, all handshakes done, one link in twenty cut and reported. */
export async function scale(): Promise<Measured[]> {
  await run(() => fatTree(SMALL));
  const small = await run(() => fatTree(SMALL));
  const hundred = await run(() => linear(100));
  const large = await run(() => fatTree(LARGE));
  const row = (metric: string, value: number, unit: string, target?: string): Measured => ({
    case: `fatTree(${LARGE})`,
    metric,
    value,
    unit,
    ...(target === undefined ? {} : { target }),
  });
  const perSwitch = (ms: number, { switches }: Run): number => ms / switches;
  return [
    { case: 'linear(100)', metric: 'connected', value: hundred.connectedMs / 1000, unit: 's', target: '<= 2' },
    row('switches', large.switches, ''),
    row('stations', large.stations, ''),
    row('built and started', large.startedMs / 1000, 's'),
    row('with handshakes and cuts', large.totalMs / 1000, 's'),
    row('resident once started', large.startedBytes / 1e9, 'GB', '<= 2'),
    row('resident at the end', large.endedBytes / 1e9, 'GB', '<= 2'),
    row('resident at most', process.resourceUsage().maxRSS / 1e6, 'GB', '<= 2'),
    row(
      'built and started, per switch',
      perSwitch(large.startedMs, large) / perSwitch(small.startedMs, small),
      `x fatTree(${SMALL})`,
      '<= 3',
    ),
    row(
      'all of it, per switch',
      perSwitch(large.totalMs, large) / perSwitch(small.totalMs, small),
      `x fatTree(${SMALL})`,
      '<= 3',
    ),
  ];
}

interface Run {
  readonly switches: number;
  readonly stations: number;
  readonly startedMs: number;
  /** With all handshakes. */
  readonly connectedMs: number;
  readonly totalMs: number;
  readonly startedBytes: number;
  readonly endedBytes: number;
}

async function run(made: () => Topology): Promise<Run> {
  const begin = cpuMs();
  const topology = made();
  const { links, switches, stations } = topology;
  const resolved = resolveSystem(defineNetwork({ topology, controllers: { c1: controller } }));
  const session = targetOf(resolved).open(1);
  for (const item of resolved.plan(1).items) if (item.kind === 'start') await session.perform(item);
  const startedMs = cpuMs() - begin;
  const startedBytes = residentBytes();
  await deliverAll(session);
  const connectedMs = cpuMs() - begin;
  const broken = resolved.declaration.links?.filter(({ lane }, at) => lane !== undefined && at % CUT_EVERY === 0) ?? [];
  for (const { between, lane } of broken) await session.perform(cut(...between, lane === undefined ? {} : { lane }));
  await deliverAll(session);
  const totalMs = cpuMs() - begin;
  expectAll(session, switches.length, broken.length);
  return {
    switches: switches.length,
    stations: stations.length,
    startedMs,
    connectedMs,
    totalMs,
    startedBytes,
    endedBytes: residentBytes(),
  };

  function expectAll({ world }: Session, connected: number, cuts: number): void {
    const state = world.process('c1').state as { switches: number; reports: number };
    const down = networkStateOf(world).switches.flatMap(({ ports }) => ports.filter(({ isUp }) => !isUp)).length;
    if (links.length < cuts || state.switches !== connected || state.reports !== 2 * cuts || down !== 2 * cuts)
      throw new Error(`bench: ${state.switches} switches, ${state.reports} reports, ${down} ports down`);
  }
}

async function deliverAll(session: Session): Promise<void> {
  for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
}

/** CPU time: wall time would include other work of the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Without garbage. */
function residentBytes(): number {
  exposedGc()();
  return process.memoryUsage().rss;
}
