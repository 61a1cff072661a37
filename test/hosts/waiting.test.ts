import { behavior, defineSystem, explainWhy, minimize, recheck, search, send, type System } from 'culprit';
import type { Minimized, WaitingSettings } from 'culprit/kernel';
import { readTrace, writeTrace, type Trace } from 'culprit/trace';
import { explainLines } from 'culprit/report';
import { describe, expect, test } from 'vitest';
import { ticking, type Program } from '../twins/ticking.ts';

/** What replays and minimizations say about systems in which events appear by themselves. */

const typeOf = (message: unknown): string => (message as { type: string }).type;

const client = behavior({
  start: () => ({ got: [] as string[] }),
  receive(state, { type, n = 0 }: { type: string; n?: number }) {
    state.got.push(n === 2 ? 'boom' : type);
  },
});

/** Violated as soon as the client gets `boom`, or a message with the number 2. Inputs come 20 ms after one another. */
const systemOf = (server: Program, inputs: readonly string[], waiting: Partial<WaitingSettings> = {}): System =>
  defineSystem({
    processes: { server: ticking(server), client },
    pace: { roundMs: 20, quietMs: 300 },
    waiting,
    workload: inputs.map((type) => send('server', { type })),
    invariants: { noBoom: (world) => !(world.process('client').state?.got ?? []).includes('boom') },
  });

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 1, control: false });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

const loadedAgain = (trace: Trace): Trace => readTrace(writeTrace(trace), 'a trace');

const inputsIn = ({ events }: Trace): string[] =>
  events.flatMap((line) => (line.kind === 'send' ? [typeOf(line.message)] : []));

test('a replay of a system that is never quiet ends as executions do', async () => {
  const chatter = (goesWrong: boolean): Program => {
    const talk: NonNullable<Program['start']> = (box) =>
      box.after(10, () => {
        box.send('client', { type: 'talk' });
        talk(box);
      });
    return {
      start: talk,
      receive: (box) => box.send('client', { type: goesWrong ? 'boom' : 'fine' }),
    };
  };
  const system = (goesWrong: boolean): System =>
    defineSystem({
      ...systemOf(chatter(goesWrong), ['go']).define({}),
      pace: { roundMs: 20, quietMs: 300, executionMs: 2_000 },
    });
  const answer = await recheck(system(false), await found(system(true)), { replays: 2 });
  expect(answer).toMatchObject({ answer: 'sampled', replays: 2, reproduced: 0 });
});

describe('a replay in which an external comes too late, however often it starts over', () => {
  const end = (isBad: boolean) => ({ type: 'end', n: isBad ? 2 : 1 });

  /** Ends which are bad or not count as equal. */
  const endingSystem = (server: Program, inputs: readonly string[], roundMs = 20): System =>
    defineSystem({
      ...systemOf(server, inputs).define({}),
      pace: { roundMs, quietMs: 300 },
      minimize: { mask: ['n'] },
    });

  /** In the first session, the end comes after the last input, and in all others before. */
  function hasty(): Program {
    let sessions = 0;
    return {
      start(box) {
        sessions += 1;
        box.after(sessions === 1 ? 100 : 15, () => box.send('client', end(box.seen['armed'] === true)));
      },
      receive: (box, message) => typeOf(message) === 'arm' && box.observe('armed', true),
    };
  }

  test('is unknown, and not counted as if the violation had not happened', async () => {
    const system = endingSystem(hasty(), ['noise', 'noise', 'arm']);
    const sampled = await recheck(system, await found(system), { replays: 4 });
    expect(sampled).toMatchObject({
      answer: 'sampled',
      replays: 4,
      reproduced: 0,
      unknown: 4,
      interval: [0, 1],
      waiting: { replays: 4, restarts: 8, early: 4 },
    });
  });

  test('is named when nothing can be minimized', async () => {
    const system = endingSystem(hasty(), ['noise', 'noise', 'arm']);
    await expect(minimize(system, await found(system))).rejects.toThrow(
      'the violation did not happen in 20 replays (20 of them show nothing: an external came too late)',
    );
  });

  /** Without `slow`, the end comes before the second input. */
  const delayed: Program = {
    start(box) {
      const over = (): void => box.send('client', end(box.seen['armed'] === true));
      box.after(50, () => (box.seen['slow'] === true ? box.after(70, over) : over()));
    },
    receive: (box, message) => box.observe(typeOf(message) === 'arm' ? 'armed' : 'slow', true),
  };

  test('rules out a certificate, and is in the record of the minimization', async () => {
    const system = endingSystem(delayed, ['slow', 'arm'], 35);
    const { trace, certificate, waiting } = await minimize(system, await found(system));
    expect(inputsIn(trace)).toEqual(['slow', 'arm']);
    expect(certificate).toBeUndefined();
    expect(waiting?.early).toBeGreaterThan(0);
    expect(trace.header.minimized?.waiting).toEqual(waiting);
  });
});

