import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { FleetOnLoopback, killed } from '../../test/twins/fleet/processes.ts';
import { checkWith } from '../check/check.ts';
import { checkOptions } from '../check/options.ts';
import { storeAnswer } from '../fleet/answers.ts';
import { storeCampaign } from '../fleet/campaign.ts';
import { FleetPool } from '../fleet/fleet-pool.ts';
import { OpenJobs } from '../fleet/open-jobs.ts';
import { pack, unpack } from '../fleet/packed.ts';
import { refusalIn } from '../fleet/refusal.ts';
import { mustServe } from '../fleet/broker-health.ts';
import { connectBroker } from '../fleet/broker.ts';
import { Fleet } from '../fleet/fleet.ts';
import { signIn } from '../fleet/roster.ts';
import { version } from '../files/version.ts';
import { boundsOf, type SearchOptions } from '../hunt/options.ts';
import type { SearchReport } from '../hunt/report.ts';
import { Searcher, type Parallelism } from '../hunt/searcher.ts';
import { loadSystem } from '../system/load-system.ts';
import type { System } from '../system/definition.ts';
import type { Pool } from '../workers/pool.ts';
import { startThreads } from '../workers/worker-pool.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = async (path: string): Promise<System> => (await loadSystem(`${root}${path}`)).system;
const register = await load('test/workers/register.system.ts');
const trouble = await load('test/workers/trouble.system.ts');

const startFleet = async (...options: readonly string[]): Promise<FleetOnLoopback> => {
  const found = inject('programs').redisServer;
  if ('problem' in found) throw new Error(found.problem);
  return await FleetOnLoopback.start(found.path, ...options);
};

/** Aligned ranges of this size, so that a short hunt has many jobs. */
const pace = (size: number): Parallelism['pace'] => ({ size, isAligned: true, note() {} });

/** A hunt in this process that hands its jobs to the fleet. */
async function huntOver(url: string, system: System, options: SearchOptions, size = 8): Promise<SearchReport> {
  const fleet = await Fleet.connect(url);
  const how: Parallelism = { start: fleet.start, workers: 2, pace: pace(size), aloneMs: 0, waits: 'never', loadMs: 0 };
  try {
    return await new Searcher(system, boundsOf(options), how).run();
  } finally {
    fleet.end();
  }
}

const huntAlone = (system: System, options: SearchOptions): Promise<SearchReport> => {
  const how: Parallelism = { start: startThreads, workers: 1, pace: pace(100), aloneMs: 0, waits: 'never', loadMs: 0 };
  return new Searcher(system, boundsOf(options), how).run();
};

