import { behavior, defineSystem, minimize, recheck, search, send, type System } from 'culprit';
import type { AnyBehavior, Definition, PassingRule } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { ticking, type Program } from '../twins/ticking.ts';

/** Messages that replays do not compare with the recording. Each system here shows nothing without the rule, or with the wrong one. */

interface Message {
  readonly type: string;
}

type Rule = PassingRule<unknown>;

type More = Partial<Pick<Definition<Record<string, AnyBehavior>>, 'pace' | 'faults'>> & {
  readonly passing?: readonly Rule[];
};

const typeOf = (message: unknown): string => (message as Message).type;

const beats = (when: Rule['when']): readonly Rule[] => [
  { name: 'beats', includes: (message) => typeOf(message) === 'beat', when, isBackground: true },
];

const client = behavior({
  start: () => ({ got: [] as string[] }),
  receive(state, { type }: Message) {
    state.got.push(type);
  },
});

/** Inputs for the server come 20 ms after one another. */
const systemOf = (
  server: Program,
  inputs: readonly string[],
  isBad: (got: readonly string[]) => boolean,
  more: More = {},
): System =>
  defineSystem({
    processes: { server: ticking(server), client },
    pace: { roundMs: 20, quietMs: 200, executionMs: 5_000 },
    workload: inputs.map((type) => send('server', { type })),
    invariants: { good: (world) => !isBad(world.process('client').state?.got ?? []) },
    ...more,
  });

