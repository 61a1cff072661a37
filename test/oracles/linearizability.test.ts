import { checkLinearizable, models, type Model } from 'culprit';
import type { NotLinearizable, Operation } from 'culprit/kernel';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legalOn, linearizableByTrying, respectsRealTime, type Legal, type Run } from '../twins/linearizability.ts';
import { bags, cells, legalBag, queues, sets } from '../twins/objects.ts';
import { histories } from './histories.ts';

interface Kind<S, I> {
  readonly model: Model<S, I, unknown>;
  readonly inputs: fc.Arbitrary<I>;
  readonly outputs: fc.Arbitrary<unknown>;
  readonly fresh: () => Run<I>;
}

const one = <F extends string>(...names: F[]) => fc.record({ f: fc.constantFrom(...names) });
const two = <F extends string, V>(value: fc.Arbitrary<V>, ...names: F[]) =>
  fc.record({ f: fc.constantFrom(...names), value });
const values = fc.constantFrom(1, 2);
const RUNS = 1500;
const maybe = fc.constantFrom(null, 1, 2);

describe('agrees with trying all orders', () => {
  compare('register', {
    model: models.register(),
    inputs: fc.oneof(one('read'), two(values, 'write')),
    outputs: maybe,
    fresh: cells,
  });
  compare('compare and set', {
    model: models.compareAndSet(),
    inputs: fc.oneof(one('read'), two(values, 'write'), two(fc.tuple(maybe, values), 'cas')),
    outputs: fc.oneof(maybe, fc.boolean()),
    fresh: cells,
  });
  compare('key and value', {
    model: models.keyValue,
    inputs: fc.oneof(one('get'), one('get'), one('delete'), two(values, 'put')),
    outputs: maybe,
    fresh: cells,
  });
  compare('queue', {
    model: models.queue,
    inputs: fc.oneof(one('dequeue'), two(values, 'enqueue')),
    outputs: maybe,
    fresh: queues,
  });
  compare('set', {
    model: models.set,
    inputs: two(values, 'add', 'remove', 'contains'),
    outputs: fc.boolean(),
    fresh: sets,
  });

  /** Takes any of its values. */
  const bag: Model<readonly number[], { f: 'put'; value: number } | { f: 'take' }, unknown> = {
    initial: [],
    step: (held, input) => {
      if (input.f === 'put') return { state: [...held, input.value] };
      if (held.length === 0) return { state: held, output: null };
      return held.map((output, at) => ({ state: held.toSpliced(at, 1), output }));
    },
    stateKey: (held) => held.toSorted((a, b) => a - b).join(),
  };
  const inputs = fc.oneof(one('take'), two(values, 'put'));
  compareSmall('an object with a choice', { model: bag, inputs, outputs: maybe, fresh: bags }, legalBag);
});

/** Small histories, right and wrong, get the twin's answer; long correct ones hold. */
function compare<S, I>(name: string, kind: Kind<S, I>): void {
  compareSmall(name, kind, legalOn(kind.fresh));
  compareLong(name, kind, legalOn(kind.fresh));
}

function compareSmall<S, I>(name: string, { model, ...objects }: Kind<S, I>, legal: Legal<I, unknown>): void {
  test(`${name}: small histories`, () => {
    const fates = ['fine', 'fine', 'wrong', 'wrong', 'unheard', 'lost', 'never done'] as const;
    const count = { holds: 0, violated: 0, unknown: 0 };
    fc.assert(
      fc.property(histories(objects, { operationsMax: 6, span: 8, fates }), (history) => {
        const answer = checkLinearizable(history, model);
        count[answer.kind] += 1;
        expect(answer.kind).toBe(linearizableByTrying(history, legal) ? 'holds' : 'violated');
        if (answer.kind === 'holds') expectLinearizations(answer.linearizations, history, legal);
        if (answer.kind === 'violated') expectDeadEnd(answer.violation, history, legal, model);
      }),
      { seed: 1, numRuns: RUNS },
    );
    expect(count.holds).toBeGreaterThan(RUNS / 5);
    expect(count.violated).toBeGreaterThan(RUNS / 5);
  });
}

function compareLong<S, I>(name: string, { model, ...objects }: Kind<S, I>, legal: Legal<I, unknown>): void {
  test(`${name}: long histories`, () => {
    const fates = ['fine', 'fine', 'fine', 'fine', 'fine', 'fine', 'unheard', 'lost'] as const;
    fc.assert(
      fc.property(histories(objects, { operationsMax: 80, span: 100, fates }), (history) => {
        const answer = checkLinearizable(history, model);
        expect(answer.kind).toBe('holds');
        if (answer.kind === 'holds') expectLinearizations(answer.linearizations, history, legal);
      }),
      { seed: 2, numRuns: 30 },
    );
  });
}

type Order<I> = readonly Operation<I, unknown>[];

function expectLinearizations<I>(found: readonly Order<I>[], history: Order<I>, legal: Legal<I, unknown>): void {
  for (const order of found) expect(respectsRealTime(order) && legal(order)).toBe(true);
  const all = new Set(found.flat());
  expect(all.size).toBe(found.flat().length);
  expect([...all].filter((operation) => !history.includes(operation))).toEqual([]);
  expect(history.filter((operation) => operation.returned !== undefined && !all.has(operation))).toEqual([]);
}

function expectDeadEnd<S, I>(
  { key, prefix, operation, concurrent }: NotLinearizable<S, I, unknown>,
  history: Order<I>,
  legal: Legal<I, unknown>,
  model: Model<S, I, unknown>,
): void {
  expect(respectsRealTime(prefix) && legal(prefix)).toBe(true);
  expect(linearizableByTrying([...prefix, operation], legal)).toBe(false);
  const partOf = ({ input }: Operation<I, unknown>): string => model.partition?.(input) ?? '';
  const part = history.filter((other) => other.key === key && partOf(other) === partOf(operation));
  expect([...prefix, operation, ...concurrent].filter((other) => !part.includes(other))).toEqual([]);
  expect(part.filter((other) => other !== operation && overlap(other, operation)).sort(byCall)).toEqual(concurrent);
}

const overlap = (a: Operation<unknown, unknown>, b: Operation<unknown, unknown>): boolean =>
  a.called <= (b.returned ?? Infinity) && b.called <= (a.returned ?? Infinity);

const byCall = (a: Operation<unknown, unknown>, b: Operation<unknown, unknown>): number => a.called - b.called;
