import type { Model } from '../model.ts';
import type { Vocabulary } from '../vocabulary.ts';

type QueueInput = { readonly f: 'enqueue'; readonly value: unknown } | { readonly f: 'dequeue' };

/**
 * First in, first out. Dequeuing from an empty queue returns null. Where many values wait at a time, a search soon
 * exceeds its budget: that two enqueues were put in the wrong order shows only when their values come out.
 */
export const queue: Model<readonly unknown[], QueueInput, unknown> & Vocabulary<QueueInput> = {
  initial: [],
  step: (values, input) => {
    if (input.f === 'enqueue') return { state: [...values, input.value] };
    return values.length === 0 ? { state: values, output: null } : { state: values.slice(1), output: values[0] };
  },
  input: ({ f, value }) => {
    if (f === 'dequeue') return { f };
    return f === 'enqueue' && value !== undefined ? { f, value } : undefined;
  },
};
