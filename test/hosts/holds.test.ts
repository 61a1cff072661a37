import { behavior, defineSystem, minimize, recheck, search, send, type System } from 'culprit';
import type { AnyBehavior, Faults } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

/** Messages that the environment holds back, beside a process that acts by itself. */

const typeOf = (message: unknown): string => (message as { type: string }).type;

/** The seed of an execution in which the environment holds old back until new has happened, and of one in which it does not. */
const HELD = 2;
const NOT_HELD = 3;

interface Session {
  /** How long after a go the server speaks: 60 ms unless said otherwise. */
  readonly afterMs?: number;
  /** What it says then: `old` and `older` on a lane of their own. */
  readonly says?: readonly string[];
}

/** Remembers what it got first. */
const clientNoting = (note: (type: string) => void): AnyBehavior =>
  behavior({
    start: () => ({ first: '' }),
    receive(state, { type }: { type: string }) {
      note(type);
      state.first ||= type;
    },
  });

/** Violated if the client gets new first. */
const systemWith = (server: AnyBehavior, client: AnyBehavior, faults: Partial<Faults>): System =>
  defineSystem({
    processes: { server, client },
    faults,
    pace: { roundMs: 20, quietMs: 700 },
    workload: ['noise', 'noise', 'go'].map((type) => send('server', { type })),
    invariants: {
      inOrder: (world) => !Object.values(world.process('client').state ?? {}).includes('new'),
    },
  });

/** A server that says different things in different sessions. What the client gets in each of them is in `got`. */
function systemOf(...sessions: readonly Session[]): { readonly system: System; readonly got: readonly string[][] } {
  const got: string[][] = [];
  const server = ticking({
    start: () => void got.push([]),
    receive(box, message) {
      if (typeOf(message) !== 'go') return;
      const { afterMs = 60, says = ['old', 'new', 'older'] } = sessions[got.length - 1] ?? {};
      box.after(afterMs, () => {
        for (const type of says) box.send('client', { type }, type === 'new' ? {} : { lane: 'bulk' });
      });
    },
  });
  const client = clientNoting((type) => got.at(-1)?.push(type));
  return { system: systemWith(server, client, { holds: 1 }), got };
}

async function found(system: System, seed: number): Promise<Trace> {
  const { findings } = await search(system, { executions: 1, seed, control: false });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

const kindsIn = ({ events }: Trace): string => events.map(({ kind }) => kind).join(' ');

describe('a hold', () => {
  test('is recorded, replayed, and dropped where the order of deliveries suffices', async () => {
    const { system } = systemOf();
    const trace = await found(system, HELD);
    expect(kindsIn(trace)).toMatch(/hold deliver$/);
    expect(await recheck(system, trace)).toMatchObject({ reproduced: 10, replays: 10 });
    const { trace: least, certificate } = await minimize(system, trace);
    expect(kindsIn(least)).toBe('start start send deliver deliver');
    expect(certificate).toBe('1-minimal up to the stated error');
  });

  test('awaits its message, which may be late', async () => {
    const { system } = systemOf({}, { afterMs: 100 });
    const trace = await found(system, HELD);
    expect(await recheck(system, trace, { replays: 1 })).toMatchObject({ reproduced: 1 });
  });

  test('whose event never comes is left out: what it held is delivered, in order', async () => {
    const { system, got } = systemOf({}, { says: ['old', 'older'] });
    const trace = await found(system, HELD);
    const sampled = await recheck(system, trace, { replays: 1 });
    expect(sampled).toMatchObject({ reproduced: 0, unknown: 0, byReplay: [{ outcome: 'not reproduced', absent: 1 }] });
    expect(got[1]).toEqual(['old', 'older']);
  });
});

test('of two messages that appear at once, the recorded one happens first, although the other is never delivered', async () => {
  const { system } = systemOf();
  const trace = await found(system, NOT_HELD);
  expect(kindsIn(trace)).not.toContain('hold');
  expect(trace.events.at(-1)).toMatchObject({ message: { type: 'new' } });
  expect(await recheck(system, trace)).toMatchObject({ reproduced: 10, replays: 10 });
});

test('a loss awaits its message, which may be late', async () => {
  let [sessions, hunted] = [0, Number.POSITIVE_INFINITY];
  const server = ticking({
    start: () => void (sessions += 1),
    receive(box, message) {
      if (typeOf(message) !== 'go') return;
      const lateMs = sessions <= hunted ? 0 : 40;
      box.after(60 + lateMs, () => box.send('client', { type: 'old' }));
      box.after(90 + lateMs, () => box.send('client', { type: 'new' }));
    },
  });
  const losing = systemWith(
    server,
    clientNoting(() => undefined),
    { losses: 1 },
  );
  const { findings } = await search(losing, { executions: 100 });
  hunted = sessions;
  const trace = findings[0]?.trace as Trace;
  expect(kindsIn(trace)).toMatch(/lose deliver$/);
  expect(await recheck(losing, trace, { replays: 3 })).toMatchObject({ reproduced: 3, control: { reproduced: 0 } });
});