describe('an event that the recording does not have', () => {
  /** Says hello in all sessions but the first. */
  function greeting(): Program {
    let sessions = 0;
    return {
      start(box) {
        sessions += 1;
        if (sessions > 1) box.after(5, () => box.send('client', { type: 'hello' }));
      },
      receive: (box) => box.after(10, () => box.send('client', { type: 'boom' })),
    };
  }

  async function replayedEvents(unexpected: 'pass' | 'hold'): Promise<Trace> {
    const system = systemOf(greeting(), ['go'], { unexpected });
    const sampled = await recheck(system, await found(system));
    if (sampled.answer !== 'sampled' || sampled.trace === undefined) throw new Error(sampled.answer);
    return sampled.trace;
  }

  test('passes, and is marked', async () => {
    const trace = await replayedEvents('pass');
    const marked = trace.events.filter(({ unexpected }) => unexpected === true);
    expect(marked).toMatchObject([{ kind: 'deliver', process: 'client', message: { type: 'hello' } }]);
    expect(explainLines(trace).join('\n')).toContain('gets hello from server; not in the recording');
    expect(loadedAgain(trace).events).toEqual(trace.events);
  });

  test('stays pending where new events are held, unless an expected one waits behind it', async () => {
    const trace = await replayedEvents('hold');
    // The channel is in order: hello is in front of boom, and is delivered when boom is there.
    const [hello, boom] = trace.events.slice(-2);
    expect(hello).toMatchObject({ message: { type: 'hello' }, unexpected: true });
    expect((boom?.atMs ?? 0) - (hello?.atMs ?? 0)).toBeLessThanOrEqual(1);
  });
});

test('a violation that needs no input is minimized to none', async () => {
  const program: Program = { start: (box) => box.after(70, () => box.send('client', { type: 'boom' })) };
  const system = systemOf(program, ['noise', 'noise', 'noise']);
  const { trace, certificate } = await minimize(system, await found(system));
  expect(inputsIn(trace)).toEqual([]);
  expect(certificate).toBe('1-minimal up to the stated error');
});

