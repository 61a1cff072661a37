import { check, type Policy } from 'culprit';
import type { Measured } from '../row.ts';
import { protocols } from './study.ts';

/** As in the study: so many executions of black-box reduction. */
const EXECUTIONS = 3_000;

const policies: Readonly<Record<string, readonly Policy[]>> = {
  messages: ['messages'],
  crashes: ['crashes'],
  recoveries: ['recoveries'],
  rejoins: ['rejoins'],
  all: ['messages', 'crashes', 'recoveries', 'rejoins'],
  automatic: ['automatic'],
};

/**
 * How many times more executions black-box reduction takes than with each policy, to get through the same plans of faults.
 * Where either is not through after so many executions, the shares of the plans that were stand for it: estimates.
 */
export async function* redundancy(): AsyncGenerator<Measured> {
  for (const { protocol, system, set, study } of protocols) {
    for (const [at, faults] of [1, 2, 3].entries()) {
      const bounds = { set, faults: { crashes: faults, restarts: faults }, executions: EXECUTIONS, eventsMax: 150 };
      const bare = await check(system, { ...bounds, search: 'blackbox', seconds: 60 });
      for (const [name, reduce] of Object.entries(policies)) {
        const reduced = await check(system, { ...bounds, search: 'blackbox', reduce, seconds: 60 });
        const value = needed(bare) / needed(reduced);
        const target = name === 'all' ? { target: `>= ${study[at] as number}` } : {};
        yield {
          case: `${protocol} ${faults}C${faults}R, ${name}`,
          metric: 'redundancy',
          value,
          unit: 'times',
          ...target,
        };
      }
    }
  }
}

/** Executions for everything, as far as it can be told. */
const needed = ({ executions, share }: { readonly executions: number; readonly share: number }): number =>
  executions / Math.max(share, 1e-9);
