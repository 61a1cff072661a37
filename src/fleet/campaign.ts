import { version } from '../files/version.ts';
import { portableModule } from '../system/portable-module.ts';
import { readTrace, writeTrace } from '../trace/file.ts';
import type { PoolOptions } from '../workers/pool.ts';
import type { Broker } from './broker.ts';
import { fetchBlob, KEPT_SECONDS, short, storeBlob } from './blobs.ts';
import { pack, unpack } from './packed.ts';

type Assignment = PoolOptions['assignment'];

/** The major version of Node: engines of different ones may order or print things differently. */
export const nodeMajor = Number(process.versions.node.split('.')[0]);

/** Workers of another version of culprit or Node have another queue, so they get no job of this one. */
export const queueName = `culprit-${version}-node${nodeMajor}`;

/** Everything that the jobs of a command have in common. Its SHA-256 is the name of the campaign: the same command again has the same. */
interface Campaign extends Omit<Assignment, 'file' | 'probe'> {
  readonly culprit: string;
  readonly node: number;
  /** The SHA-256 of the system's module, as one file. */
  readonly bundle: string;
  /** The execution that every worker must repeat, as the text of a trace. */
  readonly probe: string | undefined;
}

/** A job as the broker has it: the campaign, and the packed job or the SHA-256 of it. */
export interface FleetJob {
  readonly campaign: string;
  readonly job: string | { readonly blob: string };
}

/** Longer jobs and answers are stored apart. */
const INLINE_MAX = 100_000;

/** Stores the system and the assignment, and returns the name of the campaign. */
export async function storeCampaign({ redis }: Broker, { file, probe, ...rest }: Assignment): Promise<string> {
  const bundle = await storeBlob(redis, await portableModule(file));
  const text = probe && writeTrace(probe);
  const campaign: Campaign = { ...rest, culprit: version, node: nodeMajor, bundle, probe: text };
  return await storeBlob(redis, pack(campaign, 'the campaign'));
}

/** The system of the campaign of this name, and its assignment. */
export async function fetchCampaign({ redis }: Broker, name: string): Promise<FetchedCampaign> {
  const { bundle, probe, ...rest } = unpack(await fetchBlob(redis, name, 'the campaign')) as Campaign;
  const code = await fetchBlob(redis, bundle, 'the bundle');
  return { code, bundle, ...rest, probe: probe === undefined ? undefined : readTrace(probe, 'the probe') };
}

interface FetchedCampaign extends Omit<Assignment, 'file'>, Pick<Campaign, 'bundle'> {
  /** The text of the bundle. */
  readonly code: string;
}

/** The job for the broker. */
export async function storeJob({ redis }: Broker, campaign: string, job: string): Promise<FleetJob> {
  return { campaign, job: job.length <= INLINE_MAX ? job : { blob: await storeBlob(redis, job) } };
}

/** The packed job. */
export const fetchJob = async ({ redis }: Broker, { job }: FleetJob): Promise<string> =>
  typeof job === 'string' ? job : await fetchBlob(redis, job.blob, 'a job');

/** The size of jobs that the first command of this campaign wanted. */
export async function agreedSize({ redis }: Broker, campaign: string, wanted: number): Promise<number> {
  const key = `culprit:size:${short(campaign)}`;
  await redis.set(key, String(wanted), 'EX', KEPT_SECONDS, 'NX');
  return Number((await redis.get(key)) ?? wanted);
}
