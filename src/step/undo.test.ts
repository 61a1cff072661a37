import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTransport, randomSystem, type Declared } from '../../test/twins/random-system.ts';
import { CulpritError } from '../error.ts';
import { send } from '../system/externals.ts';
import { untilDeliveries } from '../system/workload.ts';
import type { Timing } from '../kernel/declaration.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { record, type Origin } from '../execution/record.ts';
import { resolveSystem } from '../system/resolve.ts';
import { defineSystem } from '../system/define-system.ts';
import { targetOf } from '../hosts/target.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import { Stepping } from './stepping.ts';

/**
 * After any sequence of steps, undos and redos, the world is the one that the same choices lead to from the beginning,
 * and its story is that of a recording.
 */

interface Subject extends Declared {
  readonly seed: number;
  /** Whether an oracle goes by what it saw: then worlds are not copied. */
  readonly remembers: boolean;
}

const anySubject: fc.Arbitrary<Subject> = fc.record({
  transport: anyTransport,
  timers: fc.constantFrom<Timing>('any', { skewMs: 0 }, { skewMs: 7 }),
  profiles: fc.array(fc.record({ awaits: fc.boolean(), blocking: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  seed: fc.nat(1_000),
  remembers: fc.boolean(),
});

const GONE_BACK: Violated = { kind: 'violated', oracle: 'onward', message: 'back', processes: [], fingerprint: 'back' };

const ENOUGH = 25;
const SEEN_ENOUGH: Verdict = { ...GONE_BACK, message: 'enough', fingerprint: 'enough' };

/** Is violated where it is asked about worlds in any other order than that in which they came, and when it has seen enough. */
const onward: Oracle = {
  judge: () => HOLDS,
  begin: () => {
    let last = -1;
    return {
      judge({ length }) {
        const isOnward = length === last + 1;
        last = length;
        return isOnward ? (length < ENOUGH ? HOLDS : SEEN_ENOUGH) : GONE_BACK;
      },
    };
  },
};

function originOf({ seed, remembers, ...declared }: Subject): Origin {
  const { processes, kinds, transport, timers, faults } = randomSystem(declared);
  const system = defineSystem({
    processes: Object.fromEntries(processes),
    kinds: Object.fromEntries(kinds),
    transport,
    timers,
    faults,
    workload: [send('a', { tag: 1 }), untilDeliveries(2), send('b', { tag: 2 }), send('c', { tag: 3 })],
    ...(remembers ? { oracles: { onward } } : {}),
  });
  return { system: resolveSystem(system), module: undefined, seed, strategy: 'step', eventsMax: 300, handlerMs: 5_000 };
}

/** Some of these can be done where they are, and others cannot. */
function commandFor(choice: number): string {
  const number = choice >>> 4;
  const name = (at: number): string => ['a', 'b', 'c', 'x', 'a/worker-1'][at % 5] as string;
  const commands = [
    `undo ${1 + (number % 7)}`,
    'undo',
    `redo ${1 + (number % 4)}`,
    `run ${number % 9} seed ${number % 5}`,
    `run ${number % 12} faults until a`,
    `crash ${name(number)}`,
    `restart ${name(number)}`,
    `cut ${name(number)} ${name(number >>> 3)}`,
    'heal',
    `lose ${1 + (number % 6)}`,
    `duplicate ${1 + (number % 6)}`,
    `send ${name(number)} {"tag":${number % 3}}`,
    'start x worker',
  ];
  return commands[choice % 16] ?? String(1 + (number % 6));
}

const looksOf = (session: Session) => [session.worldDigest(true, true), session.name(), session.world.length];

async function fromScratch(origin: Origin, { track }: Stepping): Promise<Session> {
  const session = targetOf(origin.system).open(origin.seed);
  for (const { event } of track.steps) await session.perform(event);
  return session;
}

async function attempted(stepping: Stepping, command: string): Promise<boolean> {
  try {
    await stepping.enter(command);
    return true;
  } catch (error) {
    if (error instanceof CulpritError) return false;
    throw error;
  }
}

test('doing, undoing and doing again lead where the same choices lead from the beginning', async () => {
  const met = { undone: 0, redone: 0, refused: 0, violated: 0 };
  await fc.assert(
    fc.asyncProperty(anySubject, fc.array(fc.nat(), { maxLength: 40, size: 'max' }), async (subject, choices) => {
      const origin = originOf(subject);
      const stepping = await Stepping.begin({ origin, out: 'nowhere' });
      for (const choice of choices) {
        const command = commandFor(choice);
        const before = looksOf(stepping.track.session);
        const isDone = await attempted(stepping, command);
        if (isDone) met.undone += Number(command.startsWith('undo'));
        if (isDone) met.redone += Number(command.startsWith('redo'));
        met.refused += Number(!isDone);
        met.violated += Number(stepping.track.isOver);
        // What is refused leaves everything as it was.
        const after = looksOf(stepping.track.session);
        expect(isDone || isDeepStrictEqual(after, before)).toBe(true);
        expect(after).toEqual(looksOf(await fromScratch(origin, stepping)));
      }
      await compare(origin, stepping);
    }),
    { seed: 6, numRuns: 100 },
  );
  // Otherwise nothing was compared.
  expect(Math.min(...Object.values(met))).toBeGreaterThan(20);
});

async function compare(origin: Origin, stepping: Stepping): Promise<void> {
  const { track } = stepping;
  expect(track.verdict).not.toEqual(GONE_BACK);
  const { lines, verdict } = track;
  const looks = looksOf(track.session);
  const script = stepping.script();

  const undone = await track.undo(Number.POSITIVE_INFINITY);
  expect(looksOf(track.session)).toEqual(looksOf(targetOf(origin.system).open(origin.seed)));
  const half = undone.length >>> 1;
  await track.redo(half);
  await track.redo(undone.length - half);
  expect(looksOf(track.session)).toEqual(looks);
  expect([track.lines, track.verdict.kind]).toEqual([lines, verdict.kind]);

  const again = await Stepping.begin({ origin, out: 'nowhere' });
  for (const command of script) await again.enter(command);
  expect(looksOf(again.track.session)).toEqual(looks);
  expect(again.script()).toEqual(script);

  if (track.session.stuck !== undefined) return;
  const recorded = await record(origin, track.events);
  expect(recorded.events).toEqual(lines);
  expect(recorded.verdict.verdict).toBe(verdict.kind);
}
