import { Fleet } from '../fleet/fleet.ts';
import type { StartPool } from '../workers/pool.ts';

/** The help of `--fleet`. */
export const FLEET_HELP =
  'the broker of several machines, redis://host:port, instead of --workers: see `culprit worker`';

/** Connects to the fleet for the time of the work; without an address there is none. */
export async function withFleet<T>(
  url: string | undefined,
  work: (start: StartPool | undefined) => Promise<T>,
): Promise<T> {
  if (url === undefined) return await work(undefined);
  const fleet = await Fleet.connect(url);
  try {
    return await work(fleet.start);
  } finally {
    fleet.end();
  }
}
