import { crash, defineSystem, recheck, restart, search, send, untilDeliveries, type System } from 'culprit';
import { command, stdio, type InsideOptions } from 'culprit/live';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import type { Finding } from 'culprit/kernel';
import { explainLines } from 'culprit/report';

const statesIn = (trace: Trace | undefined): unknown[] =>
  (trace?.events ?? []).flatMap(({ observed = [] }) =>
    observed.flatMap(({ what, content }) => (what === 'state' ? [content] : [])),
  );

const timersIn = ({ events }: Trace): string[] =>
  events.flatMap((event) => (event.kind === 'fire' ? [event.timer] : []));

const pace = { roundMs: 20, quietMs: 500 };

/** The same cache in two languages: `expire` loses what `save` has not saved. */
const caches = {
  node: [
    'node',
    '-e',
    `
let unsaved = 0;
const save = () => { unsaved = 0; };
const expire = () => { if (unsaved > 0) console.error('%d lost', unsaved); };
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { message } = JSON.parse(line);
  if (message === 'put') { unsaved += 1; setTimeout(save, 300); }
  if (message === 'end') setTimeout(expire, 150);
});`,
  ],
  python: [
    'python3',
    '-c',
    `
import json, logging, sys, threading
unsaved = 0
def save():
    global unsaved
    unsaved = 0
def expire():
    if unsaved > 0: logging.error('%d lost', unsaved)
for line in sys.stdin:
    message = json.loads(line)['message']
    if message == 'put':
        unsaved += 1
        threading.Timer(0.3, save).start()
    if message == 'end': threading.Timer(0.15, expire).start()
`,
  ],
} as const;

const cacheIn = (shim: 'node' | 'python'): System =>
  defineSystem({
    processes: {
      cache: command(caches[shim], {
        connect: stdio(),
        inside: { shim },
        view: ({ err }) => ({ isLost: err.some((line) => line.endsWith('1 lost')) }),
      }),
    },
    pace,
    workload: ['other', 'end', 'put'].map((message) => send('cache', message)),
    invariants: {
      kept: (world) => world.process('cache').state?.isLost !== true,
    },
  });

/** Minimizing such an execution takes a minute: `test/hosts/timers-of-programs.test.ts` does it on a clock of its own. */
test.each([
  ['node', 5],
  ['python', 3],
] as const)(
  'timers of a program in %s are events: a bug that depends on the order of two of them comes back in every replay',
  async (shim, replays) => {
    const system = cacheIn(shim);
    const { findings } = await search(system, { executions: 20, control: false });
    const { trace } = findings[0] as Finding;
    expect(timersIn(trace)).toEqual(['expire']);
    expect(statesIn(trace)).toEqual([{ message: '%d lost', args: [1] }]);
    expect(explainLines(trace).join('\n')).toContain('logs "%d lost" with 1');
    expect(await recheck(system, trace, { replays })).toMatchObject({ reproduced: replays, replays });
  },
);

/** Prints a time, and a random number, at each message. */
const readers = {
  node: [
    'node',
    '-e',
    `require('readline').createInterface({ input: process.stdin }).on('line', () => {
       console.error(Date.now(), new Date().getTime(), Math.random());
     });`,
  ],
  python: [
    'python3',
    '-c',
    `
import random, sys, time
for line in sys.stdin: print(time.time(), time.time(), random.random(), file=sys.stderr, flush=True)
`,
  ],
} as const;

describe.each(['node', 'python'] as const)('the time and the random numbers of a program in %s', (shim) => {
  const inside: InsideOptions = { shim, logs: false };
  /** What the program has printed in both of its lives, by execution. */
  const executions: number[][][] = [];
  const lives: number[][] = [];
  const system = defineSystem({
    processes: {
      node: command(readers[shim], {
        connect: stdio(),
        inside,
        view: ({ err }) => ({ printed: err.map((line) => line.split(' ').map(Number)) }),
      }),
    },
    pace,
    workload: [send('node', 1), untilDeliveries(1), crash('node'), restart('node'), send('node', 2)],
    invariants: {
      once: (world) => {
        const { state, restarts } = world.process('node');
        const [line] = state?.printed ?? [];
        if (line === undefined) return true;
        lives[restarts] = line;
        if (restarts === 1) executions.push([...lives]);
        return restarts === 0;
      },
    },
  });

  test('are those of the recording in a replay, and others after a restart', async () => {
    const { findings } = await search(system, { executions: 1, control: false });
    expect(await recheck(system, findings[0]?.trace as Trace, { replays: 2 })).toMatchObject({ reproduced: 2 });
    const [recorded = [], ...replayed] = executions;
    const [[first = 0, then = 0, drawn] = [], [second = 0, , drawnLater] = []] = recorded;
    const sinceBeginning = (time: number): number => time * (shim === 'node' ? 1 : 1000) - 1e12;
    // Within an hour: all executions begin at the same moment.
    for (const time of [first, second]) expect(sinceBeginning(time)).toBeGreaterThanOrEqual(0);
    for (const time of [first, second]) expect(sinceBeginning(time)).toBeLessThan(3_600_000);
    expect(then).toBeGreaterThanOrEqual(first);
    expect(second).toBeGreaterThan(first);
    expect(drawn).not.toBe(drawnLater);
    expect(replayed).toHaveLength(2);
    for (const execution of replayed) expect(execution).toEqual(recorded);
  });
});

/** Sleeps at each message, and logs before and after. */
const sleepers = {
  node: [
    'node',
    '-e',
    `const { setTimeout: sleep } = require('timers/promises');
     process.stdin.on('data', async () => { console.error('goes to sleep'); await sleep(50); console.error('is awake'); });`,
  ],
  python: [
    'python3',
    '-c',
    `
import logging, sys, time
for line in sys.stdin:
    logging.warning('goes to sleep')
    time.sleep(0.05)
    logging.warning('is awake')
`,
  ],
} as const;

test.each([
  ['node', 'notes', [/^\[eval\]:2$/]],
  ['python', 'notes', [/^sleep at <string>:5$/]],
  ['node', 'barriers', [/^log: goes to sleep$/, /^\[eval\]:2$/, /^log: is awake$/]],
  ['python', 'barriers', [/^log: goes to sleep$/, /^sleep at <string>:5$/, /^log: is awake$/]],
] as const)('a program in %s whose logs are %s sleeps until an event', async (shim, logs, timers) => {
  const system = defineSystem({
    processes: {
      node: command(sleepers[shim], {
        connect: stdio(),
        inside: { shim, logs },
        view: ({ err }) => ({ isAwake: err.some((line) => line.includes('is awake')) }),
      }),
    },
    pace,
    workload: [send('node', 1)],
    invariants: {
      asleep: (world) => world.process('node').state?.isAwake !== true,
    },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  const trace = findings[0]?.trace as Trace;
  expect(statesIn(trace)).toEqual(['goes to sleep', 'is awake'].map((message) => ({ message, args: [] })));
  const fired = timersIn(trace);
  expect(fired).toHaveLength(timers.length);
  for (const [at, name] of timers.entries()) expect(fired[at]).toMatch(name);
});
