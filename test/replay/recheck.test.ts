import { describe, expect, test } from 'vitest';
import { behavior, defineSystem, NotDeterministic, recheck, replay, type Oracle } from 'culprit';
import { BadOption } from 'culprit/kernel';
import type { EventLine, Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';

type Message = { type: 'acquire' } | { type: 'granted' } | { type: 'release' };

const changes = { fires: 1, checksOwner: false, shy: false, startsOtherwise: false, unsure: false, leaks: false };

/** The lock, with possible changes. */
const changing = defineSystem(changes, ({ fires, checksOwner, shy, startsOtherwise, unsure, leaks }) => {
  const client = behavior<{ phase: 'waiting' | 'holding' | 'done'; fired: number }, Message>({
    start(ctx) {
      ctx.send('lock', { type: 'acquire' });
      ctx.setTimer('enough', 100);
      return { phase: 'waiting', fired: startsOtherwise ? -1 : 0 };
    },
    receive(state, message) {
      if (message.type === 'granted' && state.phase === 'waiting') state.phase = 'holding';
    },
    timer(state, _timer, ctx) {
      state.fired += 1;
      if (state.fired < fires) return ctx.setTimer('enough', 100);
      state.phase = 'done';
      if (!shy) ctx.send('lock', { type: 'release' });
    },
  });
  const server = behavior({
    start: () => ({ holder: null as string | null }),
    receive(state, message: Message, ctx) {
      if (message.type === 'acquire' && state.holder === null) {
        state.holder = ctx.from;
        ctx.send(ctx.from, { type: 'granted' });
      }
      if (message.type !== 'release') return;
      if (state.holder === ctx.from || !checksOwner) state.holder = leaks ? `${Math.random()}` : null;
    },
  });
  const exclusive: Oracle = {
    judge(world) {
      const holding = world.up(client).filter(({ state }) => state.phase === 'holding');
      const processes = holding.map(({ name }) => name);
      if (holding.length < 2) return { kind: 'holds' };
      if (unsure) return { kind: 'unknown', why: 'it is late' };
      return { kind: 'violated', oracle: 'exclusive', message: 'two', processes, fingerprint: 'exclusive' };
    },
  };
  return defineSystem({ processes: { lock: server, a: client, b: client, c: client }, oracles: { exclusive } });
});

const violating = await found(changing);

/** The trace, as if it had been made of the current system. */
const after = (change: Partial<typeof changes>, trace: Trace = violating): Trace => ({
  ...trace,
  header: { ...trace.header, parameters: { ...changes, ...change } },
});

describe('recheck answers', () => {
  test('reproduced, without further trials, if nothing has changed', async () => {
    expect(await recheck(changing, violating)).toEqual({
      answer: 'reproduced',
      by: 'replay',
      trace: violating,
      deviation: undefined,
      tried: { schedules: 1, distinct: 1, unknown: 0 },
    });
  });

  test('reproduced, by a neighbor, if it takes another event that no event replaces', async () => {
    const again = await recheck(changing, after({ fires: 2 }));
    if (again.answer !== 'reproduced') throw new Error(again.answer);
    expect(again.by).toBe('neighbor');
    expect(again.trace.events.filter(({ kind }) => kind === 'fire').length).toBeGreaterThan(1);
    await replay(changing, again.trace);
    const few = again.tried.schedules - 3 - 1;
    expect(await recheck(changing, after({ fires: 2 }), { neighbors: few })).toMatchObject({
      tried: { schedules: 3 + few },
    });
    expect((await recheck(changing, after({ fires: 2 }), { neighbors: few })).answer).not.toBe('reproduced');
  });

  test('fixed, and names the event that is handled differently', async () => {
    const fixed = await recheck(changing, after({ checksOwner: true }));
    expect(fixed).toMatchObject({ answer: 'fixed', otherwise: { event: releaseIn(violating) }, others: [] });
    expect(fixed).toMatchObject({ trace: { verdict: { verdict: 'holds' } }, tried: { schedules: 203, unknown: 0 } });
  });

  test('fixed, if an event in the same state no longer causes another', async () => {
    const fixed = await recheck(changing, after({ shy: true }));
    const { event, process } = violating.events.find(({ kind }) => kind === 'fire') as EventLine;
    expect(fixed).toMatchObject({
      answer: 'fixed',
      otherwise: {
        event,
        what: `${process} (fire): it no longer leads to event ${releaseIn(violating)} (lock, deliver).`,
      },
    });
  });

  test('diverged, if the event no longer causes it in a different state', async () => {
    const diverged = await recheck(changing, after({ shy: true, startsOtherwise: true }));
    expect(diverged).toMatchObject({ answer: 'diverged', deviation: { event: 2 } });
  });

  test('never fixed with an unknown verdict', async () => {
    const unsure = await recheck(changing, after({ unsure: true }));
    expect(unsure).toMatchObject({
      answer: 'diverged',
      deviation: { event: violating.events.length },
    });
    expect('tried' in unsure && unsure.tried.unknown).toBeGreaterThan(0);
  });

  test('nothing if the system is nondeterministic', async () => {
    await expect(recheck(changing, after({ leaks: true }))).rejects.toBeInstanceOf(NotDeterministic);
  });

  test('the same twice', async () => {
    const change = after({ fires: 2 });
    expect(await recheck(changing, change)).toEqual(await recheck(changing, change));
  });

  test('reproduced, if the file was damaged and the system was not', async () => {
    const trace = await found(lock);
    const damaged = trace.events.map((line) => (line.event === 5 ? { ...line, id: '0'.repeat(16) } : line));
    expect(await recheck(lock, { ...trace, events: damaged })).toMatchObject({
      answer: 'reproduced',
      by: 'stand-ins',
      deviation: { event: 5 },
      tried: { schedules: 1 },
      trace,
    });
  });

  test('only for a valid number of neighbors', async () => {
    await expect(recheck(lock, violating, { neighbors: -1 })).rejects.toBeInstanceOf(BadOption);
  });
});

const releaseIn = ({ events }: Trace): number =>
  events.find((line) => line.kind === 'deliver' && (line.message as Message).type === 'release')?.event ?? 0;
