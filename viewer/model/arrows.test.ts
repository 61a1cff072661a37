import { behavior, crash, defineSystem, search } from 'culprit';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { arrowsOf } from './arrows.ts';

const idle = behavior<object, string>({ start: () => ({}), receive() {} });

/** Sends twice to b as it starts. */
const talker = behavior<object, string>({
  start(ctx) {
    ctx.send('b', 'one');
    ctx.send('b', 'two');
    return {};
  },
  receive() {},
});

/** The execution in which all processes start, and b crashes before any delivery. */
async function traceOfCrash() {
  const system = defineSystem({
    processes: { a: talker, b: idle, c: talker },
    transport: { onCrash: { to: 'drop', from: 'keep' } },
    workload: [crash('b')],
    invariants: { notAtOnce: ({ length, last }) => length !== 4 || last?.kind !== 'crash' || 'b has crashed' },
  });
  const { findings } = await search(system, { executions: 50 });
  return findings[0]?.trace as Trace;
}

test('a message that a crash drops is drawn from its sending', async () => {
  const trace = await traceOfCrash();
  expect(trace.events[3]?.dropped?.map(({ to, why, cause }) => [to, why, cause])).toEqual([
    ['b', 'crash', 1],
    ['b', 'crash', 1],
    ['b', 'crash', 3],
    ['b', 'crash', 3],
  ]);
  const lost = (sender: string, from: number) => ({ from, to: 3, sender, receiver: 'b', fate: 'lost', count: 2 });
  expect(arrowsOf(trace)).toEqual([lost('a', 0), lost('c', 2)]);
});

test('an arrow has no start if the file does not name one', async () => {
  const trace = await traceOfCrash();
  const events = trace.events.map(({ dropped, ...line }) => ({
    ...line,
    ...(dropped && { dropped: dropped.map(({ cause: _cause, ...message }) => message) }),
  }));
  expect(arrowsOf({ ...trace, events })).toEqual([
    { from: 3, to: 3, sender: undefined, receiver: 'b', fate: 'lost', count: 4 },
  ]);
});

test('a message that is lost when it is sent is drawn from its sending', async () => {
  const system = defineSystem({
    processes: { a: talker },
    transport: { toAbsent: 'drop' },
    kinds: { late: () => idle },
    invariants: { never: ({ length }) => length < 1 || 'a has started' },
  });
  const { findings } = await search(system, { executions: 1 });
  const trace = findings[0]?.trace as Trace;
  expect(trace.events[0]?.dropped?.map(({ why, cause }) => [why, cause])).toEqual([
    ['absent', undefined],
    ['absent', undefined],
  ]);
  expect(arrowsOf(trace)).toEqual([{ from: 0, to: 0, sender: 'a', receiver: 'b', fate: 'lost', count: 2 }]);
});
