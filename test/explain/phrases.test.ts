import { describe, expect, test } from 'vitest';
import { type BadPhrase, exportTrace, inWords, stepsOf, storyLines } from 'culprit/report';
import {
  act,
  behavior,
  check,
  cut,
  defineSystem,
  recheck,
  replay,
  search,
  send,
  type Phrases,
  type System,
} from 'culprit';
import { resolveSystem, SearchEnded } from 'culprit/kernel';
import { lineSchema, readTrace, writeTrace } from 'culprit/trace';
import * as v from 'valibot';
import { found } from '../found.ts';

interface State {
  got: number;
}
type Message = { type: 'word'; n: number };

/** Two processes that talk for a while; violated once `b` has got three words. */
function talk(phrases: Phrases<State, Message, 'again'>): System {
  const talker = (to: string) =>
    behavior<State, Message, 'again'>({
      start(ctx) {
        ctx.setTimer('again', 10);
        return { got: 0 };
      },
      receive(state) {
        state.got += 1;
      },
      timer(state, _timer, ctx) {
        ctx.send(to, { type: 'word', n: state.got });
        ctx.setTimer('again', 10);
      },
    });
  return defineSystem({
    processes: { a: talker('b'), b: talker('a') },
    phrases,
    invariants: { few: (world) => (world.process('b').state?.got ?? 0) < 3 || 'b has heard it all' },
  });
}

const own: Phrases<State, Message, 'again'> = {
  message: ({ n }, { from, to }) => (n > 0 ? undefined : `hears from ${from}\n  that ${to} is meant`),
  timer: (timer, process) => `feels like talking ${timer}, as ${process} does`,
  state: ({ got }) => (got === 0 ? '' : `knows ${got}`),
};

test('inputs are described, and a message is described with the states around it', async () => {
  const { events } = await found(
    talk({
      message: (_message, { before, after }) => `counts from ${before?.got} to ${after?.got}`,
      external: ({ kind }) => (kind === 'start' ? 'is born' : undefined),
    }),
  );
  expect(events.filter(({ process }) => process === 'b').map(({ label }) => label)).toEqual([
    'is born',
    ...events.filter(({ process, kind }) => process === 'b' && kind !== 'start').map(({ label }) => label),
  ]);
  expect(events.flatMap(({ process, kind, label }) => (process === 'b' && kind === 'deliver' ? [label] : []))).toEqual([
    'counts from 0 to 1',
    'counts from 1 to 2',
    'counts from 2 to 3',
  ]);
});

test('routine messages are one line, unless something changes', async () => {
  const { events } = await found(talk({ isRoutine: ({ n }) => n === 0, changes: () => [] }));
  const routine = events.filter((line) => line.kind === 'deliver' && line.routine === true);
  expect(routine.length).toBeGreaterThan(1);
  const inARow = routine.map((line, at) => ({ ...line, event: at + 1 }));
  expect(stepsOf(inARow)).toMatchObject([{ first: 1, last: inARow.length, who: ['a', 'b'], what: 'exchange word' }]);
  expect(storyLines(inARow)).toEqual([`  1–${inARow.length}  a, b  exchange word`]);
  expect(storyLines(inARow.map((line) => ({ ...line, log: [line.id] })))).toHaveLength(inARow.length);
});

test('an action that is described stands for what it sends', async () => {
  const system = defineSystem({
    processes: { a: behavior<State, Message>({ start: () => ({ got: 0 }), receive: (state) => void state.got++ }) },
    actions: { speak: () => [send('a', { type: 'word', n: 1 })] },
    workload: [act('speak')],
    phrases: { external: (external) => (external.kind === 'act' ? 'speaks up' : undefined) },
    invariants: { silent: (world) => world.process('a').state?.got !== 1 || 'a has heard' },
  });
  const { events } = await found(system);
  expect(storyLines(events).slice(1, 3)).toEqual([
    '  2–3  environment  speaks up',
    expect.stringMatching(/^ +4 {2}a +gets word/),
  ]);
  expect(stepsOf(events).map(({ first, last }) => [first, last])).toEqual([
    [1, 1],
    [2, 3],
    [4, 4],
  ]);
});

const plain = talk({});
const wordy = talk(own);

