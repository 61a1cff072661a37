import { expect, test } from 'vitest';
import { begun } from '../../../test/twins/begun.ts';
import { deeds } from '../../../test/twins/deeds.ts';
import { Random } from '../../kernel/data/random.ts';
import { transitionsAt, type Transition } from './transitions.ts';
import { begin, retrace, step } from './execute-prefix.ts';

const FEATURES = ['messages', 'timers', 'crashes', 'stops', 'cuts', 'refusals', 'waits'] as const;

test.each(FEATURES)('a way taken again is the same, down to the order of what can happen: %s', (feature) => {
  let compared = 0;
  for (let seed = 0; seed < 60; seed++) {
    const { declaration, scripts } = deeds(feature, seed);
    const beginning = begun(declaration, scripts);
    const keysAt = (state: Parameters<typeof transitionsAt>[0]): number[] =>
      transitionsAt(state, beginning.environment).map(({ key }) => key);
    const random = Random.seeded(seed, 1);
    let state = ended(begin(beginning));
    const transitions: Transition[] = [];
    for (
      let next = transitionsAt(state, beginning.environment);
      next.length > 0 && transitions.length < 2 + (seed % 6);
    ) {
      const transition = random.pick(next);
      transitions.push(transition);
      state = ended(step(state, transition));
      next = transitionsAt(state, beginning.environment);
    }
    for (const given of [transitions, transitions.map(() => undefined)]) {
      const footsteps = transitions.map(({ key }, at) => ({ key, transition: given[at] }));
      expect(keysAt(ended(retrace(beginning, footsteps)))).toEqual(keysAt(state));
    }
    compared += keysAt(state).length > 1 ? 1 : 0;
  }
  expect(compared).toBeGreaterThan(2);
});

/** Nothing awaits here. */
function ended<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
