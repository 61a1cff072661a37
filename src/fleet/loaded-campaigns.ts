import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, clearStale, removeTemporary, temporaryName } from '../files/temporary.ts';
import { SessionPool } from '../workers/session-pool.ts';
import type { Broker } from './broker.ts';
import { short } from './blobs.ts';
import { fetchCampaign } from './campaign.ts';

/** Threads that have loaded the system of a campaign and repeated the probe. */
type Threads = SessionPool<unknown, unknown>;

interface LoadedCampaign {
  readonly threads: Promise<Threads>;
  /** The number of jobs under way. */
  jobs: number;
}

/** Threads of more campaigns take too much memory. */
const LOADED_MAX = 3;

/** Far more than any module takes to load, even on a busy machine. */
const LOAD_MS = 60_000;

const ALONE = 'Or use no fleet.';

/** The campaigns that a worker has jobs of. Each is loaded once. */
export class LoadedCampaigns {
  /** By name, the last one used at the end. */
  private readonly loaded = new Map<string, LoadedCampaign>();
  private readonly folder: string;

  constructor(
    private readonly broker: Broker,
    private readonly count: number,
    private readonly onLoaded: (name: string, kind: string) => void,
  ) {
    clearStale(tmpdir());
    this.folder = mkdtempSync(join(tmpdir(), temporaryName('-')));
  }

  /** Gives a job to the threads of a campaign. They are passed on only if they can run its system; `NotLoaded` says why not. */
  async run<T>(name: string, work: (threads: Threads) => Promise<T>): Promise<T> {
    const campaign = this.loaded.get(name) ?? this.begin(name);
    this.loaded.delete(name);
    this.loaded.set(name, campaign);
    campaign.jobs += 1;
    try {
      await this.unloadIdle();
      return await work(await campaign.threads.catch((error: unknown) => this.forget(name, error)));
    } finally {
      campaign.jobs -= 1;
    }
  }

  private begin(name: string): LoadedCampaign {
    const threads = this.load(name);
    // It may fail before a job awaits it.
    threads.catch(() => undefined);
    return { threads, jobs: 0 };
  }

  /** A later job may find a broker that has been repaired. */
  private forget(name: string, error: unknown): never {
    this.loaded.delete(name);
    throw new NotLoaded(error);
  }

  async end(): Promise<void> {
    const all = [...this.loaded.values()];
    this.loaded.clear();
    await Promise.all(all.map(ended));
    attempt(() => removeTemporary(this.folder));
  }

  private async load(name: string): Promise<Threads> {
    const { code, bundle, nth, parameters, probe, work } = await fetchCampaign(this.broker, name);
    const file = join(this.folder, `system-${short(bundle)}.mjs`);
    writeFileSync(file, code);
    const assignment = { file, nth, parameters, probe, work };
    const pool = new SessionPool<unknown, unknown>(this.count, { assignment, loadMs: LOAD_MS, alone: ALONE });
    try {
      await pool.joined();
    } catch (error) {
      await pool.end();
      throw error;
    }
    this.onLoaded(short(name), (work as { readonly kind: string }).kind);
    return pool;
  }

  /** Ends the threads of the campaign that had no job for longest. */
  private async unloadIdle(): Promise<void> {
    const idle = [...this.loaded].find(([, { jobs }]) => jobs === 0);
    if (idle === undefined || this.loaded.size <= LOADED_MAX) return;
    const [name, campaign] = idle;
    this.loaded.delete(name);
    await ended(campaign);
  }
}

const ended = async ({ threads }: LoadedCampaign): Promise<void> => {
  const pool = await threads.catch(() => undefined);
  await pool?.end();
};

/** The threads of a worker cannot run the system of a campaign. */
export class NotLoaded extends Error {
  constructor(override readonly cause: unknown) {
    super('the campaign could not be loaded');
  }
}
