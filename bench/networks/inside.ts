import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { InsideOptions } from 'culprit/live';
import { controller } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { withPacketIns } from './packet-ins.ts';

/** Packets of unknown stations, one after the other, in batches. Each makes the controller read its clock once, and log a line. */
const [PACKETS, BATCHES] = [50, 6];

const none = { shim: 'python', time: false, random: false, timers: false, logs: false } as const;

/** What the shim does, for each row. */
const settings: Readonly<Record<string, InsideOptions | undefined>> = {
  'no shim': undefined,
  'logs as notes': { ...none, logs: 'notes' },
  'clock and logs': { ...none, time: true, logs: 'notes' },
  'clock and logs as barriers': { ...none, time: true, logs: 'barriers' },
  'clock, logs, sockets': { ...none, time: true, logs: 'notes', sockets: true },
};

const program = fileURLToPath(new URL('../../cases/controllers/plain_controller.py', import.meta.url));

/** What a packet costs, in milliseconds. */
interface Cost {
  /** From its PacketIn to its flow_mod through culprit: the median. */
  readonly time: number;
  /** The CPU time of the controller, and that of culprit, which also looks whether the controller is quiet: in the best batch. */
  readonly controllerCpu: number;
  readonly culpritCpu: number;
}

/** What a PacketIn costs through culprit, by what the shim of the controller does, and what the shim adds. */
export async function* inside(): AsyncGenerator<Measured> {
  // The first packets take longer, because code of culprit is compiled meanwhile.
  await withPacketIns(controllerWith(undefined), costOf);
  let withoutShim: Cost | undefined;
  for (const [name, options] of Object.entries(settings)) {
    const cost = await withPacketIns(controllerWith(options), costOf);
    withoutShim ??= cost;
    for (const [part, metric] of Object.entries(metrics) as [keyof Cost, string][]) {
      yield { case: name, metric, value: cost[part], unit: 'ms' };
      if (options !== undefined)
        yield { case: name, metric: `added ${metric}`, value: cost[part] - withoutShim[part], unit: 'ms' };
    }
  }
  yield { case: 'all', metric: 'load', value: loadavg()[0] as number, unit: '' };
}

const metrics: Readonly<Record<keyof Cost, string>> = {
  time: 'PacketIn to flow_mod',
  controllerCpu: 'CPU of the controller',
  culpritCpu: 'CPU of culprit',
};

const controllerWith = (options: InsideOptions | undefined): ReturnType<typeof controller> =>
  controller(['python3', program, '$address', '$port'], options && { inside: options });

async function costOf(answered: (station: number) => Promise<void>): Promise<Cost> {
  const times: number[] = [];
  const [controllerCpu, culpritCpu]: [number[], number[]] = [[], []];
  for (let batch = 0; batch < BATCHES; batch++) {
    const [controllerMs, culpritMs] = [controllersCpuMs(), ownCpuMs()];
    for (let packet = 1; packet <= PACKETS; packet++) {
      const beganMs = performance.now();
      await answered(batch * PACKETS + packet);
      times.push(performance.now() - beganMs);
    }
    controllerCpu.push((controllersCpuMs() - controllerMs) / PACKETS);
    culpritCpu.push((ownCpuMs() - culpritMs) / PACKETS);
  }
  return { time: median(times), controllerCpu: Math.min(...controllerCpu), culpritCpu: Math.min(...culpritCpu) };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const controllersCpuMs = (): number => controllers().reduce((sum, pid) => sum + cpuTimeOf(pid), 0);

const controllers = (): number[] =>
  readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program))
    .map(Number);

/** The kernel counts the time of each thread in nanoseconds. */
const cpuTimeOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, ms) => sum + ms, 0);

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number;
