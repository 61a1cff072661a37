import { behavior, crash, defineSystem, minimize, progress, restart, send } from 'culprit';
import type { Definition } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

type Message = 'acquire' | 'granted' | 'release' | 'noise';

const lock = behavior<{ queue: string[] }, Message>({
  start: () => ({ queue: [] }),
  receive(state, message, ctx) {
    if (message === 'noise') return;
    const [first] = state.queue;
    if (message === 'release') state.queue.shift();
    else if (!state.queue.includes(ctx.from)) state.queue.push(ctx.from);
    const [next] = state.queue;
    if (next !== undefined && next !== first) ctx.send(next, 'granted');
  },
});

/** Releases the lock at once when it gets it; the impatient ask again and again. */
const client = (isPatient: boolean) =>
  behavior<{ isDone: boolean }, Message>({
    start(ctx) {
      ctx.send('lock', 'acquire');
      if (!isPatient) ctx.repeatTimer('again', 10);
      return { isDone: false };
    },
    receive(state, _granted, ctx) {
      state.isDone = true;
      ctx.cancelTimer('again');
      ctx.send('lock', 'release');
    },
    timer: (_state, _again, ctx) => ctx.send('lock', 'acquire'),
  });

type Client = ReturnType<typeof client>;
type Parts = Partial<Definition<{ lock: typeof lock; a: Client; b: Client }>>;

/** A client that crashes while it has the lock keeps it forever. */
const locking = (who: Client, more: Parts = {}) =>
  defineSystem({
    processes: { lock, a: who, b: who },
    workload: [send('lock', 'noise'), crash('a'), send('lock', 'noise')],
    oracles: { served: progress((world) => world.up(who).every(({ state }) => state.isDone)) },
    ...more,
  });

const patient = client(true);
const impatient = client(false);
const start = ['start lock', 'start a', 'start b'];
const asked = ['lock gets "acquire" from a', 'lock gets "acquire" from b'];

describe('if progress is violated', () => {
  test('all declared processes are up', async () => {
    const system = locking(patient);
    const { trace, certificate } = await minimize(system, await found(system, { executions: 1_000 }));
    expect(brief(trace)).toEqual([...start, 'crash a', ...asked]);
    expect([trace.verdict, certificate]).toMatchObject([{ fingerprint: 'served stuck' }, '1-minimal']);
  });

  test('a crash is removed with its restart, and neither without the other', async () => {
    const system = locking(patient, {
      workload: [crash('b'), restart('b'), crash('a'), restart('a')],
      transport: { onCrash: { to: 'drop', from: 'drop' } },
    });
    const { trace } = await minimize(system, await found(system, { executions: 1_000 }));
    expect(brief(trace)).toEqual([...start, 'lock gets "acquire" from a', 'crash a', 'restart a', ...asked]);
  });

  test('a candidate continues fairly before it is judged', async () => {
    const system = locking(impatient);
    const { trace, certificate } = await minimize(system, await found(system, { executions: 1_000 }));
    const again = ['b again', 'lock gets "acquire" from b', 'b again'];
    expect(brief(trace)).toEqual([...start, 'crash a', ...asked, ...again]);
    expect([trace.verdict, certificate]).toMatchObject([{ fingerprint: 'served loop' }, '1-minimal']);
  });
});

test('if another oracle is violated, unknown progress does not matter', async () => {
  const system = locking(impatient, {
    invariants: { waits: (world) => (world.process('lock').state?.queue.length ?? 0) < 2 },
  });
  const { trace, certificate } = await minimize(system, await found(system, { executions: 1_000 }));
  expect(brief(trace)).toEqual([...start, ...asked.toReversed()]);
  expect(certificate).toBe('1-minimal');
});
