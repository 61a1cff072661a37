import { loadavg } from 'node:os';
import type { Session } from 'culprit/kernel';
import { fatTree, linear } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { runNetwork, type NetworkRun, type Runner } from './network-run.ts';
import { countingController, countsOf } from './node-controller.ts';

const SMALL = 20;
const LARGE = 90;

/** A controller that sends nothing for so long has nothing to send. */
const QUIET_MS = 5_000;

/** Over TCP, with a controller in a process of its own. */
export const overSockets: Runner = {
  controllers: { c1: countingController() },
  async settle(session, switches, cuts) {
    for (let isOver = false; !isOver;) {
      await deliverAll(session);
      const { connected, portStatus, errors } = await countsOf(session, 'c1');
      isOver = connected === switches && portStatus === 2 * cuts;
      // Something may still be on its way.
      if (!isOver && (errors > 0 || (await session.wait?.({ ms: QUIET_MS })) === 'timeout'))
        throw new Error(`bench: ${connected} switches, ${portStatus} reports, ${errors} errors`);
    }
  },
};

async function deliverAll(session: Session): Promise<void> {
  for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
}

/**
 * Fat trees whose switches are connected to a controller in a process of its own, one TCP connection each: all handshakes done, one link in
 * twenty cut, and reported to the controller. Times depend on the load, which is printed.
 */
export async function* sockets(): AsyncGenerator<Measured> {
  await runNetwork(() => fatTree(SMALL), overSockets);
  const hundred = await runNetwork(() => linear(100), overSockets);
  yield { case: 'linear(100)', metric: 'connected', value: hundred.connected.seconds, unit: 's', target: '<= 2' };
  yield { case: 'linear(100)', metric: 'connected, processor time', value: hundred.connected.cpuSeconds, unit: 's' };
  const small = await runNetwork(() => fatTree(SMALL), overSockets);
  yield* rowsOf(`fatTree(${SMALL})`, small);
  const large = await runNetwork(() => fatTree(LARGE), overSockets);
  const name = `fatTree(${LARGE})`;
  yield* rowsOf(name, large);
  const maxBytes = process.resourceUsage().maxRSS * 1024;
  yield { case: name, metric: 'resident at most', value: maxBytes / 1e6, unit: 'MB', target: '<= 2000' };
  const perSwitch = ({ ended, switches }: NetworkRun, time: 'seconds' | 'cpuSeconds'): number => ended[time] / switches;
  const ratio = (time: 'seconds' | 'cpuSeconds'): number => perSwitch(large, time) / perSwitch(small, time);
  yield { case: name, metric: 'time per switch', value: ratio('seconds'), unit: `x fatTree(${SMALL})`, target: '<= 3' };
  yield {
    case: name,
    metric: 'processor time per switch',
    value: ratio('cpuSeconds'),
    unit: `x fatTree(${SMALL})`,
    target: '<= 3',
  };
}

function* rowsOf(name: string, run: NetworkRun): Generator<Measured> {
  const row = (metric: string, value: number, unit: string): Measured => ({ case: name, metric, value, unit });
  const { switches, stations, cuts, started, connected, ended, endedBytes } = run;
  yield row('switches', switches, '');
  yield row('stations', stations, '');
  yield row('built and started', started.seconds, 's');
  yield row('connected', connected.seconds, 's');
  yield row('handshakes', switches / (connected.seconds - started.seconds), '/s');
  yield row('port_status', (2 * cuts) / (ended.seconds - connected.seconds), '/s');
  yield row('processor time of culprit', ended.cpuSeconds, 's');
  yield row('resident at the end', endedBytes / 1e6, 'MB');
  yield row('load', loadavg()[0] as number, '');
}
