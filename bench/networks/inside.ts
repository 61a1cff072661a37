import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { InsideOptions } from 'culprit/live';
import { controller } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { withPacketIns } from './packet-ins.ts';

/** Packets of unknown stations, one after the other. Each makes the controller read its clock once, and log a line. */
const PACKETS = 200;

const none = { shim: 'python', time: false, random: false, timers: false, logs: false } as const;

/** What the shim does, for each row. */
const settings: Readonly<Record<string, InsideOptions | undefined>> = {
  'no shim': undefined,
  'logs as notes': { ...none, logs: 'notes' },
  'clock and logs': { ...none, time: true, logs: 'notes' },
  'clock and logs as barriers': { ...none, time: true, logs: 'barriers' },
};

const program = fileURLToPath(new URL('../../cases/controllers/plain_controller.py', import.meta.url));

/** The time from a PacketIn to its flow_mod through culprit, by what the shim of the controller does: the median, and what it adds. */
export async function* inside(): AsyncGenerator<Measured> {
  let withoutShim: number | undefined;
  for (const [name, options] of Object.entries(settings)) {
    const behavior = controller(['python3', program, '$address', '$port'], options && { inside: options });
    const ms = median(await withPacketIns(behavior, timesOf));
    withoutShim ??= ms;
    yield { case: name, metric: 'PacketIn to flow_mod', value: ms, unit: 'ms' };
    if (options !== undefined) yield { case: name, metric: 'added', value: ms - withoutShim, unit: 'ms' };
  }
  yield { case: 'all', metric: 'load', value: loadavg()[0] as number, unit: '' };
}

async function timesOf(answered: (station: number) => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let station = 1; station <= PACKETS; station++) {
    const beganMs = performance.now();
    await answered(station);
    times.push(performance.now() - beganMs);
  }
  return times;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number;
