import type { Operation } from 'culprit/kernel';
import fc from 'fast-check';
import type { Run } from '../twins/linearizability.ts';

interface Kind<I> {
  readonly inputs: fc.Arbitrary<I>;
  readonly outputs: fc.Arbitrary<unknown>;
  readonly fresh: () => Run<I>;
}

/** The fate of an operation: correct, output or return lost, or a wrong output. */
type Fate = 'fine' | 'unheard' | 'lost' | 'never done' | 'wrong';

interface Draft<I> {
  readonly key: string;
  readonly input: I;
  readonly called: number;
  readonly doneAfter: number;
  readonly returnedAfter: number;
  readonly fate: Fate;
  readonly wrong: unknown;
}

/**
 * Histories of an object that executes each operation at some moment between its call and its return, so that they are
 * linearizable, unless an output was replaced. Positions are few and often equal.
 */
export function histories<I>(
  { inputs, outputs, fresh }: Kind<I>,
  { operationsMax, span, fates }: { operationsMax: number; span: number; fates: readonly Fate[] },
): fc.Arbitrary<Operation<I, unknown>[]> {
  // A few last long, and others come and go meanwhile.
  const lasts = fc.oneof({ weight: 12, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(span) });
  const draft = fc.record<Draft<I>>({
    key: fc.constantFrom('x', 'x', 'y'),
    input: inputs,
    called: fc.nat(span),
    doneAfter: lasts,
    returnedAfter: lasts,
    fate: fc.constantFrom(...fates),
    wrong: outputs,
  });
  return fc
    .array(draft, { minLength: 1, maxLength: operationsMax, size: 'max' })
    .map((drafts) => carriedOut(drafts, fresh()));
}

function carriedOut<I>(drafts: readonly Draft<I>[], run: Run<I>): Operation<I, unknown>[] {
  const done = drafts.toSorted((a, b) => a.called + a.doneAfter - (b.called + b.doneAfter));
  const outputs = new Map(done.map((draft) => [draft, draft.fate === 'never done' || run(draft.input, draft.key)]));
  return drafts.map((draft, at) => recorded(draft, `c${at + 1}`, outputs.get(draft)));
}

function recorded<I>(draft: Draft<I>, process: string, output: unknown): Operation<I, unknown> {
  const { key, input, called, doneAfter, returnedAfter, fate, wrong } = draft;
  const begun = { process, key, input, called };
  if (fate === 'lost' || fate === 'never done') return begun;
  const returned = called + doneAfter + returnedAfter;
  if (fate === 'unheard') return { ...begun, returned };
  return { ...begun, returned, output: fate === 'wrong' ? wrong : output };
}