async function found(system: System, executions = 1): Promise<Trace> {
  const { findings } = await search(system, { executions, control: false });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

const has = (wanted: string) => (got: readonly string[]) => got.includes(wanted);

describe('messages that come by the clock of a process', () => {
  /** Beats from the start in the first session, and from 200 ms on in all others. Takes a b in its first 80 ms only. */
  function beating(): Program {
    let sessions = 0;
    return {
      start(box) {
        sessions += 1;
        const beat = (): void => {
          box.send('client', { type: 'beat' });
          box.after(10, beat);
        };
        box.after(sessions === 1 ? 5 : 200, beat);
        box.after(80, () => box.observe('late', true));
      },
      receive(box, message) {
        if (typeOf(message) !== 'b' || box.seen['late'] === true) return;
        box.after(3, () => box.send('client', { type: 'boom' }));
      },
    };
  }
  const beatingSystem = (passing: readonly Rule[]): System => systemOf(beating(), ['a', 'b'], has('boom'), { passing });

  test('hold up an input if they are awaited', async () => {
    const awaiting = beatingSystem(beats('never'));
    expect(await recheck(awaiting, await found(awaiting), { replays: 3 })).toMatchObject({ reproduced: 0 });
  });

  test('are neither awaited nor new nor absent if they pass', async () => {
    const passing = beatingSystem(beats('untouched'));
    const trace = await found(passing);
    const sampled = await recheck(passing, trace, { replays: 3 });
    expect(sampled).toMatchObject({
      reproduced: 3,
      passing: [{ rule: 'beats', passes: true }],
      byReplay: Array.from({ length: 3 }, () => ({ matched: 3, absent: 0, unexpected: 0 })),
    });
    const { trace: smallest } = await minimize(passing, trace);
    expect(smallest.events.filter(({ kind }) => kind === 'send')).toHaveLength(1);
  });

  /** Beats for good, and says boom so long after the last input. */
  const endless = (boomMs: number): Program => ({
    start(box) {
      const beat = (): void => {
        box.send('client', { type: 'beat' });
        box.after(10, beat);
      };
      beat();
      box.after(boomMs, () => box.send('client', { type: 'boom' }));
    },
  });

  test('do not keep an execution from being quiet', async () => {
    for (const [passing, findings] of [
      [beats('never'), 0],
      [[], 1],
    ] as const) {
      const system = systemOf(endless(1_000), [], has('boom'), { passing });
      const report = await search(system, { executions: 1, control: false });
      expect(report.findings).toHaveLength(findings);
    }
  });

  test('do not keep a replay from being over', async () => {
    const more = { passing: beats('untouched') };
    const always = systemOf(endless(150), [], has('boom'), more);
    const never = systemOf(endless(100_000), [], has('boom'), more);
    expect(await recheck(never, await found(always), { replays: 2 })).toMatchObject({ reproduced: 0, unknown: 0 });
  });
});

describe('messages that the recording lost', () => {
  /** A beat for each input, and an end. */
  const answering: Program = {
    receive(box, message) {
      if (typeOf(message) === 'a') box.send('client', { type: 'beat' });
      else box.after(30, () => box.send('client', { type: 'end' }));
    },
  };
  const isBad = (got: readonly string[]): boolean => got.includes('end') && got.length < 5;
  const system = (when: Rule['when']): System =>
    systemOf(answering, ['a', 'a', 'a', 'a', 'b'], isBad, {
      passing: beats(when),
      faults: { losses: 1 },
      // The environment may do something while a message is in flight.
      pace: { roundMs: 0, quietMs: 200 },
    });

  test('are awaited, so that they are lost again', async () => {
    const trace = await found(system('untouched'), 40);
    const sampled = await recheck(system('untouched'), trace, { replays: 3 });
    expect(sampled).toMatchObject({ reproduced: 3, passing: [{ rule: 'beats', passes: false }] });
    expect(await recheck(system('always'), trace, { replays: 3 })).toMatchObject({ reproduced: 0, passing: [] });
  });

  test('are awaited where messages pass otherwise, if they are near', async () => {
    const trace = await found(system('untouchedNearby'), 40);
    expect(await recheck(system('untouchedNearby'), trace, { replays: 3 })).toMatchObject({ reproduced: 3 });
  });
});

describe('if the violation does not happen', () => {
  /** Says two things at once, on two lanes: the beat comes first if it passes. */
  const twofold: Program = {
    receive(box) {
      box.after(5, () => {
        box.send('client', { type: 'beat' }, { lane: 'beats' });
        box.send('client', { type: 'end' });
      });
    },
  };
  const endFirst = ([first]: readonly string[]): boolean => first === 'end';
  const system = systemOf(twofold, ['go'], endFirst, { passing: beats('untouched') });
  const passing = [{ rule: 'beats', passes: false, otherInVain: 10 }];

  test('the other setting is tried, and named', async () => {
    const trace = await found(system, 20);
    expect(await recheck(system, trace)).toMatchObject({ reproduced: 10, replays: 10, passing });
    expect(await minimize(system, trace)).toMatchObject({
      reproduction: { rate: 1 },
      passing: [{ rule: 'beats', passes: false, otherInVain: 20 }],
    });
  });

  test('with either setting, both are named', async () => {
    let sessions = 0;
    const once: Program = {
      ...twofold,
      start: () => void (sessions += 1),
      receive: (box, ...rest) => (sessions === 1 ? twofold.receive?.(box, ...rest) : undefined),
    };
    const gone = systemOf(once, ['go'], endFirst, { passing: beats('untouched') });
    const trace = await found(system, 20);
    sessions = 1;
    await expect(minimize(gone, trace)).rejects.toThrow(
      'the violation did not happen in 20 replays, nor in 20 in which beats were not awaited',
    );
  });
});

describe('messages that pass keep their recorded places', () => {
  /** Says two things at once, on two lanes, and more as soon as the client has answered. */
  const twofold: Program = {
    receive(box) {
      box.after(5, () => {
        box.send('client', { type: 'end' });
        box.send('client', { type: 'beat' }, { lane: 'beats' });
      });
    },
  };
  const endFirst = (got: readonly string[]): boolean => got.length === 2 && got[0] === 'end';
  const system = systemOf(twofold, ['go'], endFirst, { passing: beats('always') });

  test('so that their order is repeated', async () => {
    const trace = await found(system, 20);
    expect(await recheck(system, trace)).toMatchObject({ reproduced: 10, replays: 10 });
  });

  test('though the replay is slower than the recording was', async () => {
    // Beats by its own clock, and answers so long after an input. The client is to get an answer before the beat.
    let answerMs = 20;
    const clocked: Program = {
      start: (box) => box.after(100, () => box.send('client', { type: 'beat' }, { lane: 'beats' })),
      receive: (box) => box.after(answerMs, () => box.send('client', { type: 'answer' })),
    };
    const answeredFirst = (got: readonly string[]): boolean => got.length === 2 && got[0] === 'answer';
    const slow = systemOf(clocked, ['go'], answeredFirst, { passing: beats('always') });
    const trace = await found(slow);
    answerMs = 150;
    expect(await recheck(slow, trace, { replays: 3 })).toMatchObject({ reproduced: 3 });
  });

  test('unless they are there much earlier', async () => {
    // The beat of the recording is late; in replays it comes at once, and is not kept back until then.
    let beatMs = 2_000;
    const clocked: Program = {
      start: (box) => box.after(beatMs, () => box.send('client', { type: 'beat' }, { lane: 'beats' })),
      receive: (box) => box.after(1_500, () => box.send('client', { type: 'answer' })),
    };
    const both = (got: readonly string[]): boolean => got.length === 2;
    const pace = { roundMs: 20, quietMs: 3_000, executionMs: 10_000 };
    const early = systemOf(clocked, ['go'], both, { passing: beats('always'), pace });
    const trace = await found(early);
    beatMs = 300;
    const sampled = await recheck(early, trace, { replays: 1 });
    expect(sampled).toMatchObject({ reproduced: 1 });
    const replayed = (sampled as unknown as { readonly trace: Trace }).trace;
    const delivered = replayed.events.flatMap((event) => (event.kind === 'deliver' ? [typeOf(event.message)] : []));
    expect(delivered.indexOf('beat')).toBeLessThan(delivered.indexOf('answer'));
  });
});

test('messages that bring about more of their kind do not keep the schedule from being followed', async () => {
  const echo = behavior({
    start: () => ({}),
    receive: (_state, message: Message, ctx) => ctx.send(ctx.from, message),
  });
  const talker: Program = {
    start: (box) => box.send('echo', { type: 'beat' }),
    receive(box, message) {
      if (typeOf(message) === 'beat') box.send('echo', { type: 'beat' });
      else box.send('client', { type: 'boom' });
    },
  };
  const system = defineSystem({
    processes: { server: ticking(talker), client, echo },
    pace: { roundMs: 20, quietMs: 200, executionMs: 5_000 },
    workload: ['a', 'b'].map((type) => send('server', { type })),
    invariants: { good: (world) => (world.process('client').state?.got ?? []).length < 2 },
    passing: beats('always'),
  });
  expect(await recheck(system, await found(system), { replays: 2 })).toMatchObject({ reproduced: 2 });
});

test('a rule that cannot answer is named', async () => {
  const rule: Rule = { name: 'odd', includes: () => 1 as never, when: 'always' };
  const system = systemOf({ start: (box) => box.send('client', { type: 'boom' }) }, [], has('boom'), {
    passing: [rule],
  });
  const trace = await found(defineSystem({ ...system.define({}), passing: [] }));
  await expect(recheck(system, trace)).rejects.toThrow('the rule odd of passing, asked about a message,');
});
