import { CulpritError } from '../error.ts';

/** A broker that could lose jobs or answers. */
class UnsafeBroker extends CulpritError {
  readonly code = 'UNSAFE_BROKER';
}

/** The oldest Redis that BullMQ recommends. */
const OLDEST = [6, 2] as const;

/** Refuses a broker that is too old, forgets jobs when it is killed, or removes them when its memory is full. `info` is its reply to INFO. */
export function mustServe(info: string, address: string): void {
  const fields = new Map(info.split(/\r?\n/).map((line) => splitOnce(line)));
  const version = fields.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new UnsafeBroker(
      `the broker at ${address} is Redis ${version}, which is too old.`,
      `Use Redis ${OLDEST.join('.')} or newer, or Valkey.`,
    );
  if (fields.get('aof_enabled') !== '1')
    throw new UnsafeBroker(
      `the broker at ${address} has no append-only file: it would forget all jobs when it is killed.`,
      'Start it with --appendonly yes, or: redis-cli config set appendonly yes',
    );
  const policy = fields.get('maxmemory_policy');
  if (policy !== 'noeviction')
    throw new UnsafeBroker(
      `the broker at ${address} removes jobs when its memory is full (maxmemory-policy ${policy ?? 'unknown'}).`,
      'Start it with --maxmemory-policy noeviction, or: redis-cli config set maxmemory-policy noeviction',
    );
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1)];
}
