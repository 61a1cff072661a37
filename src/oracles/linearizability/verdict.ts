import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import type { Linearizability } from './linearizability.ts';

const ORACLE = 'linearizability';

/**
 * The answer as a verdict. All violations have the same fingerprint: the operation at which a search fails depends on
 * how the operations overlap, so one bug shows at many operations.
 */
export function linearizabilityVerdict<S, I, O>(answer: Linearizability<S, I, O>): Verdict {
  switch (answer.kind) {
    case 'holds':
      return HOLDS;
    case 'unknown':
      return { kind: 'unknown', why: answer.why };
    case 'violated': {
      const { message, operation, concurrent } = answer.violation;
      const processes = [...new Set([operation, ...concurrent].map(({ process }) => process))];
      return { kind: 'violated', oracle: ORACLE, message, processes, fingerprint: ORACLE };
    }
  }
}
