import { describe, expect, onTestFinished, test } from 'vitest';
import { ticking, type Program } from '../../../test/twins/ticking.ts';
import { driveInTurns } from '../../kernel/drive.ts';
import { execution } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { Simulation } from '../../kernel/simulation.ts';
import { oracleOf } from '../../oracles/oracle-of-system.ts';
import { behavior, defineSystem } from '../../system/define-system.ts';
import type { System } from '../../system/definition.ts';
import { send, start } from '../../system/externals.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { isInternal, type Event, type External } from '../../trace/event.ts';
import { LenientReplay, unknownTargets, type LenientReplayOptions } from './lenient-replay.ts';
import { Matcher } from './match.ts';
import { TooLate } from './too-late.ts';
import type { WaitingOptions } from './waiting-options.ts';

/** Each system here fails to violate without one part of waiting replay. Its recording is made by hand. */

interface Message {
  readonly type: string;
  readonly n?: number;
}

/** Remembers the types of the messages that it got. */
const client = behavior({
  start: () => ({ got: [] as string[] }),
  receive(state, { type, n = 0 }: Message) {
    state.got.push(n === 0 ? type : `${type}${n}`);
  },
});

/** Violated as soon as what the client got is bad. */
function systemOf(
  server: Program,
  isBad: (got: readonly string[]) => boolean,
  order: 'fifo' | 'unordered' = 'fifo',
): System {
  return defineSystem({
    processes: { server: ticking(server), other: ticking(relaying), client },
    transport: order,
    minimize: { mask: ['n'] },
    invariants: { good: (world) => !isBad(world.process('client').state?.got ?? []) },
  });
}

const has =
  (wanted: string) =>
  (got: readonly string[]): boolean =>
    got.includes(wanted);

/** Passes what it gets on to the client, later: a channel of its own. */
const relaying: Program = { receive: (box, message) => box.after(15, () => box.send('client', message)) };

const typeOf = (message: unknown): string => (message as Message).type;
const input = (type: string): External => send('server', { type });
/** An input, which the server gets. */
const served = (type: string): readonly Step[] => [input(type), `deliver server ${type}`];

/** `deliver client boom`: awaits that event and performs it. A number lets so many milliseconds pass. */
type Step = External | string | number;

async function recorded(system: System, ...steps: readonly Step[]): Promise<readonly Event[]> {
  const session = opened(system);
  for (const step of [start('server'), start('other'), start('client'), ...steps]) await take(session, step);
  return session.recording.events.since(0);
}

async function take(session: Session, step: Step): Promise<void> {
  if (typeof step === 'number') await session.wait?.({ ms: step, matching: () => false });
  else if (typeof step === 'object') await session.perform(step);
  else {
    const matching = (event: Event): boolean => wordsOf(event) === step;
    await session.wait?.({ ms: 10_000, matching });
    const found = session.enabled.find(matching);
    if (found === undefined) throw new Error(`${step} did not appear`);
    await session.perform(found);
  }
}

const wordsOf = (event: Event): string => {
  if (!('message' in event)) return `${event.kind} ${event.process}`;
  const { type, n = '' } = event.message as Message;
  return `${event.kind} ${event.process} ${type}${n}`;
};

function opened(system: System): Session {
  const session = Simulation.open(resolveSystem(system).declaration, 1);
  onTestFinished(() => session.close());
  return session;
}

interface Replayed {
  readonly verdict: string;
  readonly missed: readonly number[];
  readonly endedMs: number;
}

/** Replays the events without these, once. */
async function replayed(
  system: System,
  recording: readonly Event[],
  without: readonly string[],
  given: Partial<WaitingOptions> = {},
  options: Partial<LenientReplayOptions> = {},
): Promise<Replayed> {
  const resolved = resolveSystem(system);
  const schedule = recording.filter((event) => !without.includes(wordsOf(event)));
  const waiting: WaitingOptions = {
    epsilonMs: 100,
    unexpected: 'pass',
    recording,
    undelivered: [],
    fingerprint: resolved.declaration.fingerprint ?? ((message) => message),
    isControlled: (process) => resolved.declaration.processes.get(process)?.host === undefined,
    awaited: () => undefined,
    end: { quietMs: 500 },
    restarts: 2,
    absent: new Set(),
    ...given,
  };
  const session = opened(system);
  const matcher = new Matcher(resolved.hints.contentOf);
  const targets = unknownTargets(schedule);
  const standard = { matcher, likeness: 'content', absent: 'unblock', choices: undefined, targets, waiting } as const;
  const strategy = new LenientReplay(schedule, { ...standard, ...options });
  const oracle = oracleOf(resolved);
  const { verdict } = await driveInTurns(execution(session, { strategy, oracle, eventsMax: 1000 }));
  return { verdict: verdict.kind, missed: strategy.missed, endedMs: Math.floor(session.nowMs) };
}

