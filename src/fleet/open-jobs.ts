import type { Queue, QueueEvents } from 'bullmq';
import { fetchAnswers, type StoredAnswer } from './answers.ts';
import type { Broker } from './broker.ts';
import { queueName, storeJob } from './campaign.ts';

/** What happened to a job that was handed out. */
export interface JobNews {
  answered(id: string, answer: StoredAnswer): void;
  /** A worker failed to do it, or it stalled too often. */
  failed(id: string, reason: string): void;
}

/** How many jobs are asked about when nothing was heard: the oldest ones, because answers are taken in order. */
const ASKED = 32;

/** The number of events that the broker keeps: they are hints, and the next look finds what they said. */
const EVENTS_KEPT = 1_000;

/** Failed jobs stay until the coordinator has seen why. */
const OPTIONS = { removeOnComplete: true, removeOnFail: false } as const;

/**
 * The jobs that this coordinator has handed out and that are not done. The answers at the broker count; events are hints. A job that
 * has neither an answer nor a place in the queue, because the broker was killed, is added again: adding is idempotent.
 */
export class OpenJobs {
  private readonly queue: Queue;
  private readonly events: QueueEvents;
  /** Packed jobs by id, oldest first. */
  private readonly open = new Map<string, string>();
  private readonly hinted = new Set<string>();
  private looking: Promise<void> | undefined;

  constructor(
    private readonly broker: Broker,
    private readonly campaign: string,
    private readonly news: JobNews,
    private readonly onError: (error: unknown) => void,
  ) {
    const { bullmq, redis } = broker;
    const options = { connection: redis, streams: { events: { maxLen: EVENTS_KEPT } } };
    this.queue = new bullmq.Queue(queueName, options);
    this.events = new bullmq.QueueEvents(queueName, { connection: redis });
    // A lost connection is opened again; what happened meanwhile is asked for.
    this.queue.on('error', () => undefined);
    this.events.on('error', () => undefined);
    this.events.on('completed', ({ jobId }) => this.hint(jobId));
    this.events.on('failed', ({ jobId, failedReason }) => this.hearFailure(jobId, failedReason));
  }

  get size(): number {
    return this.open.size;
  }

  /** Hands out a job, unless it has an answer already: of an earlier command, or of another one under way. */
  add(id: string, packed: string): void {
    this.open.set(id, packed);
    this.attempt(async () => {
      const [answer] = await fetchAnswers(this.broker.redis, [id]);
      if (answer === undefined) await this.enqueue(id, packed);
      else this.settle(id, answer);
    });
  }

  /** Asks about the jobs that have waited longest, and adds those that the broker has lost. */
  async ask(): Promise<void> {
    const oldest = [...this.open].slice(0, ASKED);
    await this.look(oldest.map(([id]) => id));
    for (const [id, packed] of oldest) {
      if (!this.open.has(id)) continue;
      const job = await this.queue.getJob(id);
      if (job === undefined) await this.enqueue(id, packed);
      else if (await job.isFailed()) this.hearFailure(id, job.failedReason);
    }
  }

  /** Takes back the jobs that no worker has begun, and forgets all. */
  async recall(): Promise<void> {
    const ids = [...this.open.keys()];
    this.open.clear();
    // A job that a worker has begun cannot be removed: its answer stays for the next command.
    await Promise.all(ids.map((id) => this.queue.remove(id).catch(() => undefined)));
  }

  async close(): Promise<void> {
    await Promise.all([this.events.close(), this.queue.close()]);
  }

  private async enqueue(id: string, packed: string): Promise<void> {
    await this.queue.add('job', await storeJob(this.broker, this.campaign, packed), { jobId: id, ...OPTIONS });
  }

  private hint(id: string): void {
    if (!this.open.has(id)) return;
    this.hinted.add(id);
    this.looking ??= this.lookAtHinted();
  }

  /** One question for all that was heard meanwhile. */
  private async lookAtHinted(): Promise<void> {
    try {
      while (this.hinted.size > 0) {
        const ids = [...this.hinted];
        this.hinted.clear();
        await this.look(ids);
      }
    } catch (error) {
      this.onError(error);
    } finally {
      this.looking = undefined;
    }
  }

  private async look(ids: readonly string[]): Promise<void> {
    const answers = await fetchAnswers(this.broker.redis, ids);
    for (const [at, id] of ids.entries()) {
      const answer = answers[at];
      if (answer !== undefined) this.settle(id, answer);
    }
  }

  private settle(id: string, answer: StoredAnswer): void {
    if (this.open.delete(id)) this.news.answered(id, answer);
  }

  private hearFailure(id: string, reason: string): void {
    if (!this.open.delete(id)) return;
    // Another command may hand it out again.
    this.attempt(async () => void (await this.queue.remove(id)));
    this.news.failed(id, reason);
  }

  private attempt(work: () => Promise<void>): void {
    work().catch(this.onError);
  }
}
