import type { Model } from '../model.ts';
import { refusalOf, type Vocabulary } from '../vocabulary.ts';

export type RegisterInput = { readonly f: 'read' } | { readonly f: 'write'; readonly value: unknown };

/** A read returns the value of the last write. */
export const register = (
  initial: unknown = null,
): Model<unknown, RegisterInput, unknown> & Vocabulary<RegisterInput> => ({
  initial,
  step: (value, call) => (call.f === 'read' ? { state: value, output: value } : { state: call.value }),
  input,
  refusal: refusalOf(input, "{ f: 'read' } and { f: 'write', value }"),
});

const input: Vocabulary<RegisterInput>['input'] = ({ f, value }) => {
  if (f === 'read') return { f };
  return f === 'write' && value !== undefined ? { f, value } : undefined;
};
