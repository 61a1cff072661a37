import { brief } from '../protocol/body.ts';
import { textOfValue } from '../transactions/transaction.ts';
import { isAcknowledged, isError, shownOperation, type BodyOperation, type Problem } from './problem.ts';

/** The messages of each key, with their offsets. */
export type Log = Readonly<Record<string, readonly (readonly [offset: number, message: unknown])[]>>;

/** A message at an offset, and the operation that shows it. */
interface Fact {
  readonly key: string;
  readonly offset: number;
  readonly message: unknown;
  readonly by: BodyOperation;
}

const isSend = ({ input }: BodyOperation): boolean => input.type === 'send';
const isPoll = ({ input }: BodyOperation): boolean => input.type === 'poll';

const polled = (poll: BodyOperation): [string, readonly (readonly [number, unknown])[]][] =>
  Object.entries((poll.output?.['msgs'] ?? {}) as Log);

function factsIn(operations: readonly BodyOperation[]): Fact[] {
  return operations.filter(isAcknowledged).flatMap((by): Fact[] => {
    if (isSend(by))
      return [{ key: String(by.input['key']), offset: Number(by.output?.['offset']), message: by.input['msg'], by }];
    if (!isPoll(by)) return [];
    return polled(by).flatMap(([key, messages]) => messages.map(([offset, message]) => ({ key, offset, message, by })));
  });
}

/** The first problem of what sends and polls show of the logs. */
export function inconsistentLog(operations: readonly BodyOperation[]): Problem | undefined {
  const facts = factsIn(operations);
  return (
    contradiction(facts, ({ key, offset }) => `${key} ${offset}`, 'inconsistent offsets') ??
    contradiction(facts, ({ key, message }) => `${key} ${textOfValue(message)}`, 'duplicate') ??
    unheardOf(operations) ??
    operations
      .filter((one) => isPoll(one) && isAcknowledged(one))
      .map((poll) => wrongPoll(poll, facts))
      .find(Boolean)
  );
}

/** Two facts with the same name that are not the same: one offset with two messages, or one message at two offsets. */
function contradiction(facts: readonly Fact[], nameOf: (fact: Fact) => string, kind: string): Problem | undefined {
  const known = new Map<string, Fact>();
  for (const fact of facts) {
    const other = known.get(nameOf(fact));
    known.set(nameOf(fact), other ?? fact);
    if (
      other === undefined ||
      (other.offset === fact.offset && textOfValue(other.message) === textOfValue(fact.message))
    )
      continue;
    return {
      kind,
      message: `${kind} of key ${fact.key}: ${shownFact(other)}, and ${shownFact(fact)}`,
      processes: [other.by.input.dest, fact.by.input.dest],
      values: { key: fact.key, offsets: [other.offset, fact.offset], messages: [other.message, fact.message] },
    };
  }
  return undefined;
}

const shownFact = ({ offset, message, by }: Fact): string => `${brief(message)} at ${offset} (${shownOperation(by)})`;

/** A poll of a message that no client had tried to send before the poll returned. */
function unheardOf(operations: readonly BodyOperation[]): Problem | undefined {
  const tried = new Map(
    operations
      .filter((one) => isSend(one) && !isError(one))
      .map(({ input, called }) => [`${String(input['key'])} ${textOfValue(input['msg'])}`, called]),
  );
  for (const { key, message, by } of factsIn(operations.filter(isPoll)))
    if ((tried.get(`${key} ${textOfValue(message)}`) ?? Infinity) > (by.returned ?? 0))
      return {
        kind: 'unheard of',
        message: `${shownOperation(by)} has ${brief(message)} of key ${key}, which no client sent`,
        processes: [by.input.dest],
        values: { key, message },
      };
  return undefined;
}

/** A poll goes up from the offset that was asked for, and leaves out no offset in between that has a message. */
function wrongPoll(poll: BodyOperation, facts: readonly Fact[]): Problem | undefined {
  const asked = poll.input['offsets'] as Readonly<Record<string, number>>;
  for (const [key, messages] of polled(poll)) {
    const offsets = messages.map(([offset]) => offset);
    const first = asked[key];
    const problem = (kind: string, message: string, values: object): Problem => ({
      kind,
      message: `${kind} of key ${key}: ${shownOperation(poll)} ${message}`,
      processes: [poll.process, poll.input.dest],
      values: { key, offsets, ...values },
    });
    const back = offsets.findIndex((offset, at) => offset <= (offsets[at - 1] ?? (first ?? -Infinity) - 1));
    if (back >= 0) return problem('nonmonotonic poll', `goes back to ${offsets[back]}`, { asked: first ?? null });
    if (first === undefined) continue;
    const last = offsets.at(-1) ?? -Infinity;
    const skipped = facts.find(
      (fact) => fact.key === key && fact.offset >= first && fact.offset < last && !offsets.includes(fact.offset),
    );
    if (skipped !== undefined)
      return problem('skipped poll', `leaves out ${shownFact(skipped)}`, { skipped: skipped.offset });
  }
  return undefined;
}

/** An acknowledged message that final polls of a node, from the beginning, do not have; or have elsewhere. */
export function lostWrite(
  operations: readonly BodyOperation[],
  seen: ReadonlyMap<string, unknown>,
): Problem | undefined {
  const sent = factsIn(operations.filter(isSend));
  for (const [node, log] of seen) {
    const lost = sent.find(
      ({ key, offset, message }) =>
        (log as Log)[key]?.every(([at, found]) => at !== offset || textOfValue(found) !== textOfValue(message)) ?? true,
    );
    if (lost === undefined) continue;
    return {
      kind: 'lost write',
      message: `${node} does not have ${brief(lost.message)} at ${lost.offset} of key ${lost.key} in the end: ${shownOperation(lost.by)} was acknowledged`,
      processes: [node, lost.by.input.dest],
      values: { node, key: lost.key, offset: lost.offset, final: (log as Log)[lost.key] ?? [] },
    };
  }
  return undefined;
}