describe('in the system’s own words', async () => {
  const trace = await found(wordy);
  const { events } = trace;

  test('messages, timers and states are described; the default wording covers the rest', () => {
    const words = events.map(({ kind, label, stateLabel }) => `${kind}: ${label} / ${stateLabel}`);
    expect(words).toContain('start: undefined / undefined');
    expect(words).toContain('fire: feels like talking again, as a does / undefined');
    expect(words).toContain('deliver: hears from a that b is meant / knows 1');
    expect(storyLines(events).join('\n')).toMatch(/ b +hears from a that b is meant +knows 1; got: 0 → 1\n/);
    expect(storyLines(events)[0]).toBe('  1  a  starts' + ' '.repeat(31) + 'got: 0');
  });

  test('exports use the same words', () => {
    expect(exportTrace(trace, 'mermaid')).toMatch(
      /p0->>p1: \d+ hears from a that b is meant\n +Note right of p1: knows 1#59; got: 0 → 1/,
    );
    expect(exportTrace(trace, 'shiviz')).toContain('hears from a that b is meant; knows 1; got: 0 → 1');
    expect(exportTrace(trace, 'chrome')).toContain('"name":"hears from a that b is meant"');
    expect(exportTrace(trace, 'chrome')).toContain('"changes":["got: 0 → 1"],"stateLabel":"knows 1"');
  });

  test('they are stored in the file', () => {
    expect(readTrace(writeTrace(trace), 'x.trace')).toEqual(trace);
    expect(trace.events.every((line) => v.is(lineSchema, line))).toBe(true);
  });

  test('an older trace can be described in them, also repeatedly', async () => {
    const before = await found(plain);
    expect(before.events.some((line) => 'label' in line || 'stateLabel' in line)).toBe(false);
    expect(inWords(before, resolveSystem(wordy).phrases)).toEqual(trace);
    expect(inWords(trace, { timer: () => undefined }).events).toEqual(before.events);
  });
});

describe('the name of a message', async () => {
  const relay = behavior({
    start: () => ({ got: 0 }),
    receive(state: { got: number }, message: Message, ctx) {
      state.got += 1;
      if (ctx.self === 'a') ctx.send('b', message);
    },
  });
  const system = (phrases: Phrases<object, Message>): System =>
    defineSystem({
      processes: { a: relay, b: relay },
      transport: { onCut: 'drop' },
      phrases,
      workload: [cut('a', 'b'), send('a', { type: 'word', n: 7 })],
      invariants: { few: (world) => world.process('a').state?.got !== 1 || 'a has heard it' },
    });
  const named: Phrases<object, Message> = { messageName: ({ n }) => `word number ${n}` };

  test('is used wherever a message is mentioned: sent, received, lost', async () => {
    const trace = await found(system(named));
    const story = storyLines(trace.events).join('\n');
    expect(story).toMatch(/environment +sends word number 7 to a\n/);
    expect(story).toMatch(/ a +gets word number 7 from environment; word number 7 to b is lost \(cut\)/);
    expect(trace.events.at(-1)).toMatchObject({ messageName: 'word number 7', droppedNames: ['word number 7'] });
    expect(readTrace(writeTrace(trace), 'x.trace')).toEqual(trace);
    expect(exportTrace(trace, 'mermaid')).toContain('word number 7');
  });

  test('is wording only: another one is no divergence', async () => {
    const [trace, bare] = [await found(system(named)), await found(system({}))];
    expect(bare.events.some((line) => 'messageName' in line || 'droppedNames' in line)).toBe(false);
    expect(await recheck(system({}), trace)).toMatchObject({ answer: 'reproduced', deviation: undefined });
    expect(await recheck(system(named), bare)).toMatchObject({ answer: 'reproduced', deviation: undefined });
    expect(inWords(bare, resolveSystem(system(named)).phrases)).toEqual(trace);
  });
});

describe('changes in the system’s own words', async () => {
  const told: Phrases<State, Message, 'again'> = {
    changes: (before, after, process) => (after.got > 1 ? [`${process} knows`, ` ${before.got} and\n more`] : []),
  };
  const trace = await found(talk(told));

  test('replace the fields of a state, but not those of a new one', () => {
    const story = storyLines(trace.events).join('\n');
    expect(story).toMatch(/ b +gets word \(n 0\) from a +b knows, 1 and more\n/);
    expect(story).toMatch(/starts +got: 0\n/);
    expect(story).not.toContain('got: 1');
    expect(readTrace(writeTrace(trace), 'x.trace')).toEqual(trace);
  });

  test('are wording only', async () => {
    expect(await recheck(plain, trace)).toMatchObject({ answer: 'reproduced', deviation: undefined });
    expect(inWords(await found(plain), resolveSystem(talk(told)).phrases)).toEqual(trace);
  });

  test('are a list of texts', async () => {
    await expect(search(talk({ changes: () => ['x', 3] as never }))).rejects.toThrow(
      /phrases\.changes, asked about event \d+ \(., deliver\), returned a list, which is not a list of texts\.$/,
    );
  });
});

