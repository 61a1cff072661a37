import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import type { Job as QueuedJob, Worker } from 'bullmq';
import { nextAfter, problemOf } from '../error.ts';
import { version } from '../files/version.ts';
import { storeAnswer } from './answers.ts';
import { unlessAway, type Broker } from './broker.ts';
import { fetchJob, nodeMajor, queueName, type FleetJob } from './campaign.ts';
import { LoadedCampaigns, NotLoaded } from './loaded-campaigns.ts';
import { pack, unpack } from './packed.ts';
import { refusalText, type Refusal } from './refusal.ts';
import { BEAT_MS, signIn, signOff, type WorkerStatement } from './roster.ts';

/**
 * A job whose worker did not renew its lock for this long is given to another worker; looked for so often. A false alarm costs one job
 * that is executed twice.
 */
const LOCK_MS = 5_000;
const STALLED_MS = 1_000;

/** A job that is lost more often than this goes back to the coordinator: it may be the reason. */
const LOST_MAX = 3;

/** A process that executes jobs of other machines, in threads of its own: the thread that has the queue must stay free to renew locks. */
export class FleetWorker {
  readonly statement: WorkerStatement;
  private readonly campaigns: LoadedCampaigns;
  private readonly worker: Worker;
  private readonly beating: NodeJS.Timeout;
  jobsDone = 0;

  constructor(
    private readonly broker: Broker,
    threads: number,
    onCampaign: (name: string, kind: string) => void,
  ) {
    const platform = `${process.platform}-${process.arch}`;
    // Processes in containers may have equal names and numbers.
    const name = `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`;
    this.statement = { name, culprit: version, node: nodeMajor, platform, threads };
    this.campaigns = new LoadedCampaigns(broker, threads, onCampaign);
    const { bullmq, redis } = broker;
    this.worker = new bullmq.Worker<FleetJob>(queueName, (job) => this.execute(job), {
      connection: redis,
      concurrency: threads,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: LOST_MAX,
      drainDelay: 1,
      autorun: false,
    });
    // A lost connection is opened again.
    this.worker.on('error', () => undefined);
    this.beating = setInterval(() => void this.beat(), BEAT_MS);
  }

  /** Executes jobs until `drain`. */
  async run(): Promise<void> {
    await signIn(this.broker.redis, this.statement);
    await this.worker.run();
  }

  /** Ends after the jobs under way. */
  async drain(): Promise<void> {
    clearInterval(this.beating);
    await unlessAway(this.broker, this.left());
    await this.campaigns.end();
  }

  private async left(): Promise<void> {
    await this.worker.close();
    await signOff(this.broker.redis, this.statement.name);
  }

  private async beat(): Promise<void> {
    if (this.broker.redis.status === 'ready') await signIn(this.broker.redis, this.statement).catch(() => undefined);
  }

  private async execute({ id = '', data }: QueuedJob<FleetJob>): Promise<void> {
    const { name } = this.statement;
    const job = unpack(await fetchJob(this.broker, data));
    const answer = await this.campaigns
      .run(data.campaign, (threads) => threads.run(job))
      .catch((error: unknown) => {
        throw error instanceof NotLoaded ? new Error(refusalText(this.refusal(error.cause))) : error;
      });
    await storeAnswer(this.broker.redis, data.campaign, id, { worker: name, packed: pack(answer, 'an answer') });
    this.jobsDone += 1;
  }

  private refusal(cause: unknown): Refusal {
    return {
      worker: this.statement.name,
      problem: problemOf(cause),
      next: nextAfter(cause, 'Run culprit doctor on both machines.'),
    };
  }
}
