import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { behavior, defineSystem, hunt, recheck, replay, search, ViolationFound, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

interface Version {
  readonly runners?: readonly string[];
  readonly message?: string;
  /** Parameters with their defaults. */
  readonly parameters?: Readonly<Record<string, number>>;
}

/** Runners, and a judge that must not see the last one first. */
function racing({
  runners = ['a', 'b'],
  message = 'line 12: the last is first',
  parameters = {},
}: Version = {}): System {
  const last = runners.at(-1);
  const runner = behavior<object, string>({
    start(ctx) {
      ctx.send('judge', ctx.self === last ? 'last' : 'other');
      return {};
    },
    receive() {},
  });
  const judge = behavior<{ order: string[] }, string>({
    start: () => ({ order: [] }),
    receive: (seen, name) => void seen.order.push(name),
  });
  return defineSystem(parameters, () =>
    defineSystem({
      processes: { judge, ...Object.fromEntries(runners.map((name) => [name, runner])) },
      invariants: { order: (world) => world.up(judge).every(({ state }) => state.order[0] !== 'last') || message },
    }),
  );
}

let trace: Trace;

beforeAll(async () => {
  const { findings } = await search(racing(), { module: 'racing.ts' });
  trace = (findings[0] as { trace: Trace }).trace;
});

describe('a saved trace of a system in which', () => {
  test('a process was renamed diverges, with a hint, and is no error', async () => {
    const renamed = racing({ runners: ['a', 'c'] });
    expect(await recheck(renamed, trace, { neighbors: 5 })).toMatchObject({
      answer: 'diverged',
      hint: 'did you rename b to c?',
      deviation: {
        what: expect.stringContaining('there is no process called "b": the system has judge, a, c.') as unknown,
      },
      tried: { unknown: 0 },
    });
    const error = await replay(renamed, trace).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'REPLAY_DIVERGED' });
    expect(error).toHaveProperty('next', expect.stringMatching(/^Did you rename b to c\? /));
  });

  test('several processes were renamed names them all, and none if none is new', async () => {
    const both = await recheck(racing({ runners: ['c', 'd'] }), trace, { neighbors: 0 });
    expect(both).toMatchObject({ hint: 'did you rename a, b? The system now has c, d.' });
    const fewer = await recheck(racing({ runners: ['a'] }), trace, { neighbors: 0 });
    expect(fewer).toMatchObject({ answer: 'diverged', hint: undefined });
  });

  test('only numbers of the message differ is reproduced as recorded, and shows the new message', async () => {
    const edited = racing({ message: 'line 40: the last is first' });
    const found = await recheck(edited, trace);
    expect(found).toMatchObject({ answer: 'reproduced', by: 'replay', deviation: undefined });
    expect(found).toHaveProperty('trace.verdict.message', 'line 40: the last is first');
    expect((await replay(edited, trace)).events).toEqual(trace.events);
    const reworded = await recheck(racing({ message: 'line 12: the first is last' }), trace);
    expect(reworded).toMatchObject({
      answer: 'reproduced',
      by: 'stand-ins',
      deviation: { event: trace.events.length },
    });
  });

  test('a parameter was added still fails a hunt, with its default and with no other value', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'culprit-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await hunt(racing(), { directory, module: 'racing.ts', minimize: false }).catch(() => undefined);
    const before = readdirSync(directory);
    const once = { directory, module: 'racing.ts', executions: 1, strategy: 'round-robin' } as const;
    const more = racing({ parameters: { nodes: 3 } });
    const error = await hunt(more, once).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ViolationFound);
    expect(error).toHaveProperty('message', expect.stringContaining('\nfound     earlier, by seed '));
    await hunt(more, { ...once, set: { nodes: 4 } });
    await hunt(racing({ runners: ['a', 'c'] }), once);
    expect(readdirSync(directory)).toEqual(before);
  });
});

/** A process that throws this, given its random number. */
const throwing = (says: (drawn: number) => string): System => {
  const a = behavior<object, string>({
    start(ctx) {
      ctx.send('a', 'go');
      return {};
    },
    receive(_state, _message, ctx) {
      throw new Error(says(ctx.random.below(1_000)));
    },
  });
  return defineSystem({ processes: { a } });
};

const fingerprints = async (system: System): Promise<string[]> => {
  const { findings } = await search(system, { executions: 20, violations: 5, eventsMax: 10 });
  return findings.map(({ trace: { verdict } }) => (verdict.verdict === 'violated' ? verdict.fingerprint : ''));
};

describe('one bug has one name', () => {
  test('for any numbers, ids, lists of them and stack frames in its message', async () => {
    const list = (n: number): string => Array.from({ length: (n % 3) + 1 }, (_, at) => n + at).join(', ');
    const says = (n: number): string => `entries ${list(n)} of x-${n} (log.ts:${n}:${n})\n    at f${n} (log.ts:${n}:7)`;
    expect(await fingerprints(throwing(says))).toEqual(['noUncaughtException a Error: entries # of # (log.ts:#:#)']);
  });

  test('and two bugs of one oracle stay two if they differ in more', async () => {
    const says = (n: number): string => (n % 2 === 0 ? `entry ${n} is missing` : `entry ${n} is there twice`);
    expect((await fingerprints(throwing(says))).sort()).toEqual([
      'noUncaughtException a Error: entry # is missing',
      'noUncaughtException a Error: entry # is there twice',
    ]);
  });
});
