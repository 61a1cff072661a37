import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { killed } from '../test/twins/fleet/processes.ts';
import { cpuOf, hunted, withFleet } from './fleet/command.ts';
import type { Bench, Measured } from './row.ts';

/** Enough for ten jobs. */
const EXECUTIONS = 160_000;

/** Long enough for the start of workers to matter little. */
const MANY_EXECUTIONS = 640_000;

const row = (name: string, metric: string, value: number, unit: string): Measured => ({
  case: name,
  metric,
  value: Number(value.toPrecision(4)),
  unit,
});

const load = (): Measured => row('machine', 'load', loadavg()[0] ?? 0, 'processes');

/** The rate of one thread, and of 1, 2 and 4 workers on this machine. */
async function* throughput(): AsyncGenerator<Measured> {
  const alone = await hunted(MANY_EXECUTIONS, '--workers', '1');
  yield row('one thread', 'rate', alone.executions / alone.seconds, 'executions/s');
  yield row('one thread', 'cpu', (alone.cpuSeconds / alone.executions) * 1e6, 'µs/execution');
  for (const count of [1, 2, 4])
    yield* await withFleet(async (fleet) => {
      const workers = [];
      while (workers.length < count) workers.push(await fleet.startWorker());
      const { report, executions, seconds } = await hunted(MANY_EXECUTIONS, '--fleet', fleet.url);
      const cpu = workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
      return [
        row(`${count} workers`, 'rate', executions / seconds, 'executions/s'),
        row(`${count} workers`, 'cpu of the workers', (cpu / executions) * 1e6, 'µs/execution'),
        row(`${count} workers`, 'same report', Number(report === alone.report), 'yes'),
      ];
    });
  yield load();
}

/** The CPU time that a job costs: what a longer hunt takes more than a shorter one, because both start and warm up. */
async function* jobs(): AsyncGenerator<Measured> {
  yield* await withFleet(async (fleet) => {
    const redis = new Redis(fleet.url);
    const worker = await fleet.startWorker();
    const until = async (...options: readonly string[]) => {
      const { cpuSeconds } = await hunted(EXECUTIONS, ...options, '--fleet', fleet.url);
      const answers = await redis.keys('culprit:answer:*');
      return { command: cpuSeconds, worker: cpuOf(worker.pid), broker: cpuOf(fleet.brokerPid), jobs: answers.length };
    };
    const short = await until();
    const long = await until('--seed', '1000000', '--executions', String(3 * EXECUTIONS));
    const [answer = ''] = await redis.keys('culprit:answer:*-s-1*');
    const bytes = await redis.strlen(answer);
    redis.disconnect();
    const count = long.jobs - short.jobs;
    const each = (seconds: number): number => (seconds / count) * 1e3;
    return [
      row('a job', 'executions', (3 * EXECUTIONS) / count, 'executions'),
      row('a job', 'an answer', bytes, 'bytes'),
      // It takes part in both hunts alone for a second.
      row('a job', 'cpu of the command', ((long.command - short.command) / (count - short.jobs)) * 1e3, 'ms'),
      row('a job', 'cpu of the worker, executions included', each(long.worker - short.worker), 'ms'),
      row('a job', 'cpu of the broker', each(long.broker - short.broker), 'ms'),
    ];
  });
  yield load();
}

/** From the kill of a worker in a job to the answer of another worker. */
async function* recovery(): AsyncGenerator<Measured> {
  yield* await withFleet(async (fleet) => {
    const redis = new Redis(fleet.url);
    const first = await fleet.startWorker();
    const hunting = hunted(EXECUTIONS, '--fleet', fleet.url);
    const lost = await activeJob(redis);
    await killed(first);
    const killedMs = performance.now();
    await fleet.startWorker();
    while ((await redis.exists(`culprit:answer:${lost}`)) === 0) await setTimeout(10);
    const recoveredMs = performance.now() - killedMs;
    await hunting;
    redis.disconnect();
    return [row('kill of a worker', 'its job is answered after', recoveredMs / 1000, 's')];
  });
  yield load();
}

/** A job that a worker has begun. */
async function activeJob(redis: Redis): Promise<string> {
  for (;;) {
    const [queue] = await redis.keys('bull:*:active');
    const [id] = queue === undefined ? [] : await redis.lrange(queue, 0, 0);
    if (id !== undefined) return id;
    await setTimeout(10);
  }
}

const KILLS = 20;

/** Kills and replaces a worker every second, and the broker once. */
async function* kills(): AsyncGenerator<Measured> {
  const alone = await hunted(EXECUTIONS, '--workers', '1');
  yield* await withFleet(async (fleet) => {
    const workers = [await fleet.startWorker(), await fleet.startWorker()];
    const hunting = hunted(EXECUTIONS, '--fleet', fleet.url);
    for (let count = 0; count < KILLS; count++) {
      await setTimeout(1_000);
      const [oldest] = workers.splice(0, 1);
      if (oldest !== undefined) await killed(oldest);
      if (count === KILLS / 2) {
        await fleet.killBroker();
        await fleet.startBroker();
      }
      workers.push(await fleet.startWorker());
    }
    const { report, seconds } = await hunting;
    return [
      row(`${KILLS} kills of workers, one of the broker`, 'same report', Number(report === alone.report), 'yes'),
      row(`${KILLS} kills of workers, one of the broker`, 'time', seconds, 's'),
    ];
  });
  yield load();
}

/** Several machines, all of them this one. All but CPU times depend on the load, which is printed. */
export const fleet: Bench = { throughput, jobs, recovery, kills };