describe('phrases are for readers only', async () => {
  const [with_, without] = [await found(wordy), await found(plain)];

  test('executions are the same', () => {
    const bare = with_.events.map(({ label: _label, stateLabel: _stateLabel, ...line }) => line);
    expect(bare).toEqual(without.events);
  });

  test.each([
    ['found since', without, wordy],
    ['lost since', with_, plain],
    ['changed since', with_, talk({ message: () => 'something else', state: () => 'else' })],
  ])('a trace is the same with phrases %s', async (_when, recorded, system) => {
    const again = await replay(system, recorded);
    expect(again.verdict).toEqual(recorded.verdict);
    expect(again.events).toEqual((await found(system)).events);
    expect(await recheck(system, recorded)).toMatchObject({ answer: 'reproduced', deviation: undefined });
  });

  test('another change is handled as such, and not because of the phrases', async () => {
    const fixed = talk({ timer: () => 'says something' });
    const holds = defineSystem({ ...fixed.define({}), invariants: {} });
    expect(await recheck(holds, with_, { neighbors: 0 })).toMatchObject({ answer: 'fixed', otherwise: undefined });
  });

  test('changes to their arguments have no effect', async () => {
    const rude = talk({
      message(message) {
        message.n = 100;
        return undefined;
      },
      state(state) {
        state.got = 100;
        return undefined;
      },
    });
    expect(await found(rude)).toEqual(without);
  });

  test('they are not called while no trace is written', async () => {
    let asked = 0;
    const counting = talk({ timer: () => void (asked += 1) });
    const harmless = defineSystem({ ...counting.define({}), invariants: {} });
    await search(harmless, { executions: 1, eventsMax: 50 });
    const once = asked;
    asked = 0;
    await search(harmless, { executions: 200, eventsMax: 50 });
    expect([once > 0, asked]).toEqual([true, once]);
  });
});

describe('a phrase that fails', () => {
  const rarely: Phrases<State, Message, 'again'> = {
    state({ got }) {
      if (got === 3) throw new Error('speechless');
      return undefined;
    },
  };

  test.each<[string, Phrases<State, Message, 'again'>, RegExp]>([
    [
      'throws',
      {
        timer: () => {
          throw new Error('speechless');
        },
      },
      /^seed 0: phrases\.timer, asked about event 3 \(., fire\), threw: Error: speechless/,
    ],
    [
      'returns a number',
      { message: () => 3 as never },
      /^seed 0: phrases\.message, asked about event \d+ \(., deliver\), returned 3, which is not a text\.$/,
    ],
    [
      'returns null',
      { state: () => null as never },
      /^seed 0: phrases\.state, asked about event 1 \(a, start\), returned null, which is not a text\.$/,
    ],
    ['returns an object', { state: () => ({}) as never }, /returned an object without fields, which is not a text\.$/],
    [
      'never returns',
      {
        message: () => {
          for (;;);
        },
      },
      /^seed 0: phrases\.message, asked about event \d+ \(., deliver\), did not return within 20 ms\.$/,
    ],
  ])('%s: is named', async (_how, phrases, message) => {
    await expect(search(talk(phrases), { handlerMs: 20 })).rejects.toThrow(message);
  });

  test('does not lose the finding', async () => {
    const error = await search(talk(rarely), { eventsMax: 100 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SearchEnded);
    const { report, cause, message } = error as SearchEnded;
    expect(message).toMatch(/phrases\.state, asked about event \d+ \(b, deliver\), threw: Error: speechless/);
    expect(report.findings.map(({ trace }) => trace)).toEqual([(cause as BadPhrase).trace]);
    expect(report.findings[0]?.trace.events).toEqual((await found(plain, { eventsMax: 100 })).events);
  });

  test('does not lose the finding of a check', async () => {
    const error = await check(talk(rarely), { eventsMax: 12, search: 'breadth' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'CHECK_ENDED',
      report: { findings: [{ trace: { verdict: { oracle: 'few' } } }] },
    });
  });

  test.each([
    [{ massage: () => 'x' }, 'the system has no field phrases.massage: did you mean phrases.message?'],
    [{ message: 'x' }, 'phrases.message is a function, not "x".'],
  ])('is no phrase: %o', (phrases, message) => {
    expect(() => resolveSystem(talk(phrases as never))).toThrow(message);
  });
});
