import type { Model } from '../model.ts';
import type { Vocabulary } from '../vocabulary.ts';

export type RegisterInput = { readonly f: 'read' } | { readonly f: 'write'; readonly value: unknown };

/** A read returns the value of the last write. */
export const register = (
  initial: unknown = null,
): Model<unknown, RegisterInput, unknown> & Vocabulary<RegisterInput> => ({
  initial,
  step: (value, input) => (input.f === 'read' ? { state: value, output: value } : { state: input.value }),
  input: ({ f, value }) => {
    if (f === 'read') return { f };
    return f === 'write' && value !== undefined ? { f, value } : undefined;
  },
});
