import { historyOracle } from '../../oracles/history-oracle.ts';
import { canonicalText } from '../../oracles/linearizability/canonical.ts';
import type { Learned } from '../control.ts';
import { inconsistentLog, lostWrite, type Log } from '../checks/kafka-log.ts';
import { bodyOperations, verdictOn } from '../checks/problem.ts';
import { isObject, type Body } from '../protocol/body.ts';
import { whyWrongType, type Dice, type Memory, type Workload } from './workload.ts';

/** Logs by key: messages are appended, and polled from an offset on. Clients commit how far they are, and may begin again from there. */
export const kafka = (keys: number): Workload => {
  const names = Array.from({ length: keys }, (_, at) => String(at));
  return {
    request: (dice, nth) => drawn(dice, nth, names),
    prepare: (request, memory) => prepared(request, memory, names),
    learn,
    whyWrong,
    oracle: historyOracle((operations) => verdictOn('kafka', inconsistentLog(bodyOperations(operations)))),
    final: {
      request: (seen) => ({ type: 'poll', offsets: nextOffsets(names, seen as Log | undefined) }),
      learn: (seen, reply) =>
        whyWrong({ type: 'poll' }, reply) === undefined ? extended(seen as Log | undefined, reply) : undefined,
      summary: (seen) => canonicalText(seen, 'a log'),
      check: lostWrite,
    },
  };
};

function drawn(dice: Dice, nth: number, names: readonly string[]): Body {
  const kind = dice.nextInt(0, 9);
  if (kind < 5) return { type: 'send', key: names[dice.nextInt(0, names.length - 1)], msg: nth };
  if (kind < 8) return { type: 'poll' };
  if (kind < 9) return { type: 'commit_offsets' };
  return { type: 'list_committed_offsets', keys: names.filter(() => dice.nextInt(0, 1) === 1) };
}

/** A client polls from where it is: at first from the beginning. */
function prepared(request: Body, memory: Memory, names: readonly string[]): Body {
  const offsets = offsetsIn(memory);
  if (request.type === 'poll')
    return { ...request, offsets: offsets ?? Object.fromEntries(names.map((key) => [key, 0])) };
  return request.type === 'commit_offsets' ? { ...request, offsets: offsets ?? {} } : request;
}

const offsetsIn = (memory: Memory): Record<string, number> | undefined =>
  memory['offsets'] as Record<string, number> | undefined;

function learn(memory: Memory, request: Body, reply: Body): void {
  if (request.type === 'poll') {
    const offsets = { ...(request['offsets'] as Record<string, number>) };
    for (const [key, messages] of messagesIn(reply))
      offsets[key] = Math.max(offsets[key] ?? 0, ...messages.map(([offset]) => offset + 1));
    memory['offsets'] = offsets;
  } else if (request.type === 'list_committed_offsets') {
    const committed = reply['offsets'] as Readonly<Record<string, number>>;
    memory['offsets'] = Object.fromEntries((request['keys'] as string[]).map((key) => [key, committed[key] ?? 0]));
  }
}

const messagesIn = (reply: Body): [string, [number, unknown][]][] =>
  Object.entries(reply['msgs'] as Record<string, [number, unknown][]>);

function whyWrong(request: Body, reply: Body): string | undefined {
  switch (request.type) {
    case 'send':
      return whyWrongType(request, reply, 'offset', Number.isInteger);
    case 'poll':
      return whyWrongType(request, reply, 'msgs', (msgs) => isObject(msgs) && Object.values(msgs).every(isLog));
    case 'list_committed_offsets':
      return whyWrongType(
        request,
        reply,
        'offsets',
        (offsets) => isObject(offsets) && Object.values(offsets).every(Number.isInteger),
      );
    default:
      return whyWrongType(request, reply);
  }
}

const isLog = (messages: unknown): boolean =>
  Array.isArray(messages) &&
  messages.every((message) => Array.isArray(message) && message.length === 2 && Number.isInteger(message[0]));

const nextOffsets = (names: readonly string[], log: Log | undefined): Record<string, number> =>
  Object.fromEntries(names.map((key) => [key, Math.max(0, ...(log?.[key] ?? []).map(([offset]) => offset + 1))]));

/** The log with the messages of a poll, each offset once. There is more to poll as long as something new came. */
function extended(log: Log = {}, reply: Body): Learned {
  const seen: Record<string, (readonly [number, unknown])[]> = Object.fromEntries(
    Object.entries(log).map(([key, messages]) => [key, [...messages]]),
  );
  let hasMore = false;
  for (const [key, messages] of messagesIn(reply)) {
    const known = (seen[key] ??= []);
    const added = messages.filter(([offset]) => known.every(([other]) => other !== offset));
    known.push(...added);
    hasMore ||= added.length > 0;
  }
  return { seen, hasMore };
}
