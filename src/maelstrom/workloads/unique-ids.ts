import { historyOracle } from '../../oracles/history-oracle.ts';
import { canonicalText } from '../../oracles/linearizability/canonical.ts';
import {
  bodyOperations,
  isAcknowledged,
  shownOperation,
  verdictOn,
  type BodyOperation,
  type Problem,
} from '../checks/problem.ts';
import { whyWrongType, type Workload } from './workload.ts';

/** Nodes generate ids, no two of which are equal. */
export const uniqueIds: Workload = {
  request: () => ({ type: 'generate' }),
  whyWrong: (request, reply) => whyWrongType(request, reply, 'id'),
  oracle: historyOracle((operations) => verdictOn('unique-ids', duplicateId(bodyOperations(operations)))),
};

function duplicateId(operations: readonly BodyOperation[]): Problem | undefined {
  const byId = new Map<string, BodyOperation>();
  for (const operation of operations.filter(isAcknowledged)) {
    const id = canonicalText(operation.output?.['id'], 'an id');
    const other = byId.get(id);
    if (other !== undefined)
      return {
        kind: 'duplicate',
        message: `the id ${id} was generated twice: ${shownOperation(other)}, and ${shownOperation(operation)}`,
        processes: [other.input.dest, operation.input.dest],
        values: { id: operation.output?.['id'] },
      };
    byId.set(id, operation);
  }
  return undefined;
}
