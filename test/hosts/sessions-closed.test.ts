import {
  behavior,
  defineSystem,
  doctor,
  explainWhy,
  hunt,
  minimize,
  recheck,
  search,
  send,
  type System,
} from 'culprit';
import { resolveSystem, stepAlong, targetOf, type AnyBehavior } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { culpritReading, folderWith, huntedTrace, interrupted, MOMENT } from '../cli/culprit.ts';
import { ticking } from '../twins/ticking.ts';
import { tickingModule } from './modules.ts';

/** A session that is not closed is a process that outlives culprit, where its processes are real. */

/** Black boxes that count how many of them are alive. */
class Counted {
  made = 0;
  alive = 0;

  readonly box: AnyBehavior = this.counting(
    ticking({
      receive: (self, message) => self.after(5, () => self.send('client', message)),
    }),
  );

  /** The same, in which minimizing replays prefixes. */
  peeking(): System {
    return defineSystem({ ...this.system().define({}), waiting: { peek: 'replay' } });
  }

  private counting(boxes: AnyBehavior): AnyBehavior {
    return {
      ...boxes,
      start: (ctx) => {
        this.made += 1;
        this.alive += 1;
        return boxes.start(ctx);
      },
      close: (subject, ending) => {
        this.alive -= 1;
        return boxes.close?.(subject, ending);
      },
    };
  }

  /** Violated by the third message, or judged by something that throws. */
  system(judge: (got: number) => boolean = (got) => got < 3): System {
    const client = behavior<{ got: number }, string>({
      start: () => ({ got: 0 }),
      receive(state) {
        state.got += 1;
      },
    });
    return defineSystem({
      processes: { one: this.box, other: this.box, client },
      pace: { roundMs: 20, quietMs: 100 },
      faults: { crashes: 1, restarts: 1 },
      workload: Array.from({ length: 4 }, (_, at) => send(at % 2 === 0 ? 'one' : 'other', 'hello')),
      invariants: { few: (world) => judge(world.process('client').state?.got ?? 0) },
    });
  }
}

/** Runs the command, which must make boxes, and says how many of them are alive afterward. */
async function left(counted: Counted, command: Promise<unknown>): Promise<number> {
  const before = counted.made;
  await command.catch(() => undefined);
  if (counted.made === before) throw new Error('the command made no box');
  return counted.alive;
}

async function found(system: System): Promise<Trace> {
  return (await search(system, { executions: 20 })).findings[0]?.trace as Trace;
}

test('hunts, replays and minimizations close their sessions', async () => {
  const counted = new Counted();
  const system = counted.system();
  const trace = await found(system);
  expect(counted.alive).toBe(0);
  expect(await left(counted, hunt(system, { executions: 5 }))).toBe(0);
  expect(await left(counted, recheck(system, trace))).toBe(0);
  expect(await left(counted, minimize(system, trace))).toBe(0);
  expect(await left(counted, minimize(counted.peeking(), trace))).toBe(0);
  expect(await left(counted, stepAlong(system, trace, ['next 100']))).toBe(0);
});

test('a spent budget leaves no session', async () => {
  const counted = new Counted();
  const system = counted.system();
  const trace = await found(system);
  expect(
    await left(
      counted,
      search(
        counted.system(() => true),
        { seconds: 0.05, executions: 1_000_000 },
      ),
    ),
  ).toBe(0);
  expect(
    await left(
      counted,
      search(
        counted.system(() => true),
        { executions: 3, eventsMax: 5 },
      ),
    ),
  ).toBe(0);
  expect(await left(counted, minimize(system, trace, { schedules: 3 }))).toBe(0);
  expect(await left(counted, minimize(system, trace, { seconds: 0.01 }))).toBe(0);
});

test('a signal leaves no session', async () => {
  const counted = new Counted();
  const system = counted.system();
  const trace = await found(system);
  const soon = (): AbortSignal => AbortSignal.timeout(30);
  expect(
    await left(
      counted,
      search(
        counted.system(() => true),
        { executions: 1_000_000, signal: soon() },
      ),
    ),
  ).toBe(0);
  expect(await left(counted, minimize(system, trace, { signal: soon() }))).toBe(0);
});

test('an exception leaves no session', async () => {
  const counted = new Counted();
  const system = counted.system();
  const trace = await found(system);
  const throwing = counted.system((got) => {
    if (got > 1) throw new Error('the invariant fails');
    return true;
  });
  expect(await left(counted, search(throwing, { executions: 5 }))).toBe(0);
  expect(await left(counted, recheck(throwing, trace))).toBe(0);
  expect(await left(counted, minimize(throwing, trace))).toBe(0);
});

test('explaining by replays and the doctor close their sessions', async () => {
  const counted = new Counted();
  const system = counted.system();
  const trace = await found(system);
  expect(await left(counted, explainWhy(system, trace, { replays: 2 }))).toBe(0);
  expect(await left(counted, doctor(system, { executions: 2 }))).toBe(0);
});

/** The module, which says when boxes were made or closed 40 times, and how many are alive at the end. */
const countingModule = tickingModule
  .replace('start: (io) => (', 'start: (io) => (alive(1), ')
  .replace('close(box) {', 'close(box) { alive(-1);')
  .replace(
    'const host',
    `import { writeSync } from 'node:fs';
let count = 0;
let calls = 0;
const alive = (more) => {
  count += more;
  if (++calls === 40) writeSync(2, '${MOMENT}\\n');
};
process.on('exit', () => writeSync(2, 'left ' + count + '\\n'));
const host`,
  );

/** A violated execution of the boxes, from a hunt that the tests share. */
let recorded: string | undefined;
const recordedTrace = (): string => (recorded ??= huntedTrace('box.system.ts', countingModule));

test.each([
  ['hunt', ['hunt', 'holds.system.ts', '--seconds', '100']],
  ['replay', ['replay', 'found.trace', '--replays', '100000']],
  ['minimize', ['minimize', 'found.trace']],
  ['explain', ['explain', 'found.trace', '--replays', '500', '--seconds', '1000']],
  ['doctor', ['doctor', 'holds.system.ts', '--executions', '100000']],
])('Ctrl-C during %s leaves no session', async (_name, command) => {
  const folder = folderWith({
    'box.system.ts': countingModule,
    'holds.system.ts': countingModule.replace('return answers <= asked ||', 'return true ||'),
    'found.trace': recordedTrace(),
  });
  const { code, err } = await interrupted(folder, { at: MOMENT }, ...command);
  expect(code).toBe(130);
  expect(err).toContain('left 0');
});

test.each([
  ['to its end', 'run\n'],
  ['until a wrong command', '1\nno such thing\n'],
])('step %s leaves no session', (_name, script) => {
  const folder = folderWith({ 'box.system.ts': countingModule });
  const { err } = culpritReading(script, folder, 'step', 'box.system.ts');
  expect(err).toContain('left 0');
});

test('every process is closed, also if closing another one fails', async () => {
  const closed: string[] = [];
  const failing = (name: string, fails: boolean): AnyBehavior => ({
    ...ticking({}),
    close: () => {
      closed.push(name);
      if (fails) throw new Error(`${name} cannot be closed`);
    },
  });
  const session = targetOf(
    resolveSystem(defineSystem({ processes: { a: failing('a', true), b: failing('b', false) } })),
  ).open(1);
  for (const process of ['a', 'b']) await session.perform({ kind: 'start', process });
  expect(() => session.close()).toThrow('a cannot be closed');
  expect(closed).toEqual(['a', 'b']);
});
