import { check } from 'culprit';
import type { Policy } from 'culprit/kernel';
import type { Measured } from '../row.ts';
import { protocols } from './study.ts';

/** As in the study: the number of executions of black-box reduction. */
const EXECUTIONS = 3_000;

const policies: Readonly<Record<string, readonly Policy[]>> = {
  messages: ['lmi'],
  crashes: ['cmi'],
  recoveries: ['crs'],
  rejoins: ['rss'],
  all: ['lmi', 'cmi', 'crs', 'rss'],
  automatic: ['automatic'],
};

/**
 * The factor by which each policy would have reduced the executions of black-box reduction. Policies are only asked,
 * not obeyed: the method of the study, whose checker explores planned executions first in, first out.
 */
export async function* redundancy(): AsyncGenerator<Measured> {
  for (const { protocol, system, set, study } of protocols) {
    for (const [at, faults] of [1, 2, 3].entries()) {
      const { estimatedReductions } = await check(system, {
        set,
        search: 'blackbox-race-reversal',
        faults: { crashes: faults, restarts: faults },
        executions: EXECUTIONS,
        eventsMax: 150,
        estimateReduction: Object.values(policies),
      });
      for (const [index, name] of Object.keys(policies).entries()) {
        const { executions = 0, left = 0 } = estimatedReductions[index] ?? {};
        // If every execution has a restart like an earlier one of its own, none would have remained.
        const value = executions / Math.max(1, left);
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
