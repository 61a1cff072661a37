import { canonicalText } from '../canonical.ts';
import type { Model } from '../model.ts';
import type { Vocabulary } from '../vocabulary.ts';

export interface SetInput {
  readonly f: 'add' | 'remove' | 'contains';
  readonly value: unknown;
}

/**
 * Adding and removing return whether they changed something, `contains` whether the value is there. It describes one
 * value, and its state is whether that is in the set: values do not affect one another.
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
  input: ({ f, value }) =>
    (f === 'add' || f === 'remove' || f === 'contains') && value !== undefined ? { f, value } : undefined,
  returns: (_, output) => typeof output === 'boolean',
};
