import { BadHistory, linearizabilityVerdict, type Operation } from 'culprit/kernel';
import { checkLinearizable, models, readHistory, type Model } from 'culprit';
import { describe, expect, test } from 'vitest';

/** Draws operations as on paper: client, operation, and its interval; an unreturned one has no end. */
const operation = <I, O>(
  process: string,
  input: I,
  called: number,
  returned?: number,
  ...output: O[]
): Operation<I, O> => ({
  process,
  input,
  called,
  returned,
  ...(output.length > 0 ? { output: output[0] as O } : {}),
});

const read = { f: 'read' } as const;
const dequeue = { f: 'dequeue' } as const;
const write = (value: number) => ({ f: 'write', value }) as const;
const enqueue = (value: number) => ({ f: 'enqueue', value }) as const;
const cas = (from: number, to: number) => ({ f: 'cas', value: [from, to] }) as const;

const kindOf = <S, I>(model: Model<S, I, unknown>, ...history: Operation<I, unknown>[]): string =>
  checkLinearizable(history, model).kind;

describe('a call that the model does not have', () => {
  const refused = (model: unknown, input: unknown): unknown => {
    try {
      return checkLinearizable([operation('c1', input, 1, 2, 0)], model as Model<unknown, unknown, unknown>);
    } catch (error) {
      return error;
    }
  };

  test.each<[input: unknown, shown: string]>([
    [{ op: 'read' }, '{"op":"read"}'],
    [{ f: 'get' }, '{"f":"get"}'],
    [{ f: 'write' }, '{"f":"write"}'],
    ['read', '"read"'],
    [null, 'null'],
  ])('%j is an error that says which there are', (input, shown) => {
    expect(refused(models.register(0), input)).toMatchObject({
      code: 'BAD_HISTORY',
      message: `c1 calls ${shown}, which is no operation of the model.`,
      next: "Give calls in a form that the model takes: { f: 'read' } and { f: 'write', value }.",
    });
  });

  test.each([
    [models.compareAndSet(0), { f: 'cas', value: 1 }, "{ f: 'cas', value: [expected, replacement] }"],
    [models.keyValue, { f: 'read' }, "{ f: 'get' }, { f: 'put', value } and { f: 'delete' }"],
    [models.queue, { f: 'push', value: 1 }, "{ f: 'enqueue', value } and { f: 'dequeue' }"],
    [models.set, { f: 'has', value: 1 }, "{ f: 'contains', value }"],
  ])('is one for every model of ours', (model, input, takes) => {
    expect((refused(model, input) as BadHistory).next).toContain(takes);
  });

  test('is for the model to decide, if it is one of the user', () => {
    const counter: Model<number, string, number> = { initial: 0, step: (count) => ({ state: count + 1, output: 0 }) };
    expect(refused(counter, 'anything')).toMatchObject({ kind: 'holds' });
    const strict = { ...counter, refusal: (input: unknown) => (input === 'add' ? undefined : "'add'") };
    expect(refused(strict, 'add')).toMatchObject({ kind: 'holds' });
    expect((refused(strict, 'anything') as BadHistory).next).toContain("takes: 'add'.");
  });
});

describe('a register', () => {
  const register = models.register(0);

  test('a read that overlaps with a write may see it or not', () => {
    for (const seen of [0, 1]) {
      expect(kindOf(register, operation('a', write(1), 1, 4), operation('b', read, 2, 3, seen))).toBe('holds');
    }
  });

  test('a stale read: the write had returned', () => {
    expect(kindOf(register, operation('a', write(1), 1, 2), operation('b', read, 3, 4, 0))).toBe('violated');
  });

  test('once a read has seen the write, later reads do', () => {
    const during = operation('a', write(1), 1, 9);
    expect(kindOf(register, during, operation('b', read, 2, 3, 1), operation('c', read, 4, 5, 1))).toBe('holds');
    expect(kindOf(register, during, operation('b', read, 2, 3, 1), operation('c', read, 4, 5, 0))).toBe('violated');
    // Reads that overlap may see it in either order.
    expect(kindOf(register, during, operation('b', read, 2, 4, 1), operation('c', read, 3, 5, 0))).toBe('holds');
  });

  test('Herlihy and Wing, figure 2: two writes at once take effect in one order for all', () => {
    const writes = [operation('a', write(1), 1, 4), operation('b', write(2), 1, 4)];
    expect(kindOf(register, ...writes, operation('a', read, 5, 6, 1), operation('b', read, 7, 8, 1))).toBe('holds');
    expect(kindOf(register, ...writes, operation('a', read, 5, 6, 1), operation('b', read, 7, 8, 2))).toBe('violated');
  });

  test('positions that are equal are concurrent', () => {
    expect(kindOf(register, operation('a', write(1), 1, 2), operation('b', read, 2, 3, 0))).toBe('holds');
    expect(kindOf(register, operation('b', read, 2, 3, 0), operation('a', write(1), 1, 2))).toBe('holds');
  });
});