describe('a fleet', () => {
  let fleet: FleetOnLoopback;
  let redis: Redis;
  beforeAll(async () => {
    fleet = await startFleet();
    redis = new Redis(fleet.url);
    await fleet.startWorker();
  });
  afterAll(async () => {
    redis.disconnect();
    await fleet.end();
  });

  test('of 1, 2 and 4 workers reports what one thread reports, and once more without any worker', async () => {
    // All executions, and the first violation: that of the smallest seed. Another time limit makes another campaign.
    const all = { set: { clients: 3, what: 'violated' }, executions: 300, violations: 2 };
    const other = { ...all, handlerMs: 6_000 };
    const first = { ...all, violations: 1, handlerMs: 7_000 };
    const alone = await huntAlone(register, all);
    expect([alone.findings.length, alone.executions]).toEqual([1, 300]);
    expect(await huntOver(fleet.url, register, all)).toEqual(alone);
    await fleet.startWorker();
    expect(await huntOver(fleet.url, register, other)).toEqual(await huntAlone(register, other));
    await fleet.startWorker(2);
    const found = await huntOver(fleet.url, register, first);
    expect(found).toEqual(await huntAlone(register, first));
    expect([found.executions, found.findings[0]?.trace.header.seed]).toEqual([83, 82]);
    // The answers are at the broker, so a fleet without workers has them.
    const empty = await startFleet();
    onTestFinished(() => empty.end());
    await copyAnswers(redis, empty.url);
    expect(await huntOver(empty.url, register, all)).toEqual(alone);
  });

  test('leaves an execution that throws to the coordinator', async () => {
    const options = { set: { what: 'invariant' }, executions: 300, violations: 2 };
    const alone = await huntAlone(trouble, options).catch(messageOf);
    expect(alone).toMatch(/^seed 184: the invariant lucky threw after event 5: Error: invariant does not like 13/);
    expect(await huntOver(fleet.url, trouble, options, 200).catch(messageOf)).toBe(alone);
  });

  test('checks in pieces, with the report of threads', async () => {
    const options = { set: { what: 'violated' }, module: 'test/workers/register.system.ts' };
    const given = checkOptions.checked(options);
    const one = await Fleet.connect(fleet.url);
    const shared = await checkWith(register, { ...given, fleet: one.start }).finally(() => one.end());
    // Two threads that never begin: this one explores all pieces itself.
    const start: typeof startThreads = (jobs, how) => startThreads(jobs, { ...how, count: 0 });
    const pieces = await checkWith(register, { ...given, fleet: start });
    expect({ ...shared, seconds: 0 }).toEqual({ ...pieces, seconds: 0 });
    expect([shared.verdict, shared.executions > 500]).toEqual(['violated', true]);
  });

  describe('has workers that', () => {
    const assignment = {
      file: `${root}test/workers/register.system.ts`,
      nth: undefined,
      parameters: {},
      probe: undefined,
      work: { kind: 'hunt', config: { strategies: ['random'] } },
    };

    test('refuse a bundle that was changed at the broker', async () => {
      const broker = await connectBroker(fleet.url);
      onTestFinished(() => broker.redis.disconnect());
      const campaign = await storeCampaign(broker, assignment);
      const { bundle } = unpack((await redis.get(`culprit:blob:${campaign}`)) ?? '') as { bundle: string };
      await redis.append(`culprit:blob:${bundle}`, '// something else');
      let reason: string | undefined;
      const news = {
        answered: (id: string) => expect.unreachable(id),
        failed: (_: string, why: string) => (reason = why),
      };
      const jobs = new OpenJobs(broker, campaign, news, (error) => expect.unreachable(String(error)));
      jobs.add('changed', '{}');
      for (; reason === undefined; await setTimeout(50)) await jobs.ask();
      await jobs.close();
      expect(refusalIn(reason)?.problem).toMatch(
        new RegExp(`^the bundle ${bundle.slice(0, 16)} was changed at the broker: its SHA-256 is [0-9a-f]{16}\\.$`),
      );
    });

    test('contradict one another if the system is not deterministic, and are named', async () => {
      const broker = await connectBroker(fleet.url);
      onTestFinished(() => broker.redis.disconnect());
      const campaign = await storeCampaign(broker, { ...assignment, parameters: { clients: 1 } });
      const answers = [
        ['one', [1]],
        ['two', [1]],
        ['three', [2]],
      ] as const;
      for (const [worker, answer] of answers)
        await storeAnswer(broker.redis, campaign, 'a-job', { worker, packed: pack(answer, 'an answer') });
      const idle = { held: 1, next: () => undefined, answered: () => undefined, giveBack() {} };
      const pool = new FleetPool(broker, idle, { ...assignment, parameters: { clients: 1 } });
      const problem = await untilFailure(pool);
      await pool.end();
      expect(problem).toBe(
        'the system is not deterministic: the workers one and three gave different answers to job a-job.',
      );
    });

    test('are refused if all have another version of Node', async () => {
      const other = await startFleet();
      onTestFinished(() => other.end());
      const broker = await connectBroker(other.url);
      onTestFinished(() => broker.redis.disconnect());
      await signIn(broker.redis, { name: 'old', culprit: version, node: 18, platform: 'linux-x64', threads: 1 });
      await expect(huntOver(other.url, register, { executions: 50 })).rejects.toThrow(
        /^the worker old is refused: it has culprit \S+ on Node 18, this is culprit \S+ on Node \d+\.$/,
      );
    });
  });
});

