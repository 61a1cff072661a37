import type { Model } from '../model.ts';
import { refusalOf, type Vocabulary } from '../vocabulary.ts';

type QueueInput = { readonly f: 'enqueue'; readonly value: unknown } | { readonly f: 'dequeue' };

const input: Vocabulary<QueueInput>['input'] = ({ f, value }) => {
  if (f === 'dequeue') return { f };
  return f === 'enqueue' && value !== undefined ? { f, value } : undefined;
};

/**
 * First in, first out. Dequeuing from an empty queue returns null. With many values in the queue, a search soon exceeds
 * its budget: a wrong order of two enqueues shows only when their values are dequeued.
 */
export const queue: Model<readonly unknown[], QueueInput, unknown> & Vocabulary<QueueInput> = {
  initial: [],
  step: (values, call) => {
    if (call.f === 'enqueue') return { state: [...values, call.value] };
    return values.length === 0 ? { state: values, output: null } : { state: values.slice(1), output: values[0] };
  },
  input,
  refusal: refusalOf(input, "{ f: 'enqueue', value } and { f: 'dequeue' }"),
};
