import { expect, test } from 'vitest';
import { shapes } from '../../test/twins/large/shapes.ts';
import { inWords } from '../execution/wording.ts';

/** So many values are made for the state phrase at most, in events times values. */
const VALUES = 20_000_000;

// A copy of the whole state for each event would be two hundred million values.
test.each(['a list grows', 'a Map grows'])('where %s for long, only the small states are put into words', (shape) => {
  const trace = (shapes[shape] as (typeof shapes)[string])(20_000);
  let values = 0;
  const { events } = inWords(trace, {
    state(state: unknown) {
      const [grown] = Object.values(state as object) as (Iterable<unknown> & { length?: number; size?: number })[];
      const size = grown?.length ?? grown?.size ?? 0;
      values += size;
      return `has ${size}`;
    },
  });
  expect(values).toBeLessThanOrEqual(VALUES);
  expect(events[100]?.stateLabel).toBe('has 100');
  expect(events.at(-1)?.stateLabel).toBe(undefined);
});

test('a state that grew too large is put into words again when it is a small one', () => {
  const large = (shapes['a list grows'] as (typeof shapes)[string])(20_000);
  const [first] = large.events;
  const last = { ...first, event: large.events.length + 1 } as (typeof large.events)[number];
  const { events } = inWords(
    { ...large, events: [...large.events, last] },
    { state: (state: unknown) => JSON.stringify(state) },
  );
  expect(events.at(-2)?.stateLabel).toBe(undefined);
  expect(events.at(-1)?.stateLabel).toBe('{"list":[]}');
});

test('words for messages alone need no states', () => {
  const trace = (shapes['a list grows'] as (typeof shapes)[string])(20_000);
  const { events } = inWords(trace, { message: (message: unknown) => `gets ${message as number}` });
  expect(events.at(-1)?.label).toBe('gets 19999');
});
