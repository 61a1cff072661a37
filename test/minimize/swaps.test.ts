import { behavior, defineSystem, minimize, search, send } from 'culprit';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';

/** Counts its messages, and begins to matter when its timer fires. */
const counter = behavior<{ n: number; matters: boolean }, 'more'>({
  start(ctx) {
    ctx.setTimer('begin', 10);
    return { n: 0, matters: false };
  },
  receive(state) {
    state.n += 1;
  },
  timer(state) {
    state.matters = true;
  },
});

const more = (to: string, times: number) => Array.from({ length: times }, () => send(to, 'more' as const));

/** One that matters must not reach three while p has reached two: p itself is on its way there. */
const system = defineSystem({
  processes: { p: counter, q: counter },
  workload: [...more('p', 3), ...more('q', 3)],
  invariants: {
    low: (world) =>
      !(world.up().some(({ state }) => state.matters && state.n >= 3) && (world.process('p').state?.n ?? 0) >= 2),
  },
});

const fires = ({ events }: Trace): string[] =>
  events.flatMap((event) => (event.kind === 'fire' ? [event.process] : []));

/** An execution in which q is the one that matters, and no event can be removed. */
async function byTheOther(): Promise<Trace> {
  for (let seed = 0; seed < 200; seed++) {
    const { findings } = await search(system, { seed, executions: 1, strategy: 'random' });
    const trace = findings[0]?.trace;
    if (trace === undefined || fires(trace).join() !== 'q') continue;
    return (await minimize(system, trace, { passes: ['single:type'] })).trace;
  }
  throw new Error('there is none');
}

test('the process that has come further does the rest', async () => {
  const trace = await byTheOther();
  expect([trace.events.length, fires(trace)]).toEqual([13, ['q']]);
  const { trace: smaller } = await minimize(system, trace, { passes: ['swaps:place', 'single:place'] });
  expect([smaller.events.length, fires(smaller)]).toEqual([8, ['p']]);
});

test('no other pass achieves that', async () => {
  const passes = [
    'loops:place',
    'cascades:place',
    'closures:place',
    'internals:place',
    'pairs:place',
    'single:place',
  ] as const;
  const { trace } = await minimize(system, await byTheOther(), { passes });
  expect([trace.events.length, fires(trace)]).toEqual([13, ['q']]);
});