const drop = (type: string): string[] => [`send environment ${type}`, `deliver server ${type}`];

describe('an event that appears late', () => {
  const system = systemOf(
    { receive: (box, message) => typeOf(message) === 'a' && box.after(70, () => box.send('client', { type: 'boom' })) },
    has('boom'),
  );
  const steps = [...served('a'), 'deliver client boom'];

  test('is awaited for its recorded gap, and longer', async () => {
    const recording = await recorded(system, ...steps);
    expect(await replayed(system, recording, [])).toMatchObject({ verdict: 'violated', missed: [] });
  });

  test('does not happen in a replay that does not wait for it', async () => {
    const recording = await recorded(system, ...steps);
    const early = recording.map((event) => ({ ...event, atMs: 0 }));
    const { verdict, missed } = await replayed(system, early, [], {
      epsilonMs: 10,
      recording: early,
      end: { quietMs: 0 },
    });
    expect({ verdict, missed }).toEqual({ verdict: 'holds', missed: [5] });
  });
});

describe('absence', () => {
  const system = systemOf(
    {
      receive(box, message) {
        if (typeOf(message) === 'a') box.after(20, () => box.send('client', { type: 'm' }));
        if (typeOf(message) === 'b') box.send('client', { type: 'boom' });
      },
    },
    has('boom'),
  );
  const steps = [...served('a'), 'deliver client m', ...served('b'), 'deliver client boom'];

  test('an event that does not appear in time is skipped', async () => {
    const recording = await recorded(system, ...steps);
    const { verdict, missed, endedMs } = await replayed(system, recording, drop('a'));
    expect({ verdict, missed }).toEqual({ verdict: 'violated', missed: [3] });
    expect(endedMs).toBeLessThan(200);
  });

  test('a replay that stops there misses the violation', async () => {
    const recording = await recorded(system, ...steps);
    expect(await replayed(system, recording, drop('a'), {}, { absent: 'stop' })).toMatchObject({ verdict: 'holds' });
  });
});

describe('restart', () => {
  /** At 200 ms it says whether it was armed before, which counts as the same message; 20 ms after an a it says m. */
  const system = systemOf(
    {
      start(box) {
        box.after(200, () => box.send('client', { type: 'end', n: box.seen['armed'] === true ? 1 : 2 }));
      },
      receive(box, message) {
        if (typeOf(message) === 'a') box.after(20, () => box.send('client', { type: 'm' }));
        if (typeOf(message) === 'arm') box.observe('armed', true);
      },
    },
    has('end1'),
  );
  const steps = [100, ...served('a'), 'deliver client m', 25, ...served('arm'), 'deliver client end1'];

  test('an external that would come too late makes the replay start over, without the absent event', async () => {
    const recording = await recorded(system, ...steps);
    // Without a, the replay awaits m until 220 ms. The last message has appeared by then.
    const late = await replayed(system, recording, drop('a')).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(TooLate);
    const { absent } = late as TooLate;
    expect([...absent]).toEqual([3]);
    const again = await replayed(system, recording, drop('a'), { absent, restarts: 1 });
    expect(again).toMatchObject({ verdict: 'violated', missed: [3] });
  });

  test('without it, the external comes too late, and the violation is missed', async () => {
    const recording = await recorded(system, ...steps);
    expect(await replayed(system, recording, drop('a'), { restarts: 0 })).toMatchObject({ verdict: 'holds' });
  });

  test('events that do not depend on an external cause no restart', async () => {
    const recording = await recorded(system, ...steps);
    expect(await replayed(system, recording, [])).toMatchObject({ verdict: 'violated', missed: [] });
  });
});

describe('a new event', () => {
  /** After 60 ms it says hello, with a before that, or otherwise something that no recording has. */
  const server = (instead: string): Program => ({
    start(box) {
      box.after(60, () => box.send('other', { type: box.seen['a'] === true ? 'hello' : instead }));
    },
    receive(box, message) {
      if (typeOf(message) === 'a') box.observe('a', true);
      if (typeOf(message) === 'b') box.send('client', { type: 'boom' });
    },
  });
  const steps = [
    ...served('a'),
    'deliver other hello',
    'deliver client hello',
    100,
    ...served('b'),
    'deliver client boom',
  ];

  test('happens at once where new events pass; held, it is missing', async () => {
    const forgiving = systemOf(
      server('fallback'),
      ([first = '', ...rest]) => ['hello', 'fallback'].includes(first) && rest.includes('boom'),
    );
    const recording = await recorded(forgiving, ...steps);
    expect(await replayed(forgiving, recording, drop('a'))).toMatchObject({ verdict: 'violated' });
    expect(await replayed(forgiving, recording, drop('a'), { unexpected: 'hold' })).toMatchObject({
      verdict: 'holds',
    });
  });

  test('stays pending where new events are held; let through, it prevents the violation', async () => {
    const fragile = systemOf(server('reset'), (got) => !got.includes('reset') && got.includes('boom'));
    const recording = await recorded(fragile, ...steps);
    expect(await replayed(fragile, recording, drop('a'), { unexpected: 'hold' })).toMatchObject({
      verdict: 'violated',
    });
    expect(await replayed(fragile, recording, drop('a'))).toMatchObject({ verdict: 'holds' });
  });
});