describe('operations that never returned', () => {
  const register = models.register(0);
  const lost = operation('a', write(1), 1);

  test('a write that must have happened, because a read saw it', () => {
    const answer = checkLinearizable([lost, operation('b', read, 8, 9, 1)], register);
    expect(answer).toMatchObject({ kind: 'holds', linearizations: [[{ process: 'a' }, { process: 'b' }]] });
  });

  test('a write that did not happen yet, or never', () => {
    expect(kindOf(register, lost, operation('b', read, 2, 3, 0))).toBe('holds');
    expect(kindOf(register, lost, operation('b', read, 2, 3, 0), operation('b', read, 4, 5, 1))).toBe('holds');
  });

  test('a write happens once, and not before its call', () => {
    const reads = [operation('b', read, 2, 3, 1), operation('b', write(2), 4, 5)];
    expect(kindOf(register, lost, ...reads, operation('b', read, 6, 7, 1))).toBe('violated');
    expect(kindOf(register, operation('a', write(1), 4), operation('b', read, 2, 3, 1))).toBe('violated');
    // Two such writes happen twice.
    expect(kindOf(register, lost, operation('c', write(1), 1), ...reads, operation('b', read, 6, 7, 1))).toBe('holds');
  });

  test('it matters whether they are still to come, though all else is equal', () => {
    // Placed both at once, they leave the same state as the second alone; but then the first is used up.
    const both = [operation('a', write(2), 1), operation('b', write(1), 2)];
    expect(kindOf(register, ...both, operation('c', read, 3, 4, 1), operation('c', read, 5, 6, 2))).toBe('holds');
  });

  test('only unreturned operations', () => {
    expect(checkLinearizable([lost], register)).toEqual({ kind: 'holds', steps: 0, linearizations: [[]] });
    expect(checkLinearizable([], register)).toEqual({ kind: 'holds', steps: 0, linearizations: [] });
  });

  test('an output without a return is ignored', () => {
    const half = { ...operation('a', cas(0, 1), 1), output: false };
    expect(kindOf(models.compareAndSet(0), half, operation('b', read, 2, 3, 1))).toBe('holds');
  });
});

test('a lost update: two increments by compare and set cannot both start from 0', () => {
  const counter = models.compareAndSet(0);
  const first = operation('a', cas(0, 1), 1, 4, true);
  expect(kindOf(counter, first, operation('b', cas(0, 1), 2, 5, true))).toBe('violated');
  expect(kindOf(counter, first, operation('b', cas(0, 1), 2, 5, false))).toBe('holds');
});

describe('a queue', () => {
  test('Herlihy and Wing: first in, first out', () => {
    const both = [operation('a', enqueue(1), 1, 2), operation('b', enqueue(2), 3, 4)];
    expect(kindOf(models.queue, ...both, operation('a', dequeue, 5, 6, 1))).toBe('holds');
    expect(kindOf(models.queue, ...both, operation('a', dequeue, 5, 6, 2))).toBe('violated');
  });

  test('concurrent enqueues may come in either order, but each is dequeued once', () => {
    const both = [operation('a', enqueue(1), 1, 4), operation('b', enqueue(2), 2, 3)];
    const take = (at: number, value: number | null) => operation('c', dequeue, at, at + 1, value);
    expect(kindOf(models.queue, ...both, take(5, 2), take(7, 1), take(9, null))).toBe('holds');
    expect(kindOf(models.queue, ...both, take(5, 2), take(7, 2))).toBe('violated');
    expect(kindOf(models.queue, ...both, take(5, 2), take(7, null))).toBe('violated');
  });
});

describe('keys and parts', () => {
  const put = (key: string, value: number, called: number) => ({
    ...operation('a', { f: 'put', value } as const, called, called),
    key,
  });
  const get = (key: string, value: number | null, called: number) => ({
    ...operation('b', { f: 'get' } as const, called, called, value),
    key,
  });

  test('keys do not affect one another', () => {
    expect(kindOf(models.keyValue, put('x', 1, 1), put('y', 2, 2), get('x', 1, 3), get('y', 2, 4))).toBe('holds');
    expect(kindOf(models.keyValue, put('x', 1, 1), get('y', 1, 2))).toBe('violated');
  });

  test('an object without a name differs from one named null', () => {
    const nameless = operation('a', write(1), 1, 2);
    expect(kindOf(models.register(), nameless, { ...operation('b', read, 3, 4, null), key: 'null' })).toBe('holds');
  });
});