describe('how much longer than in the recording an event is awaited', () => {
  /** Answers 10 ms after an input, and so much later in other sessions than the first. */
  function answering(laterMs: number): Program {
    let sessions = 0;
    return {
      start: () => void (sessions += 1),
      receive: (box) => box.after(sessions === 1 ? 10 : 10 + laterMs, () => box.send('client', { type: 'boom' })),
    };
  }

  test.each([
    [0, 25],
    [60, 85],
    [400, 425],
  ])('follows how late events come: %d ms, awaited for %d ms', async (laterMs, epsilonMs) => {
    const system = systemOf(answering(laterMs), ['go']);
    const sampled = await recheck(system, await found(system));
    expect(sampled).toMatchObject({ reproduced: 10, waiting: { replays: 10, epsilonMs, early: 0 } });
  });

  test('does not grow because events wait behind one that does not appear', async () => {
    let sessions = 0;
    const system = systemOf(
      {
        start: () => void (sessions += 1),
        receive(box) {
          if (sessions === 1) box.after(10, () => box.send('client', { type: 'first' }));
          box.after(12, () => box.send('client', { type: 'boom' }));
        },
      },
      ['go'],
    );
    const sampled = await recheck(system, await found(system), { replays: 1 });
    expect(sampled).toMatchObject({ reproduced: 1, waiting: { epsilonMs: 25 } });
  });

  test('is set for the first replay and for the others', async () => {
    const system = systemOf(answering(60), ['go'], { firstEpsilonMs: 0, epsilonMs: 0 });
    const trace = await found(system);
    // The answer is given up, and comes in the time in which the system becomes quiet: from then on it is awaited.
    expect(await recheck(system, trace)).toMatchObject({ reproduced: 10, waiting: { epsilonMs: 85 } });
  });
});

describe('peek', () => {
  /**
   * Says beat when it gets an a, and at 150 ms by itself. A b in the first 45 ms is the bug. What it says at 300 ms comes up to 200 ms
   * later in other sessions than the first, so that replays are patient.
   */
  function beating(): Program {
    let sessions = 0;
    return {
      start(box) {
        sessions += 1;
        box.after(45, () => box.observe('late', true));
        box.after(150, () => box.send('client', { type: 'beat' }));
        box.after(300 + (sessions === 1 ? 0 : box.dice.below(200)), () => box.send('client', { type: 'hello' }));
      },
      receive(box, message) {
        if (typeOf(message) === 'a') box.after(15, () => box.send('client', { type: 'beat' }));
        if (typeOf(message) !== 'b' || box.seen['late'] === true) return;
        box.after(700, () => box.send('client', { type: 'boom' }));
      },
    };
  }

  const minimized = async (peek: 'none' | 'replay'): Promise<Minimized> => {
    const system = defineSystem({
      ...systemOf(beating(), ['a', 'b'], { peek }).define({}),
      pace: { roundMs: 20, quietMs: 800 },
    });
    return minimize(system, await found(system));
  };

  test('without it, an equal event that comes for another reason holds up the next input', async () => {
    const { trace, waiting } = await minimized('none');
    expect(inputsIn(trace)).toEqual(['a', 'b']);
    expect(waiting).toMatchObject({ peeks: 0 });
  });

  test('with it, the event is known to be absent, and the input comes in time', async () => {
    const { trace, waiting, certificate } = await minimized('replay');
    expect(inputsIn(trace)).toEqual(['b']);
    expect(certificate).toBe('1-minimal up to the stated error');
    expect(waiting?.peeks).toBeGreaterThan(0);
  });
});

test('an event of an actor whose cause was left out is not awaited: the next input comes in time', async () => {
  /** Takes a b in its first 80 ms only. */
  const server = ticking({
    start: (box) => box.after(80, () => box.observe('late', true)),
    receive: (box) => box.seen['late'] !== true && box.send('client', { type: 'boom' }),
  });
  /** Notes a go in the log, and passes a b on. */
  const relay = behavior({
    start: () => ({ got: [] as string[] }),
    receive(state, { type }: { type: string }, ctx) {
      if (type === 'go') ctx.send('log', { type: 'note' });
      if (type === 'b') ctx.send('server', { type });
      state.got.push(type);
    },
  });
  const system = defineSystem({
    processes: { server, client: relay, log: client },
    pace: { roundMs: 20, quietMs: 300 },
    workload: ['go', 'b'].map((type) => send('client', { type })),
    invariants: { noBoom: (world) => !(world.process('client').state?.got ?? []).includes('boom') },
  });
  const { counterfactuals } = await explainWhy(system, await found(system), { replays: 3 });
  // Were the note awaited, b would be late in the first replay without go. Later ones know that the note does not appear.
  expect(counterfactuals.map(({ replays }) => replays?.reproduced)).toEqual([3, 0]);
});
