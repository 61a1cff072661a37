import { DataDigest } from '../../trace/data-digest.ts';
import { hex } from '../../trace/digest.ts';
import { dataOf } from '../../kernel/user-code/answer.ts';
import type { Reduction } from '../../kernel/ports.ts';
import { SystemThrew } from '../../kernel/errors.ts';
import type { ReductionRules } from '../../system/reduction-rules.ts';
import type { ProcessView } from '../../kernel/world.ts';

type Rule = NonNullable<ReductionRules['recovery']>;

/**
 * Crash recovery symmetry (CRS): a crash is not explored again if the survivors recover as they have after any earlier
 * crash. It depends on other executions, and so may miss some: a heuristic.
 */
export const recoveries = (rule: Rule): Reduction => familiar('crs', 'crash', 'reduce.recovery', rule);

/** Reboot synchronization symmetry (RSS): the same for processes that come back. */
export const rejoins = (rule: Rule): Reduction => familiar('rss', 'restart', 'reduce.rejoin', rule);

function familiar(name: string, kind: 'crash' | 'restart', ruleName: string, rule: Rule): Reduction {
  const seen = new Set<string>();
  return {
    name,
    seen,
    isFamiliar({ world }, step) {
      if (step.kind !== kind) return false;
      const one = world.process(step.process);
      // The thesis leaves out the crashed process; then crashes of different roles would count as equal.
      const own = one.up ? one.state : one.disk;
      const others = world.up().filter((other) => other.name !== step.process);
      const abstract = others.map((other) => textOf(asked(ruleName, rule, other, one))).sort();
      const key = hex(new DataDigest().data([textOf(own), ...abstract]));
      if (seen.has(key)) return true;
      seen.add(key);
      return false;
    },
  };
}

const textOf = (value: unknown): string => hex(new DataDigest().data(value));

function asked(ruleName: string, rule: Rule, survivor: ProcessView, one: ProcessView): unknown {
  const who = `${ruleName}, asked about ${survivor.name} and ${one.name},`;
  let answer: unknown;
  try {
    answer = rule(survivor, one);
  } catch (error) {
    throw new SystemThrew(who, error);
  }
  return dataOf(who, answer, 'Return plain data: what the recovery depends on, or undefined if it depends on nothing.');
}
