import type { Oracle } from '../kernel/ports.ts';
import type { Origin } from './record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import { HOLDS, type Violated } from '../trace/verdict.ts';
import type { Judge } from './run-and-judge.ts';

/**
 * The judge of candidates in a search for one violation. The other oracles have no say at the end of an execution. If
 * progress is violated, executions end with fair rounds, as in a hunt.
 */
export function judgeFor({ system, seed, eventsMax, handlerMs }: Origin, violation: Violated): Judge {
  const oracles = [...system.oracles].map(([name, oracle]): [string, Oracle] => [
    name,
    name === violation.oracle ? oracle : indifferent(oracle),
  ]);
  const rounds = system.oracles.get(violation.oracle)?.fairRounds;
  return {
    oracle: oracleOf({ ...system, oracles: new Map(oracles) }),
    handlerMs,
    ...(rounds === undefined ? {} : { fair: { rounds, seed, eventsMax } }),
  };
}

/**
 * The same oracle, except that an unknown verdict at the end counts as no objection. Before the end, unknown ends an
 * execution, and must.
 */
function indifferent(oracle: Oracle): Oracle {
  return {
    judge: (world, last) => oracle.judge(world, last),
    end(world, quiet) {
      const verdict = oracle.end?.(world, quiet) ?? HOLDS;
      return verdict.kind === 'unknown' ? HOLDS : verdict;
    },
    ...(oracle.begin === undefined ? {} : { begin: (session) => indifferent(oracle.begin?.(session) ?? oracle) }),
  };
}
