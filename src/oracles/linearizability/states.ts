import { textOf } from '../../kernel/user-code/answer.ts';
import { canonicalText } from './canonical.ts';
import type { Model } from './model.ts';

/** The states met so far, each under a small number, so that comparing two costs nothing. */
export class States<S> {
  private readonly known: S[] = [];
  private readonly byText = new Map<string, number>();
  /** States that are no objects need no text: they are their own. */
  private readonly byValue = new Map<S, number>();

  constructor(private readonly stateKey: Model<S, never, unknown>['stateKey']) {}

  numberOf(state: S): number {
    if (this.stateKey !== undefined)
      return this.lookUp(this.byText, textOf('stateKey of the model', this.stateKey(state)), state);
    if (typeof state !== 'object' || state === null) return this.lookUp(this.byValue, state, state);
    return this.lookUp(this.byText, canonicalText(state, 'the state of the model'), state);
  }

  at(number: number): S {
    return this.known[number] as S;
  }

  private lookUp<K>(numbers: Map<K, number>, key: K, state: S): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, this.known.length);
    return this.known.push(state) - 1;
  }
}