describe('models of users', () => {
  const lock: Model<string | null, string, boolean> = {
    initial: null,
    // A request for a held lock waits: it has no step.
    step: (holder, input) => {
      const [what, who = ''] = input.split(' ');
      if (what === 'release') return { state: null };
      return holder === null ? { state: who } : [];
    },
  };

  test('a lock is held by one at a time', () => {
    const [a, b] = [operation('a', 'acquire a', 1, 4), operation('b', 'acquire b', 2, 6)];
    expect(kindOf(lock, a, b)).toBe('violated');
    expect(kindOf(lock, a, b, operation('a', 'release a', 5, 7))).toBe('holds');
    expect(kindOf(lock, a, operation('b', 'acquire b', 2))).toBe('holds');
  });

  test('outputs are compared as data, and sets have no order', () => {
    const snapshots: Model<ReadonlySet<number>, number | 'all', ReadonlySet<number>> = {
      initial: new Set(),
      step: (all, input) => (input === 'all' ? { state: all, output: all } : { state: new Set([...all, input]) }),
    };
    const both = [operation('a', 1, 1, 2), operation('b', 2, 3, 4)];
    expect(kindOf(snapshots, ...both, operation('c', 'all' as const, 5, 6, new Set([2, 1])))).toBe('holds');
    expect(kindOf(snapshots, ...both, operation('c', 'all' as const, 5, 6, new Set([2])))).toBe('violated');
  });

  test('an object with a choice may have chosen anything if no client saw the result', () => {
    const bag: Model<readonly number[], number | 'take', number> = {
      initial: [],
      step: (held, input) => {
        if (input !== 'take') return { state: [...held, input] };
        return held.map((output, at) => ({ state: held.toSpliced(at, 1), output }));
      },
    };
    const filled = [operation('a', 1, 1, 2), operation('a', 2, 3, 4), operation('b', 'take' as const, 5, 6)];
    for (const left of [1, 2])
      expect(kindOf(bag, ...filled, operation('c', 'take' as const, 7, 8, left))).toBe('holds');
    expect(kindOf(bag, ...filled, operation('c', 'take' as const, 7, 8, 3))).toBe('violated');
  });

  test('a model may say which states are the same', () => {
    const log: Model<readonly number[], number | 'length', number> = {
      initial: [],
      step: (all, input) => (input === 'length' ? { state: all, output: all.length } : { state: [...all, input] }),
    };
    const appends = [1, 2, 3, 4, 5].map((value) => operation(`c${value}`, value, 1, 9));
    const history = [...appends, operation('reader', 'length' as const, 10, 11, 6)];
    // All orders of all subsets, or just the subsets.
    expect(checkLinearizable(history, log)).toMatchObject({ kind: 'violated', steps: 771 });
    const byLength = { ...log, stateKey: (all: readonly number[]) => String(all.length) };
    expect(checkLinearizable(history, byLength)).toMatchObject({ kind: 'violated', steps: 113 });
  });

  test('data differs from its text', () => {
    const [list, text] = [[1], '[1]'];
    const history = [list, text].flatMap((value, at) => [
      operation('a', { f: 'write', value } as const, 10 * at, 10 * at + 1),
      operation('a', read, 10 * at + 2, 10 * at + 3, value),
    ]);
    expect(kindOf(models.register(), ...history)).toBe('holds');
  });
});

describe('a violation', () => {
  const history = readHistory(
    `{"process":"c1","type":"invoke","f":"put","key":"x","value":1}
     {"process":"c1","type":"ok"}
     {"process":"c2","type":"invoke","f":"put","key":"x","value":2}
     {"process":"c3","type":"invoke","f":"get","key":"x"}
     {"process":"c4","type":"invoke","f":"put","key":"y","value":5}
     {"process":"c3","type":"ok","value":3}`,
    models.keyValue,
    'the example',
  );
  const answer = checkLinearizable(history, models.keyValue);

  test('names the object, the longest prefix, the failing operation, and those that overlap with it', () => {
    expect(answer).toMatchObject({
      kind: 'violated',
      violation: {
        key: 'x',
        prefix: [{ process: 'c1' }],
        state: 1,
        operation: { process: 'c3', output: 3 },
        concurrent: [{ process: 'c2' }],
      },
    });
  });

  test('is readable', () => {
    expect(answer.kind === 'violated' && answer.violation.lines.join('\n')).toBe(
      `x: c3 get → 3 fits nowhere: after c1 put(1) the state is 1
what comes before it, in an order that works:
  c1 put(1)
concurrent with it:
  c2 put(2) (never returned)`,
    );
  });

  test('of a long history shows the end', () => {
    const long = Array.from({ length: 9 }, (_, at) => operation('a', write(at), at * 2, at * 2 + 1));
    const found = checkLinearizable([...long, operation('b', read, 20, 21, -1)], {
      ...models.register(),
      describe: ({ f }) => f.toUpperCase(),
    });
    expect(found.kind === 'violated' && found.violation.lines.slice(0, 4)).toEqual([
      'b READ → -1 fits nowhere: after a WRITE the state is 8',
      'what comes before it, in an order that works:',
      '  … 4 more',
      '  a WRITE',
    ]);
  });

  test('becomes a verdict', () => {
    expect(linearizabilityVerdict(answer)).toEqual({
      kind: 'violated',
      oracle: 'linearizability',
      message: 'x: c3 get → 3 fits nowhere: after c1 put(1) the state is 1',
      processes: ['c3', 'c2'],
      fingerprint: 'linearizability',
    });
    expect(linearizabilityVerdict(checkLinearizable([], models.queue))).toEqual({ kind: 'holds' });
  });
});

test('operations that return before they are called are refused', () => {
  expect(() => checkLinearizable([operation('a', read, 5, 4, 0)], models.register())).toThrow(BadHistory);
  expect(() => checkLinearizable([operation('a', read, Number.NaN, 4, 0)], models.register())).toThrow(BadHistory);
});
