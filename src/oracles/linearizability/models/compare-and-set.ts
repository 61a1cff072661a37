import { sameData } from '../canonical.ts';
import type { Model } from '../model.ts';
import { refusalOf, type Vocabulary } from '../vocabulary.ts';
import { register, type RegisterInput } from './register.ts';

/** `cas` takes the expected value and the new one, and returns whether it wrote. */
type CompareAndSetInput =
  | RegisterInput
  | { readonly f: 'cas'; readonly value: readonly [expected: unknown, replacement: unknown] };

/** A register with a compare-and-set operation. */
export function compareAndSet(
  initial: unknown = null,
): Model<unknown, CompareAndSetInput, unknown> & Vocabulary<CompareAndSetInput> {
  const plain = register(initial);
  const input: Vocabulary<CompareAndSetInput>['input'] = (call) => {
    const { f, value } = call;
    if (f !== 'cas') return plain.input(call);
    return Array.isArray(value) && value.length === 2 ? { f, value: [value[0], value[1]] } : undefined;
  };
  return {
    initial,
    step: (value, call) => {
      if (call.f !== 'cas') return plain.step(value, call);
      const [expected, replacement] = call.value;
      const same = sameData(value, expected, 'the value of a register');
      return { state: same ? replacement : value, output: same };
    },
    input,
    refusal: refusalOf(input, "{ f: 'read' }, { f: 'write', value } and { f: 'cas', value: [expected, replacement] }"),
    returns: ({ f }, output) => f !== 'cas' || typeof output === 'boolean',
  };
}