describe('ambiguity', () => {
  /** Two messages that count as equal, the second later. */
  const system = systemOf(
    {
      receive(box, message) {
        if (typeOf(message) !== 'go') return;
        box.after(10, () => box.send('client', { type: 'm', n: 1 }));
        box.after(40, () => box.send('client', { type: 'm', n: 2 }));
      },
    },
    (got) => got.join() === 'm2,m1',
    'unordered',
  );
  const steps = [...served('go'), 'deliver client m2', 'deliver client m1'];

  test('of events that count as equal, the recorded one is awaited', async () => {
    const recording = await recorded(system, ...steps);
    expect(await replayed(system, recording, [])).toMatchObject({ verdict: 'violated', missed: [] });
  });

  test('they are counted again without an input from which they were counted', async () => {
    const noisy = [...served('go'), ...served('noise'), ...steps.slice(2)];
    const recording = await recorded(system, ...noisy);
    expect(await replayed(system, recording, drop('noise'))).toMatchObject({ verdict: 'violated', missed: [] });
    // As recorded, their names say that they were counted from the noise.
    const fingerprint = (): unknown => 'another one, with which no name can be explained';
    expect(await replayed(system, recording, drop('noise'), { fingerprint })).toMatchObject({ verdict: 'holds' });
  });

  test('without their numbers, the first to appear is taken for the other', async () => {
    const recording = await recorded(system, ...steps);
    const unnumbered = recording.map((event, at) => (isInternal(event) ? { ...event, hi: at, lo: at } : event));
    expect(await replayed(system, unnumbered, [], { recording: unnumbered })).toMatchObject({ verdict: 'holds' });
  });
});

describe('an input after an event that does not appear', () => {
  /** Takes a b in its first 80 ms only. */
  const hurried: Program = {
    start: (box) => box.after(80, () => box.observe('late', true)),
    receive(box, message) {
      if (typeOf(message) === 'b' && box.seen['late'] !== true) box.send('client', { type: 'boom' });
      if (typeOf(message) === 'a') box.after(20, () => box.send('client', { type: 'm' }));
    },
  };
  const system = systemOf(hurried, has('boom'));
  const rest = [5, ...served('b'), 'deliver client boom'];

  test('waits for it if the event shows how far the process was', async () => {
    const recording = await recorded(system, ...served('a'), 'deliver client m', ...rest);
    expect(await replayed(system, recording, drop('a'))).toMatchObject({ verdict: 'holds' });
  });

  test('does not wait for an event of another process', async () => {
    const toOther = [send('other', { type: 'm' }), 'deliver other m', 'deliver client m'];
    const recording = await recorded(system, 20, ...toOther, ...rest);
    const without = ['send environment m', 'deliver other m'];
    const { verdict, missed, endedMs } = await replayed(system, recording, without);
    expect({ verdict, missed }).toEqual({ verdict: 'violated', missed: [3] });
    // What the client gets comes after m there: it is awaited, but not the input.
    expect(endedMs).toBeGreaterThanOrEqual(120);
  });
});

describe('a delivery that is left out', () => {
  /** Says five things on one channel. */
  const system = systemOf(
    {
      receive(box) {
        for (let n = 1; n <= 5; n++) box.after(10 * n, () => box.send('client', { type: `m${n}` }));
      },
    },
    has('m5'),
  );
  const steps = [1, 2, 3, 4, 5].map((n) => `deliver client m${n}`);

  test.each(['pass', 'hold'] as const)('does not block its channel (%s)', async (unexpected) => {
    const recording = await recorded(system, ...served('go'), ...steps);
    const { endedMs, ...rest } = await replayed(system, recording, ['deliver client m2'], { unexpected });
    expect(rest).toEqual({ verdict: 'violated', missed: [] });
    expect(endedMs).toBeLessThan(61);
  });

  test('blocks it where nothing in front of it is delivered', async () => {
    const recording = await recorded(system, ...served('go'), ...steps);
    const hold = { unexpected: 'hold' } as const;
    const { missed, endedMs } = await replayed(system, recording, ['deliver client m2'], hold, { absent: 'skip' });
    expect(missed).toEqual([6, 7, 8]);
    expect(endedMs).toBeGreaterThan(500);
  });
});
