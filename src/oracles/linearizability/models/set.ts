import { canonicalText } from '../canonical.ts';
import type { Model } from '../model.ts';
import { refusalOf, type Vocabulary } from '../vocabulary.ts';

export interface SetInput {
  readonly f: 'add' | 'remove' | 'contains';
  readonly value: unknown;
}

const input: Vocabulary<SetInput>['input'] = ({ f, value }) =>
  (f === 'add' || f === 'remove' || f === 'contains') && value !== undefined ? { f, value } : undefined;

/**
 * `add` and `remove` return whether they changed the set, `contains` whether the value is in it. The model describes
 * one value, since values are independent: its state is whether that value is in the set.
 */
export const set: Model<boolean, SetInput, unknown> & Vocabulary<SetInput> = {
  initial: false,
  step: (contained, { f }) => {
    switch (f) {
      case 'add':
        return { state: true, output: !contained };
      case 'remove':
        return { state: false, output: contained };
      case 'contains':
        return { state: contained, output: contained };
    }
  },
  partition: ({ value }) => canonicalText(value, 'a value of the set'),
  input,
  refusal: refusalOf(input, "{ f: 'add', value }, { f: 'remove', value } and { f: 'contains', value }"),
  returns: (_, output) => typeof output === 'boolean',
};
