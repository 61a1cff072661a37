import { behavior } from 'culprit';
import type { Session } from 'culprit/kernel';
import { fatTree, linear, networkStateOf, type NetworkMessage } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { runNetwork, type NetworkRun, type Runner } from './network-run.ts';

const SMALL = 20;
const LARGE = 90;

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

const inMemory: Runner = {
  controllers: { c1: controller },
  async settle(session, switches, cuts) {
    for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
    expectAll(session, switches, cuts);
  },
};

function expectAll({ world }: Session, switches: number, cuts: number): void {
  const state = world.process('c1').state as { switches: number; reports: number };
  const down = networkStateOf(world).switches.flatMap(({ ports }) => ports.filter(({ isUp }) => !isUp)).length;
  if (state.switches !== switches || state.reports !== 2 * cuts || down !== 2 * cuts)
    throw new Error(`bench: ${state.switches} switches, ${state.reports} reports, ${down} ports down`);
}

/** A fat tree with its controller: built, all handshakes done, one link in twenty cut and reported. In processor time. */
export async function scale(): Promise<Measured[]> {
  await runNetwork(() => fatTree(SMALL), inMemory);
  const small = await runNetwork(() => fatTree(SMALL), inMemory);
  const hundred = await runNetwork(() => linear(100), inMemory);
  const large = await runNetwork(() => fatTree(LARGE), inMemory);
  const row = (metric: string, value: number, unit: string, target?: string): Measured => ({
    case: `fatTree(${LARGE})`,
    metric,
    value,
    unit,
    ...(target === undefined ? {} : { target }),
  });
  const timesSmall = (metric: string, moment: 'started' | 'ended'): Measured =>
    row(metric, perSwitch(large, moment) / perSwitch(small, moment), `x fatTree(${SMALL})`, '<= 3');
  return [
    { case: 'linear(100)', metric: 'connected', value: hundred.connected.cpuSeconds, unit: 's', target: '<= 2' },
    row('switches', large.switches, ''),
    row('stations', large.stations, ''),
    row('built and started', large.started.cpuSeconds, 's'),
    row('with handshakes and cuts', large.ended.cpuSeconds, 's'),
    row('resident once started', large.startedBytes / 1e9, 'GB', '<= 2'),
    row('resident at the end', large.endedBytes / 1e9, 'GB', '<= 2'),
    row('resident at most', process.resourceUsage().maxRSS / 1e6, 'GB', '<= 2'),
    timesSmall('built and started, per switch', 'started'),
    timesSmall('all of it, per switch', 'ended'),
  ];
}

const perSwitch = ({ switches, ...run }: NetworkRun, moment: 'started' | 'ended'): number =>
  run[moment].cpuSeconds / switches;