const answersAt = async (redis: Redis): Promise<number> => (await redis.keys('culprit:answer:*')).length;

async function copyAnswers(from: Redis, url: string): Promise<void> {
  const to = new Redis(url);
  for (const key of await from.keys('culprit:answer:*')) await to.set(key, (await from.get(key)) ?? '');
  to.disconnect();
}

const messageOf = (error: unknown): string => (error as Error).message;

async function untilFailure(pool: Pool): Promise<string> {
  for (;;) {
    await pool.wait();
    try {
      pool.check();
    } catch (error) {
      return messageOf(error);
    }
  }
}

test('a campaign loses nothing if workers and the broker are killed, and workers drain on SIGTERM', async () => {
  const fleet = await startFleet();
  onTestFinished(() => fleet.end());
  const options = { set: { clients: 3, what: 'violated' }, executions: 600, violations: 2 };
  const hunting = huntOver(fleet.url, register, options, 4);
  const redis = new Redis(fleet.url);
  onTestFinished(() => redis.disconnect());
  for (let kills = 1; kills <= 3; kills++) {
    const worker = await fleet.startWorker();
    // In the middle of the campaign, and most likely of a job.
    while ((await answersAt(redis)) < 10 * kills) await setTimeout(5);
    await killed(worker);
  }
  await fleet.killBroker();
  await fleet.startBroker();
  const last = await fleet.startWorker();
  expect(await hunting).toEqual(await huntAlone(register, options));
  last.kill('SIGTERM');
  expect(await once(last, 'exit')).toEqual([0, null]);
});

test('a worker whose broker is gone ends on SIGTERM', async () => {
  const fleet = await startFleet();
  onTestFinished(() => fleet.end());
  const worker = await fleet.startWorker();
  await fleet.killBroker();
  worker.kill('SIGTERM');
  expect(await once(worker, 'exit')).toEqual([0, null]);
});

describe('a broker that', () => {
  test.each([
    ['forgets jobs', ['--appendonly', 'no'], /has no append-only file: it would forget all jobs when it is killed\.$/],
    ['removes jobs', ['--maxmemory-policy', 'allkeys-lru'], /removes jobs when its memory is full \(maxmemory-policy /],
    ['wants a password', ['--requirepass', 'secret'], /refuses this user or password: /],
    ['wants another password', ['--requirepass', 'secret'], /refuses this user or password: /, ':wrong@'],
  ])('%s is refused', async (_what, options, problem, login = '') => {
    const fleet = await startFleet(...options);
    onTestFinished(() => fleet.end());
    await expect(connectBroker(fleet.url.replace('//', `//${login}`))).rejects.toThrow(problem);
  });

  test('is too old is refused', () => {
    expect(() => mustServe('redis_version:6.0.16\r\n', 'redis://x')).toThrow(
      'the broker at redis://x is Redis 6.0.16, which is too old.',
    );
  });

  test('is not there: one sentence, exit code 2, and so is a missing package', () => {
    const hunt = ['hunt', 'test/workers/register.system.ts', '--fleet', 'redis://127.0.0.1:1'];
    const nowhere = culprit([], hunt);
    expect(nowhere).toEqual([2, 'error     the broker at redis://127.0.0.1:1 is not reachable: ECONNREFUSED.']);
    const missing = culprit(['--import', WITHOUT_BULLMQ], ['worker', 'redis://127.0.0.1:1']);
    expect(missing).toEqual([2, 'error     several machines need the package bullmq, which is not installed.']);
  });
});

/** A module after which Node finds no package bullmq. */
const WITHOUT_BULLMQ = `data:text/javascript,${encodeURIComponent(`
  import Module from 'node:module';
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => {
    if (name === 'bullmq') throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' });
    return resolve(name, ...rest);
  };`)}`;

/** The exit code of a command, and the first line of its errors. */
function culprit(node: readonly string[], args: readonly string[]): [number | null, string | undefined] {
  const { status, stderr } = spawnSync(process.execPath, [...node, 'dist/cli/main.js', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return [status, stderr.split('\n')[0]];
}
