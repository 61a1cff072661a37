import { search, type System } from 'culprit';
import { controller, defineNetwork, linear, noBlackholes } from 'culprit/networks';
import type { Trace } from 'culprit/trace';

/** A learning switch learns where a station is, which then moves: a blackhole, in every execution. */
export const migration = (command: readonly string[]): System =>
  defineNetwork({
    controllers: { c1: controller(command) },
    topology: linear(2),
    migrations: true,
    traffic: (net) => [net.ping('h1', 'h2'), net.migrate('h1', 's2'), net.ping('h2', 'h1')],
    pace: { quietMs: 400 },
    invariants: { blackholes: noBlackholes({ persist: 3 }) },
  });

/** An execution that violates an invariant. */
export async function failing(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 5, control: false });
  const trace = findings[0]?.trace;
  if (trace === undefined) throw new Error('bench: no execution violates an invariant');
  return trace;
}
