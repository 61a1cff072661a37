import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { behavior, crash, defineSystem, restart, send } from 'culprit';
import { diffLines, explainLines, stepsOf, storyLines, type Role, type StoryStep } from 'culprit/report';
import { readTrace, type Change, type EventLine, type Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import everything from '../trace/everything.system.ts';

const shown = ({ first, last, who, what, stateLabel, changes }: StoryStep): string =>
  `${first}–${last} ${who.join(', ')} ${what}${stateLabel === undefined ? '' : ` / ${stateLabel}`}${changes.length === 0 ? '' : ` / ${changes.join(', ')}`}`;

const steps = (events: readonly EventLine[]): string[] => stepsOf(events).map(shown);

/** One that tells all others, and gets thanks. */
type Message = { type: 'news' | 'thanks' } | { type: 'tell'; times: number };

const town = (limit: number) => {
  const crier = behavior<{ told: number }, Message>({
    start: () => ({ told: 0 }),
    receive(state, message, ctx) {
      if (message.type === 'tell') for (const peer of ctx.peers) ctx.send(peer, { type: 'news' });
      if (message.type === 'tell') state.told += message.times;
    },
  });
  const citizen = behavior<{ knows: string[] }, Message>({
    start: () => ({ knows: [] }),
    receive(state, message, ctx) {
      if (state.knows.length < 2) state.knows.push(message.type, 'more');
      ctx.send('crier', { type: 'thanks' });
    },
  });
  return defineSystem({
    processes: { crier, a: citizen, b: citizen },
    workload: [send('crier', { type: 'tell', times: 2 }), crash('a'), restart('a')],
    invariants: { few: (world) => world.length < limit || 'enough' },
  });
};

describe('events are one step', async () => {
  const { events } = await found(town(11), { strategy: 'round-robin', seed: 0 });
  // Made by hand, so that it does not depend on random choices: the same events in another order.
  const pick = (kind: string, process?: string): EventLine[] =>
    events.filter((line) => line.kind === kind && (process === undefined || line.process === process));

  test('consecutive starts, grouped by their initial states', () => {
    expect(steps(pick('start'))).toEqual(['1–3 crier, a, b start / crier {told: 0}, a, b {knows: []}']);
    expect(steps(pick('start').slice(1))).toEqual(['2–3 a, b start / knows: []']);
    const logging = pick('start').map((line) => ({ ...line, log: ['hello'] }));
    expect(steps(logging)[1]).toBe('2–2 a starts; logs "hello" / knows: []');
    expect(steps(pick('start').slice(2))).toEqual(['3–3 b starts / knows: []']);
  });

  test('a message of the environment, and its arrival right after', () => {
    const [sent] = pick('send') as [EventLine];
    const [arrived] = pick('deliver', 'crier') as [EventLine];
    const together = [
      { ...sent, event: 4 },
      { ...arrived, event: 5, cause: 4 },
    ];
    expect(steps(together)).toEqual(['4–5 crier gets tell (times 2) from environment / told: 0 → 2']);
    expect(steps([together[0] as EventLine, { ...arrived, event: 5, cause: 3 }])).toHaveLength(2);
    expect(steps([together[0] as EventLine])).toEqual(['4–4 environment sends tell (times 2) to crier']);
  });

  const news = (event: number, process: string, more: Partial<EventLine> = {}): EventLine =>
    ({
      event,
      kind: 'deliver',
      process,
      cause: 1,
      id: String(event).padStart(16, '0'),
      from: 'crier',
      message: { type: 'news' },
      sentMs: 0,
      changes: [['/knows/0', { $nothing: true }, 'news']],
      ...more,
    }) as EventLine;

  test('one message to several processes with the same effect', () => {
    expect(steps([news(1, 'a'), news(2, 'b'), news(3, 'c')])).toEqual([
      '1–3 a, b, c get news from crier / knows + [news]',
    ]);
    expect(steps([news(1, 'a'), news(2, 'a'), news(3, 'b', { cause: 2 })])).toEqual([
      '1–2 a gets news from crier, 2 times / knows + [news]',
      '3–3 b gets news from crier / knows + [news]',
    ]);
    expect(steps([news(1, 'a'), news(2, 'b', { changes: [] })])).toHaveLength(2);
    expect(steps([news(1, 'a'), news(2, 'b', { cause: 2 })])).toHaveLength(2);
    expect(steps([news(1, 'a', { stateLabel: 'wise' }), news(2, 'b', { stateLabel: 'old' })])).toHaveLength(2);
    expect(steps([news(1, 'a', { label: 'hears it' }), news(2, 'b', { label: 'hears it' })])).toEqual([
      '1–2 a, b each: hears it / knows + [news]',
    ]);
  });

  test('messages of several processes to one, without effect', () => {
    const idle = (event: number, from: string): EventLine => news(event, 'a', { from, changes: [] });
    expect(steps([idle(1, 'b'), idle(2, 'c'), idle(3, 'd')])).toEqual(['1–3 a gets news from b, c, d']);
    expect(steps([idle(1, 'b'), news(2, 'a', { from: 'c' })])).toHaveLength(2);
    expect(steps([idle(1, 'b'), { ...idle(2, 'c'), log: ['hm'] }])).toHaveLength(2);
  });

  test('the same message of the environment to several processes', () => {
    const sends = ['a', 'b'].map((to, at): EventLine => ({
      event: at + 1,
      kind: 'send',
      process: 'environment',
      cause: 0,
      id: '0'.repeat(16),
      to,
      message: 'x',
    }));
    expect(steps(sends)).toEqual(['1–2 environment sends x to a, b']);
    const [one, two] = sends as [EventLine, EventLine];
    const arrivals = ['a', 'b'].map((process, at) =>
      news(0, process, { from: 'environment', message: 'x', cause: at * 2 + 1 }),
    );
    const whole = [one, arrivals[0], two, arrivals[1]].map((line, at) => ({ ...(line as EventLine), event: at + 1 }));
    expect(steps(whole)).toEqual(['1–4 a, b get x from environment / knows + [news]']);
    expect(steps(whole.slice(0, 3))).toEqual([
      '1–2 a gets x from environment / knows + [news]',
      '3–3 environment sends x to b',
    ]);
    const crossed = [one, two, { ...arrivals[1], cause: 2 }, { ...arrivals[0], cause: 1 }];
    expect(steps(crossed.map((line, at) => ({ ...(line as EventLine), event: at + 1 })))).toEqual([
      '1–4 b, a get x from environment / knows + [news]',
    ]);
  });
});

test('additions to one list or object are one line, and so are removals', () => {
  const line = (...changes: NonNullable<EventLine['changes']>): EventLine => ({
    event: 1,
    kind: 'crash',
    process: 'a',
    cause: 0,
    id: '0'.repeat(16),
    changes,
  });
  const none = { $nothing: true };
  const told = (...changes: NonNullable<EventLine['changes']>): readonly string[] =>
    stepsOf([line(...changes)])[0]?.changes ?? [];
  expect(told(['/v/0', none, 'x'], ['/v/1', none, 'y'], ['/w/0', none, 'z'])).toEqual(['v + [x, y]', 'w + [z]']);
  expect(told(['/v/1', 'y', none], ['/v/0', 'x', none])).toEqual(['v − [x, y]']);
  expect(told(['/m/k', none, 1], ['/m/l', none, 2], ['/n', 1, 2])).toEqual(['m + {k: 1, l: 2}', 'n: 1 → 2']);
  expect(told(['/k', none, 1], ['/l', 1, none])).toEqual(['+ {k: 1}', '− {l: 1}']);
  expect(told(['', none, { a: 1, b: [] }])).toEqual(['a: 1', 'b: []']);
});

describe('every event is in one step, in order', async () => {
  const crying = await found(town(10), { seed: 3 });
  test.each<[string, Trace]>([
    ['the lock', await found(lock)],
    ['every kind of event', await found(everything, { eventsMax: 2_000 })],
    ['the town', crying],
  ])('%s', (_what, { events }) => {
    const told = stepsOf(events);
    expect(told.length).toBeLessThan(events.length);
    expect(told.flatMap(({ first, last }) => events.slice(first - 1, last))).toEqual(events);
  });
});

describe('an explanation', async () => {
  const trace = await found(lock);

  test('says what is violated, and what happened step by step', () => {
    expect(`\n${explainLines(trace).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      violated  mutualExclusion: client-2 and client-3 both hold the lock
                11 events

        1–4  lock, client-1, client-2, client-3 start  lock {holder: null}, client-1, client-2, client-3 {phase: waiting}
          5  lock      gets acquire from client-2  holder: null → client-2
          6  client-2  gets granted from lock      phase: waiting → holding
          7  client-1  timer enough fires          phase: waiting → done
          8  lock      gets acquire from client-1
          9  lock      gets release from client-1  holder: client-2 → null
         10  lock      gets acquire from client-3  holder: null → client-3
         11  client-3  gets granted from lock      phase: waiting → holding
      "
    `);
  });

  test('fits into a terminal', async () => {
    const wide = await found(everything, { eventsMax: 2_000 });
    expect(`\n${explainLines(trace, { width: 60 }).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      violated  mutualExclusion: client-2 and client-3 both hold
                the lock
                11 events

        1–4  lock, client-1, client-2, client-3 start
                   lock {holder: null}, client-1, client-2,
                   client-3 {phase: waiting}
          5  lock      gets acquire from client-2
                         holder: null → client-2
          6  client-2  gets granted from lock
                         phase: waiting → holding
          7  client-1  timer enough fires  phase: waiting → done
          8  lock      gets acquire from client-1
          9  lock      gets release from client-1
                         holder: client-2 → null
         10  lock      gets acquire from client-3
                         holder: null → client-3
         11  client-3  gets granted from lock
                         phase: waiting → holding
      "
    `);
    const tooLong = explainLines(wide, { width: 100 }).filter(({ length }) => length > 100);
    expect(tooLong).toEqual([]);
  });

  test('describes a process when its description changes, and no more of a state than is readable', () => {
    const first = trace.events[6] as EventLine;
    const many = Array.from({ length: 10 }, (_, at): Change => [`/field${at}`, 0, 1]);
    const events = ['free', 'free', 'taken'].map((stateLabel, at) => ({
      ...first,
      event: at + 1,
      stateLabel,
      changes: many.slice(at * 2),
    }));
    const few = (from: number): string =>
      many
        .slice(from, from + 8)
        .map(([pointer]) => `${pointer.slice(1)}: 0 → 1`)
        .join(', ');
    expect(explainLines({ ...trace, events }).slice(3)).toEqual([
      `  1  client-1  timer enough fires  free; ${few(0).replace(', field7: 0 → 1', ', … 3 more')}`,
      `  2  client-1  timer enough fires  ${few(2)}`,
      `  3  client-1  timer enough fires  taken; ${few(4)}`,
    ]);
  });

  test('leaves out fields whose new values are in the words for the state', () => {
    const first = trace.events[6] as EventLine;
    const changes: Change[] = [
      ['/role', 'Candidate', 'Leader'],
      ['/term', 1, 2],
      ['/votes', 1, 2],
      ['/votedFor', null, 'n1'],
    ];
    const line = (stateLabel: string): string | undefined =>
      explainLines({ ...trace, events: [{ ...first, event: 1, stateLabel, changes }] }).at(-1);
    expect(line('leader of term 2')).toBe(
      '  1  client-1  timer enough fires  leader of term 2; votes: 1 → 2, votedFor: null → n1',
    );
    expect(line('leading')).toContain('role: Candidate → Leader, term: 1 → 2, votes');
  });

  test.each([40, 60, 80, 100, 160])('of Raft fits into %d columns', (width) => {
    const url = new URL('../../cases/raft/best/raft-58a.trace', import.meta.url);
    const raft = readTrace(readFileSync(url, 'utf8'), url.pathname);
    // A word that is longer than a line, such as a path, stays whole.
    const isBroken = (line: string): boolean => line.length <= width || !line.trim().includes(' ');
    expect(explainLines(raft, { width }).filter((line) => !isBroken(line))).toEqual([]);
  });

  test('of a hostile file does nothing to a terminal', () => {
    const bad = '\u001b[2J\n\u202e';
    const [first] = trace.events as [EventLine];
    const line = (more: object): EventLine => ({ ...first, process: `p${bad}`, ...more });
    const hostile: Trace = {
      ...trace,
      events: [
        line({ event: 1, changes: [['', { $nothing: true }, { [bad]: bad }]] }),
        line({ event: 2, process: bad, changes: [] }),
        line({ event: 3, kind: 'fire', timer: bad, stateLabel: bad, changes: [[`/${bad}`, bad, { $nothing: true }]] }),
        line({
          event: 4,
          kind: 'deliver',
          from: bad,
          message: { type: bad },
          log: [bad],
          changes: [[`/${bad}`, bad, bad]],
        }),
      ],
      verdict: { ...trace.verdict, oracle: bad, message: bad, values: { [bad]: bad } } as Trace['verdict'],
    };
    const lines = [...explainLines(hostile), ...storyLines(hostile.events), ...diffLines(hostile, trace)];
    expect(lines.filter((one) => /[\p{Cc}\u202e]/u.test(one))).toEqual([]);
    expect(explainLines(hostile)[0]).toBe(String.raw`violated  \x1b[2J\n\u202e: \x1b[2J\n\u202e`);
  });

  test('shows the end of a long story', () => {
    expect(explainLines(trace, { stepsMax: 2 }).slice(3)).toEqual([
      '  … 9 earlier events',
      '  10  lock      gets acquire from client-3  holder: null → client-3',
      '  11  client-3  gets granted from lock      phase: waiting → holding',
    ]);
  });

  test('tells what did not lead to the violation in one line, where only the end is shown', () => {
    const last = trace.events.at(-1) as EventLine;
    // Two steps of another process, after which nothing depends on them.
    const idle = [1, 2].map((n): EventLine => ({
      event: last.event - 1 + n,
      kind: 'fire',
      process: 'client-2',
      cause: 3,
      id: `000000000000000${n}`,
      timer: `tick ${n}`,
      deadlineMs: 0,
    }));
    const { minimized: _minimized, ...header } = trace.header;
    const events = [...trace.events.slice(0, -1), ...idle, { ...last, event: last.event + 2 }];
    const longer: Trace = { ...trace, header, events };
    const number = `${last.event}–${last.event + 1}`;
    expect(explainLines(longer, { stepsMax: 2 }).slice(4, 5)).toEqual([
      `  ${number}  … 2 events that did not lead to it`,
    ]);
    expect(explainLines(longer).join('\n')).toContain('timer tick 1 fires');
  });

  test('puts a change below its event, further to the left, where a field and its value would be parted', () => {
    const narrow = explainLines(trace, { width: 40 });
    expect(narrow.slice(-2)).toEqual([
      '   11  client-3  gets granted from lock',
      '           phase: waiting → holding',
    ]);
  });

  test('keeps its layout in color', () => {
    const paint = (text: string, role: Role): string => `<${typeof role === 'object' ? 'who' : role}>${text}</>`;
    const painted = explainLines(trace, { paint, width: 80 });
    const bare = painted.map((line) => line.replaceAll(/<[a-z/]*>/g, ''));
    expect(bare).toEqual(explainLines(trace, { width: 80 }));
    expect(painted.join('\n')).toContain('<who>lock</>, <who>client-1</>, <who>client-2</>, <who>client-3</> start');
    expect(painted[0]).toMatch(/^<bad>violated<\/> /);
  });
});
