import type { Model } from '../model.ts';
import { refusalOf, type Vocabulary } from '../vocabulary.ts';

type KeyValueInput = { readonly f: 'get' } | { readonly f: 'put'; readonly value: unknown } | { readonly f: 'delete' };

const input: Vocabulary<KeyValueInput>['input'] = ({ f, value }) => {
  if (f === 'get' || f === 'delete') return { f };
  return f === 'put' && value !== undefined ? { f, value } : undefined;
};

/**
 * A store of values by key; operations carry their key. The model describes one key, since keys are independent. A
 * missing or deleted value is null.
 */
export const keyValue: Model<unknown, KeyValueInput, unknown> & Vocabulary<KeyValueInput> = {
  initial: null,
  step: (value, call) => {
    switch (call.f) {
      case 'get':
        return { state: value, output: value };
      case 'put':
        return { state: call.value };
      case 'delete':
        return { state: null };
    }
  },
  input,
  refusal: refusalOf(input, "{ f: 'get' }, { f: 'put', value } and { f: 'delete' }"),
};
