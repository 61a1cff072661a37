import { behavior, defineSystem, search } from 'culprit';
import { expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

const counter = behavior({
  start: () => ({ beats: 0 }),
  receive(state) {
    state.beats += 1;
  },
});

/** A process that sends a message every millisecond, and another one that must not get so many. */
const beating = defineSystem({
  processes: {
    sender: ticking({
      start(box) {
        const beat = (): void => {
          box.send('counter', { type: 'beat' });
          box.after(1, beat);
        };
        beat();
      },
    }),
    counter,
  },
  pace: { executionMs: 3_000 },
  invariants: { few: (world) => (world.process('counter').state?.beats ?? 0) < 1_500 },
});

test('an execution that the clock ends is not cut after 1,000 events, unless the search says so', async () => {
  const { findings } = await search(beating, { executions: 1, control: false });
  expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'few' });
  const cut = await search(beating, { executions: 1, control: false, eventsMax: 1_000 });
  expect(cut).toMatchObject({ findings: [], events: 1_000 });
});
