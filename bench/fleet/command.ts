import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FleetOnLoopback } from '../../test/twins/fleet/processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Debian's path. */
const SERVER = '/usr/bin/redis-server';

/** A fleet for the time of a measurement. */
export async function withFleet<T>(work: (fleet: FleetOnLoopback) => Promise<T>): Promise<T> {
  if (!existsSync(SERVER)) throw new Error(`there is no ${SERVER}: apt-get install redis-server`);
  const fleet = await FleetOnLoopback.start(SERVER);
  try {
    return await work(fleet);
  } finally {
    await fleet.end();
  }
}

/** The result of a hunt, and what it cost. */
export interface Hunted {
  /** The report without its times. */
  readonly report: string;
  readonly executions: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Hunts in a process of its own: nothing is violated, so that all seeds are executed. */
export async function hunted(executions: number, ...options: readonly string[]): Promise<Hunted> {
  const args = ['dist/cli/main.js', 'hunt', 'cases/lock/lock.system.ts', '--set', 'checksOwner=true', '--json'];
  const all = [...args, '--executions', String(executions), ...options];
  // The shell prints the CPU time of its children.
  const child = spawn('bash', ['-c', '"$0" "$@" 2>/dev/null; times >&2', process.execPath, ...all], { cwd: root });
  const [text, times] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
  const { seconds, example: _example, ...report } = JSON.parse(text) as Record<string, unknown> & { seconds: number };
  return {
    report: JSON.stringify(report),
    executions: Number(report['executions']),
    seconds,
    cpuSeconds: cpuIn(times),
  };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** The second line has the user and system time of children: `0m1.234s 0m0.056s`. */
const cpuIn = (times: string): number =>
  [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );

/** The CPU time of a process that is running, in seconds: two fields of its file, in hundredths. */
export function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
