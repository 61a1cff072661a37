import { checkLinearizable, models } from 'culprit';
import { linearizabilityVerdict, type Operation } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';

type Access = Operation<{ f: 'put'; value: number } | { f: 'get' }, number>;

const put = (key: string, process: number, called: number, returned: number): Access => ({
  process: `c${process}`,
  key,
  input: { f: 'put', value: process },
  called,
  returned,
});

const get = (key: string, output: number, position: number): Access => ({
  process: 'reader',
  key,
  input: { f: 'get' },
  output,
  called: position,
  returned: position,
});

/** Concurrent puts, and then a get of a value that none of them put. */
const hard = (key: string, width: number): Access[] => [
  ...Array.from({ length: width }, (_, at) => put(key, at, 1, 100)),
  get(key, -1, 200),
];

const wrong = (key: string): Access[] => [get(key, -1, 1)];
const right = (key: string): Access[] => [put(key, 1, 1, 2), get(key, 1, 3)];

describe('the cost of a search', () => {
  // Each set of puts, with each put that can be its last: 5,121 configurations. Without memory, 10! orders.
  test('10 operations at once, in all orders', () => {
    expect(checkLinearizable(hard('x', 10), models.keyValue)).toMatchObject({ kind: 'violated', steps: 28_181 });
  });

  test('20,000 operations one after the other', () => {
    const history = Array.from({ length: 10_000 }, (_, at) => [
      put('x', at, 4 * at, 4 * at + 1),
      get('x', at, 4 * at + 2),
    ]);
    expect(checkLinearizable(history.flat(), models.keyValue)).toMatchObject({ kind: 'holds', steps: 20_000 });
  });

  test('unreturned operations with equal inputs are placed in the order of their calls', () => {
    const lost = Array.from({ length: 12 }, (_, at) => ({
      process: `c${at}`,
      input: { f: 'enqueue', value: 1 } as const,
      called: at,
    }));
    const history = [
      ...lost,
      { process: 'taker', input: { f: 'dequeue' } as const, called: 20, returned: 20, output: 2 },
    ];
    expect(checkLinearizable(history, models.queue)).toMatchObject({ kind: 'violated', steps: 38 });
  });

  test('unreturned operations that change nothing are left out', () => {
    const lost = Array.from({ length: 12 }, (_, at): Access => ({ ...get('x', 0, at), returned: undefined }));
    expect(checkLinearizable([...lost, get('x', -1, 200)], models.keyValue)).toMatchObject({
      kind: 'violated',
      steps: 3,
    });
  });
});

describe('a budget', () => {
  const { steps } = checkLinearizable(hard('x', 6), models.keyValue);

  test('of exactly as many steps as needed is enough', () => {
    expect(checkLinearizable(hard('x', 6), models.keyValue, { stepsMax: steps })).toMatchObject({
      kind: 'violated',
      steps,
    });
    expect(checkLinearizable(hard('x', 6), models.keyValue, { stepsMax: steps - 1 })).toEqual({
      kind: 'unknown',
      steps: steps - 1,
      why: `1 of 1 histories undecided after ${steps - 1} steps (x)`,
    });
  });

  test('of time uses the given clock', () => {
    let ms = 0;
    const time = { msMax: 3, now: () => ms++ };
    const answer = checkLinearizable(hard('x', 12), models.keyValue, { time });
    expect(answer).toMatchObject({ kind: 'unknown', why: '1 of 1 histories undecided after 3 ms (x)' });
    expect(ms).toBe(4);
    expect(linearizabilityVerdict(answer)).toEqual({
      kind: 'unknown',
      why: '1 of 1 histories undecided after 3 ms (x)',
    });
  });

  test('of NaN or 0 steps is used up at once', () => {
    expect(checkLinearizable(right('x'), models.keyValue, { stepsMax: Number.NaN }).kind).toBe('unknown');
    expect(checkLinearizable(right('x'), models.keyValue, { stepsMax: 0 }).kind).toBe('unknown');
  });

  test('spent on one object leaves enough to find a violation of another', () => {
    const history = [...hard('x', 12), ...wrong('y')];
    expect(checkLinearizable(history, models.keyValue, { stepsMax: 1000 })).toMatchObject({
      kind: 'violated',
      violation: { key: 'y' },
    });
  });

  test('unknown for one object is unknown for all, unless another is violated', () => {
    const history = [...right('w'), ...hard('x', 12), ...right('y')];
    expect(checkLinearizable(history, models.keyValue, { stepsMax: 1000 })).toEqual({
      kind: 'unknown',
      steps: 1000,
      why: '1 of 3 histories undecided after 1000 steps (x)',
    });
  });
});
