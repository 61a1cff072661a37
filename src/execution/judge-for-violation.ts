import type { Oracle } from '../kernel/ports.ts';
import type { Origin } from './record.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import { HOLDS, type Violated } from '../trace/verdict.ts';
import type { Judge } from './run-and-judge.ts';

/**
 * What candidates are judged by where one violation is looked for. Whether another oracle has something to say at the end is
 * no matter then; and where progress is violated, they end with fair rounds, as in a hunt.
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

/** Says nothing where it does not know in the end. Before that, it ends an execution, and must. */
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
