import { isError, isAcknowledged, shownOperation, type BodyOperation, type Problem } from '../checks/problem.ts';
import type { Body } from '../protocol/body.ts';
import { whyWrongType, type Dice, type Workload } from './workload.ts';

const READS = 4;
const DELTA_MAX = 5;

/**
 * Numbers are added at any node. After everything has healed, every node reads a possible sum: all acknowledged additions, and any
 * of those with an unknown result.
 */
const counter = (least: number): Workload => ({
  request: (dice: Dice): Body =>
    dice.nextInt(1, READS) === 1 ? { type: 'read' } : { type: 'add', delta: dice.nextInt(least, DELTA_MAX) },
  whyWrong: (request, reply) =>
    request.type === 'read' ? whyWrongType(request, reply, 'value', Number.isInteger) : whyWrongType(request, reply),
  final: {
    request: () => ({ type: 'read' }),
    learn: (_seen, reply) =>
      whyWrongType({ type: 'read' }, reply, 'value', Number.isInteger) ? undefined : { seen: reply['value'] },
    summary: String,
    check: impossibleSum,
  },
});

export const gCounter: Workload = counter(0);
export const pnCounter: Workload = counter(-DELTA_MAX);

const sumOf = (additions: readonly BodyOperation[]): number =>
  additions.reduce((sum, { input }) => sum + Number(input['delta']), 0);

function impossibleSum(operations: readonly BodyOperation[], seen: ReadonlyMap<string, unknown>): Problem | undefined {
  const additions = operations.filter((one) => one.input.type === 'add' && !isError(one));
  const certain = additions.filter(isAcknowledged);
  const open = additions.filter((one) => !isAcknowledged(one));
  const sums = possibleSums(sumOf(certain), open);
  for (const [node, value] of seen) {
    if (sums.has(value as number)) continue;
    const unclear = open.length === 0 ? '' : `, and ${open.map(shownOperation).join(', ')} may count or not`;
    return {
      kind: 'wrong sum',
      message: `${node} reads ${String(value)} in the end, but the acknowledged additions make ${sumOf(certain)}${unclear}`,
      processes: [node],
      values: { node, value, acknowledged: certain.map(shownOperation) },
    };
  }
  return undefined;
}

/** Additions with an unknown result may count or not. Their sums are few, because deltas are small. */
function possibleSums(certain: number, open: readonly BodyOperation[]): ReadonlySet<number> {
  let sums = new Set([certain]);
  for (const { input } of open) sums = new Set([...sums, ...[...sums].map((sum) => sum + Number(input['delta']))]);
  return sums;
}
