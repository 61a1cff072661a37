import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { connectBroker } from '../fleet/broker.ts';
import { FleetWorker } from '../fleet/fleet-worker.ts';
import { plural } from '../text/plural.ts';
import { Interruption } from './interruption.ts';
import { printLines } from './output/lines.ts';
import { atLeast } from './settings.ts';

interface Options {
  readonly workers?: number;
}

export const workerCommand = (): Command =>
  new Command('worker')
    .description('execute jobs of hunts and checks on other machines')
    .argument('<broker>', 'the Redis or Valkey that the machines share, redis://host:port')
    .option('-w, --workers <n>', 'worker threads (default: one per processor)', atLeast(1))
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
A worker needs no checkout: it gets the system from the broker, as one file under its SHA-256, and repeats one execution before it takes a
job. It serves commands with the same version of culprit and the same major version of Node. Everybody who can write to that Redis can
run code on the workers: use a password, rediss://, or an address that only you can reach.

SIGTERM or Ctrl-C ends it after the jobs under way (exit code 0); a second one ends it at once. Nothing is lost if it is killed: another
worker executes its jobs after some seconds.

The broker: redis-server --bind 127.0.0.1 --appendonly yes --maxmemory-policy noeviction

Examples:
  culprit worker redis://127.0.0.1
  culprit worker rediss://user:password@broker.internal --workers 4
  culprit hunt ./raft.system.ts --executions 1000000 --fleet redis://127.0.0.1

Exit codes: 0 ended by a signal, 2 no worker: the broker cannot be used, or a package is missing.`;

async function run(url: string, { workers = availableParallelism() }: Options): Promise<void> {
  const broker = await connectBroker(url);
  const interruption = Interruption.listening();
  const worker = new FleetWorker(broker, workers, (name, kind) => printLines([`campaign  ${name}, a ${kind}`]));
  const { name, culprit, node, platform } = worker.statement;
  printLines([
    `worker    ${name}: culprit ${culprit}, Node ${node}, ${platform}, ${plural(workers, 'thread')}`,
    `broker    ${broker.address}`,
  ]);
  const drained = new Promise<void>((resolve) => {
    interruption.signal.addEventListener('abort', () => void worker.drain().then(resolve));
  });
  await Promise.race([worker.run(), drained]);
  await drained;
  broker.redis.disconnect();
  printLines([`ended     after ${plural(worker.jobsDone, 'job')}`]);
}
