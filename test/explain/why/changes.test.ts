import { behavior, defineSystem, explainWhy, type Oracle, type System } from 'culprit';
import { whyLines } from 'culprit/report';
import { expect, test } from 'vitest';
import { found } from '../../found.ts';
import { explained, minimal, only, violatedIn } from './counterfactual-text.ts';

type Word = 'one' | 'two' | 'three';
type Heard = readonly Word[];

const listener = behavior<{ heard: Word[] }, Word>({
  start: () => ({ heard: [] }),
  receive(state, word) {
    state.heard.push(word);
  },
});

const speaker = (...words: Word[]) =>
  behavior<object, Word>({
    start(ctx) {
      for (const word of words) ctx.send('listener', word);
      return {};
    },
    receive: () => {},
  });

type Listeners = { up(of: typeof listener): readonly { readonly state: { readonly heard: Heard } }[] };

const heardIn = (world: Listeners): Heard => world.up(listener)[0]?.state.heard ?? [];

/** One that hears words from two others, both up. The caller decides what is violated. */
const listening = (wrong: (heard: Heard) => boolean, oracles: Record<string, Oracle> = {}): System =>
  defineSystem({
    processes: { listener, a: speaker('one', 'two'), b: speaker('three') },
    invariants: { understands: (world) => world.up().length < 3 || !wrong(heardIn(world)) || 'it does not' },
    oracles,
  });

const says = (...words: Word[]) => {
  const text = words.join();
  return (heard: Heard): boolean => heard.join() === text;
};

test('a message that never arrived is named if the order of events makes no difference', async () => {
  const why = await explained(listening(says('one', 'two')));
  expect(only('earlier', why)).toEqual(['4<1 impossible', '5<4 impossible']);
  expect(why.counterfactuals.find(({ before }) => before === 4)?.what).toBe(
    'event 5 (listener gets two from a) cannot come before event 4 (listener gets one from a): it was sent later over the same link',
  );
  expect(only('added', why)).toEqual(['5<+ holds']);
  expect(why.answer).toBe(
    'had three from b reached listener before event 5 (listener gets two from a), understands would have held',
  );
  expect(why.nearest?.pending.length).toBe(0);
});

test('an event overtakes more and more events until that makes a difference', async () => {
  const isEarly = (heard: Heard): boolean => heard.length === 3 && heard[0] === 'one';
  const system = listening(isEarly);
  for (let seed = 0; ; seed++) {
    const trace = await found(system, { seed });
    if (trace.events.at(-1)?.process !== 'listener' || trace.events.length > 6) continue;
    const last = trace.events.slice(-3).map((line) => (line.kind === 'deliver' ? line.message : ''));
    if (last.join() !== 'one,two,three') continue;
    expect(only('earlier', await explainWhy(system, trace)).slice(-2)).toEqual(['6<5 violated', '6<4 holds']);
    break;
  }
});

test('another violation is reported, and does not count as holding', async () => {
  const strict: Oracle = {
    judge: (world) =>
      heardIn(world)[0] === 'three'
        ? { kind: 'violated', oracle: 'strict', message: 'three first', processes: [], fingerprint: 'strict' }
        : { kind: 'holds' },
  };
  const why = await explained(listening(says('one', 'three'), { strict }));
  const [swap] = why.counterfactuals.filter(({ change, event }) => change === 'earlier' && event === 5);
  expect(swap).toMatchObject({ before: 4, outcome: 'other' });
  expect(swap?.what).toMatch(/, a different violation would have happened: strict: three first$/);
  expect(why.race).toMatchObject({ change: 'added', event: 5 });
  expect(why.odds[0]).toMatchObject({ sampled: 100, unknown: 0 });
  expect(why.odds[0]?.other).toBeGreaterThan(10);
});

test('if an oracle is unknown, so is the answer', async () => {
  const unsure: Oracle = {
    judge: (world) => (heardIn(world)[0] === 'three' ? { kind: 'unknown', why: 'it is late' } : { kind: 'holds' }),
  };
  const why = await explained(listening(says('one', 'three'), { unsure }));
  const [swap] = why.counterfactuals.filter(({ change, event }) => change === 'earlier' && event === 5);
  expect(swap).toMatchObject({ before: 4, outcome: 'unknown' });
  expect(swap?.what).toMatch(/, the verdict would be unknown: unsure: it is late$/);
  expect(why.odds[0]?.unknown).toBeGreaterThan(10);
  expect(whyLines(why, await minimal(listening(says('one', 'three'), { unsure }))).join('\n')).toMatch(
    /\d+ of all continuations have an unknown verdict/,
  );
});

test('events that may come in any order have no race', async () => {
  const why = await explained(listening((heard) => heard.length === 3));
  expect(why.race).toBeUndefined();
  expect(why.answer).toBe('understands is violated in nearly any order: in 20 of 20 executions from the start');
  expect(why.noReturn).toBe(0);
});

const clock = behavior<object, never>({
  start(ctx) {
    ctx.setTimer('tick', 1);
    return {};
  },
  receive: () => {},
  timer: () => {},
});

/** Remembers who ticked: violated by a, then b, then c; d does not count. */
const inOrder: Oracle = {
  judge: () => ({ kind: 'holds' }),
  begin: () => {
    let ticked = '';
    return {
      judge(_world, last) {
        if (last?.kind === 'fire' && last.process !== 'd') ticked += last.process;
        if (ticked !== 'abc') return { kind: 'holds' };
        return { kind: 'violated', oracle: 'inOrder', message: ticked, processes: [], fingerprint: 'inOrder' };
      },
    };
  },
};

test('events of different processes are swapped if an oracle remembers what it saw between them', async () => {
  const why = await explained(defineSystem({ processes: { a: clock, b: clock, c: clock }, oracles: { inOrder } }));
  expect(only('earlier', why)).toEqual([
    '4<1 impossible',
    '5<4 holds',
    '5<2 impossible',
    '6<5 holds',
    '6<3 impossible',
  ]);
  expect(why.answer).toBe(
    'had event 6 (c timer tick fires) come before event 5 (b timer tick fires), inOrder would have held',
  );
  expect(violatedIn(why)[5]).toBe(100);
  expect(why.noReturn).toBe(5);
});

test('an oracle keeps its memory from before the change', async () => {
  const system = defineSystem({ processes: { a: clock, b: clock, c: clock, d: clock }, oracles: { inOrder } });
  for (let seed = 0; ; seed++) {
    const trace = await found(system, { seed });
    const order = trace.events.slice(4).map(({ process }) => process);
    if (order.join('') !== 'adbc') continue;
    expect(only('without', await explainWhy(system, trace)).slice(-4)).toEqual([
      '5 holds',
      '6 violated',
      '7 holds',
      '8 later',
    ]);
    return;
  }
});

test('a short explanation gives the answer of a thorough one', async () => {
  const systems = [says('one', 'two'), says('three', 'one'), (heard: Heard) => heard.length === 3].map((wrong) =>
    listening(wrong),
  );
  for (const system of systems) {
    const trace = await minimal(system);
    const [short, thorough] = [
      await explainWhy(system, trace, { continuations: 20 }),
      await explainWhy(system, trace, { continuations: 100 }),
    ];
    expect([short.answer, short.race]).toEqual([thorough.answer, thorough.race]);
    expect(thorough.odds[0]?.sampled).toBe(100);
  }
});
