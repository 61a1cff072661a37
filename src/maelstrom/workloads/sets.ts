import { historyOracle } from '../../oracles/history-oracle.ts';
import { canonicalText } from '../../oracles/linearizability/canonical.ts';
import {
  bodyOperations,
  isAcknowledged,
  isError,
  shownOperation,
  verdictOn,
  type BodyOperation,
  type Problem,
} from '../checks/problem.ts';
import type { Body } from '../protocol/body.ts';
import { whyWrongType, type Dice, type Workload } from './workload.ts';

/** The words of a workload in which elements are added to a set, and read. */
interface SetWords {
  readonly name: string;
  readonly add: string;
  readonly element: string;
  readonly elements: string;
}

/** One of so many requests is a read. */
const READS = 4;

/**
 * Elements are added at any node and must reach all of them: after everything has healed, every node has every element that was
 * acknowledged. No read has an element that no client added.
 */
const setWorkload = (words: SetWords): Workload => ({
  request: (dice: Dice, nth): Body =>
    dice.nextInt(1, READS) === 1 ? { type: 'read' } : { type: words.add, [words.element]: nth },
  whyWrong: (request, reply) =>
    request.type === 'read'
      ? whyWrongType(request, reply, words.elements, Array.isArray)
      : whyWrongType(request, reply),
  oracle: historyOracle((operations) => verdictOn(words.name, unheardOf(bodyOperations(operations), words))),
  final: {
    request: () => ({ type: 'read' }),
    learn: (_seen, reply) =>
      whyWrongType({ type: 'read' }, reply, words.elements, Array.isArray)
        ? undefined
        : { seen: reply[words.elements] },
    summary: (seen) => (seen as readonly unknown[]).map(textOf).toSorted().join(' '),
    check: (operations, seen) => lost(operations, seen, words) ?? unheardOfAtEnd(operations, seen, words),
  },
});

/** Every node learns its neighbors from `topology`, and passes messages on to them. */
export const broadcast: Workload = {
  ...setWorkload({ name: 'broadcast', add: 'broadcast', element: 'message', elements: 'messages' }),
  hasTopology: true,
};

/** A set that only grows. */
export const gSet: Workload = setWorkload({ name: 'g-set', add: 'add', element: 'element', elements: 'value' });

const textOf = (element: unknown): string => canonicalText(element, 'an element');

const additions = (operations: readonly BodyOperation[], { add }: SetWords): BodyOperation[] =>
  operations.filter(({ input }) => input.type === add);

function lost(
  operations: readonly BodyOperation[],
  seen: ReadonlyMap<string, unknown>,
  words: SetWords,
): Problem | undefined {
  const acknowledged = additions(operations, words).filter(isAcknowledged);
  for (const [node, elements] of seen) {
    const there = new Set((elements as readonly unknown[]).map(textOf));
    const missing = acknowledged.find(({ input }) => !there.has(textOf(input[words.element])));
    if (missing === undefined) continue;
    const element = missing.input[words.element];
    return {
      kind: 'lost',
      message: `${node} does not have ${textOf(element)} in the end: ${shownOperation(missing)} was acknowledged`,
      processes: [node, missing.input.dest],
      values: { element, node, final: elements },
    };
  }
  return undefined;
}

/** A read of an element that no client had tried to add before the read returned. */
function unheardOf(operations: readonly BodyOperation[], words: SetWords): Problem | undefined {
  const tried = new Map(
    additions(operations, words)
      .filter((one) => !isError(one))
      .map((one) => [textOf(one.input[words.element]), one.called]),
  );
  for (const read of operations.filter((one) => one.input.type === 'read' && isAcknowledged(one))) {
    const elements = read.output?.[words.elements] as readonly unknown[];
    const strange = elements.find((element) => (tried.get(textOf(element)) ?? Infinity) > (read.returned ?? 0));
    if (strange === undefined) continue;
    return {
      kind: 'unheard of',
      message: `${shownOperation(read)} has ${textOf(strange)}, which no client added`,
      processes: [read.input.dest],
      values: { element: strange },
    };
  }
  return undefined;
}

function unheardOfAtEnd(
  operations: readonly BodyOperation[],
  seen: ReadonlyMap<string, unknown>,
  words: SetWords,
): Problem | undefined {
  const tried = new Set(additions(operations, words).map(({ input }) => textOf(input[words.element])));
  for (const [node, elements] of seen) {
    const strange = (elements as readonly unknown[]).find((element) => !tried.has(textOf(element)));
    if (strange !== undefined)
      return {
        kind: 'unheard of',
        message: `${node} has ${textOf(strange)} in the end, which no client added`,
        processes: [node],
        values: { element: strange, node },
      };
  }
  return undefined;
}
