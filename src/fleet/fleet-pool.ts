import { clearInterval, setInterval } from 'node:timers';
import { version } from '../files/version.ts';
import type { FleetProgress, JobSource, Pool, PoolOptions } from '../workers/pool.ts';
import { BadWorkers } from '../workers/worker-pool.ts';
import { fetchContradiction, type StoredAnswer } from './answers.ts';
import { short } from './blobs.ts';
import { BadBroker, unlessAway, type Broker } from './broker.ts';
import { agreedSize, nodeMajor, storeCampaign } from './campaign.ts';
import { OpenJobs } from './open-jobs.ts';
import { pack, sha256, unpack } from './packed.ts';
import { refusalIn } from './refusal.ts';
import { fetchRoster, type Roster } from './roster.ts';

/** How often the caller looks around, and how often the broker is asked about old jobs and about workers. */
const WAKE_MS = 100;
const ASK_MS = 1_000;

/** How long the broker may be away. */
const AWAY_MS = 60_000;

/** Jobs that wait for the first worker. */
const HELD_MIN = 4;

const VERSIONS = `culprit ${version} on Node ${nodeMajor}`;

/**
 * Workers of other machines, with the verbs of `WorkerPool`. Each job is a function of itself and of the campaign, so its answer may
 * come from any worker, twice, or from an earlier command.
 */
export class FleetPool<Job, Answer> implements Pool {
  readonly isShared = false;
  private campaign = '';
  private open: OpenJobs | undefined;
  private readonly jobOf = new Map<string, Job>();
  private roster: Roster = { fit: [], unfit: [] };
  private jobsDone = 0;
  private failure: Error | undefined;
  private waiters: (() => void)[] = [];
  private hereMs = performance.now();
  private isAsking = false;
  private readonly waking: NodeJS.Timeout;
  private readonly asking: NodeJS.Timeout;
  private readonly preparing: Promise<void>;

  constructor(
    private readonly broker: Broker,
    private readonly jobs: JobSource<Job, Answer>,
    private readonly assignment: PoolOptions['assignment'],
  ) {
    this.preparing = this.prepare().catch(this.fail);
    this.waking = setInterval(() => this.wake(), WAKE_MS);
    this.asking = setInterval(() => void this.ask(), ASK_MS);
  }

  get fleet(): FleetProgress {
    const { fit } = this.roster;
    return { workers: fit.length, threads: this.threads, jobsDone: this.jobsDone, jobsOpen: this.jobOf.size };
  }

  private get threads(): number {
    return this.roster.fit.reduce((sum, { threads }) => sum + threads, 0);
  }

  dispatch(): void {
    const { open } = this;
    if (open === undefined || this.failure !== undefined) return;
    while (this.jobOf.size < Math.max(HELD_MIN, this.jobs.held * this.threads)) {
      const job = this.jobs.next();
      if (job === undefined) return;
      const packed = pack(job, 'a job');
      const id = `${short(this.campaign)}-${this.jobs.nameOf?.(job) ?? sha256(packed).slice(0, 20)}`;
      if (this.jobOf.has(id)) {
        // Equal jobs have one answer, which counts once.
        this.jobs.giveBack(job, { error: 'it was handed out already' });
        continue;
      }
      this.jobOf.set(id, job);
      open.add(id, packed);
    }
  }

  wait(): Promise<void> {
    this.dispatch();
    return new Promise((resolve) => void this.waiters.push(resolve));
  }

  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Workers come and go: none has to be there. */
  joined(): Promise<void> {
    this.check();
    return Promise.resolve();
  }

  stop(): void {
    const jobs = [...this.jobOf.values()];
    this.jobOf.clear();
    this.open?.recall().catch(this.fail);
    for (const job of jobs) this.jobs.giveBack(job, { error: 'the command was stopped' });
    this.wake();
  }

  async end(): Promise<void> {
    clearInterval(this.waking);
    clearInterval(this.asking);
    this.wake();
    await unlessAway(this.broker, this.left());
  }

  private async left(): Promise<void> {
    await this.preparing;
    await this.open?.recall();
    await this.open?.close();
  }

  private wake(): void {
    const { waiters } = this;
    this.waiters = [];
    for (const resolve of waiters) resolve();
  }

  private async prepare(): Promise<void> {
    this.campaign = await storeCampaign(this.broker, this.assignment);
    await this.jobs.agree?.((wanted) => agreedSize(this.broker, this.campaign, wanted));
    this.roster = await fetchRoster(this.broker.redis);
    this.mustFit();
    const news = {
      answered: (id: string, answer: StoredAnswer) => this.take(id, answer),
      failed: (id: string, reason: string) => this.hearFailure(id, reason),
    };
    this.open = new OpenJobs(this.broker, this.campaign, news, this.fail);
    this.dispatch();
  }

  /** A job has several answers if it was answered in parts. */
  private take(id: string, { packed }: StoredAnswer): void {
    const job = this.jobOf.get(id);
    if (job === undefined) return;
    this.jobOf.delete(id);
    this.jobsDone += 1;
    let rest: Job | undefined = job;
    for (const answer of unpack(packed) as Answer[]) if (rest !== undefined) rest = this.jobs.answered(rest, answer);
    this.dispatch();
    this.wake();
  }

  /** A worker that cannot run the system ends the campaign; a job that failed for another reason is done in this thread. */
  private hearFailure(id: string, reason: string): void {
    const refusal = refusalIn(reason);
    if (refusal !== undefined)
      return this.fail(
        new BadWorkers(`the worker ${refusal.worker} cannot do the job: ${refusal.problem}`, refusal.next),
      );
    const job = this.jobOf.get(id);
    if (job === undefined) return;
    this.jobOf.delete(id);
    this.jobs.giveBack(job, { error: reason });
    this.wake();
  }

  private async ask(): Promise<void> {
    if (this.isAway() || this.open === undefined || this.isAsking) return;
    this.isAsking = true;
    try {
      this.roster = await fetchRoster(this.broker.redis);
      this.mustFit();
      await this.open.ask();
      await this.mustAgree();
      this.dispatch();
    } catch (error) {
      // The connection may have been lost meanwhile.
      if (this.broker.redis.status === 'ready') this.fail(error);
    } finally {
      this.isAsking = false;
    }
  }

  private isAway(): boolean {
    const { redis, address } = this.broker;
    if (redis.status === 'ready') this.hereMs = performance.now();
    else if (performance.now() - this.hereMs > AWAY_MS)
      this.fail(
        new BadBroker(
          `the broker at ${address} has been away for ${AWAY_MS / 1000} s.`,
          'Start it again, then the same command: it finds the answers that are there.',
        ),
      );
    return redis.status !== 'ready';
  }

  /** Workers of other versions get no job. If there is no other, waiting would be in vain. */
  private mustFit(): void {
    const { fit, unfit } = this.roster;
    const [other] = unfit;
    if (fit.length > 0 || other === undefined) return;
    throw new BadWorkers(
      `the worker ${other.name} is refused: it has culprit ${other.culprit} on Node ${other.node}, this is ${VERSIONS}.`,
      'Start workers with the same version of culprit and the same major version of Node.',
    );
  }

  private async mustAgree(): Promise<void> {
    const found = await fetchContradiction(this.broker.redis, this.campaign);
    if (found === undefined) return;
    const [one, other] = found.workers;
    throw new BadWorkers(
      `the system is not deterministic: the workers ${one} and ${other} gave different answers to job ${found.job}.`,
      'Run culprit doctor on both machines.',
    );
  }

  private readonly fail = (error: unknown): void => {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    this.wake();
  };
}
