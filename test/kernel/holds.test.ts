import { behavior, crash, cut, send, start } from 'culprit';
import type { Session } from 'culprit/kernel';
import { hex, type External } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { enabled, idle, open, perform, relay, words } from '../twins/scripted.ts';

const processes = { a: relay, b: idle, c: relay };
const faults = { holds: 9, losses: 9 };

/** Holds the message back until that event; both by a few words. */
const hold = (session: Session, message: string, until: string): External => ({
  kind: 'hold',
  target: idOf(session, message),
  until: idOf(session, until),
});

const idOf = ({ world }: Session, name: string): string => {
  const found = world.pending.find((event) => words(event) === name);
  if (found === undefined) throw new Error(`${name} is not pending`);
  return hex(found);
};

/** `a` has sent 1 and 2 to `b`, and something waits for `c`. */
async function begun(): Promise<Session> {
  const session = open({ processes, faults });
  await perform(session, start('a'), start('b'), start('c'), send('a', 'b 1'), 'deliver a b 1');
  await perform(session, send('a', 'b 2'), 'deliver a b 2', send('c', 'b 3'));
  return session;
}

describe('a message that is held back', () => {
  test('is delivered after the event, in order', async () => {
    const session = await begun();
    await perform(session, hold(session, 'deliver b 1', 'deliver c b 3'));
    expect(enabled(session)).toEqual(['deliver c b 3']);
    expect(session.world.heldBack.map(({ message, until }) => [words(message), words(until)])).toEqual([
      ['deliver b 1', 'deliver c b 3'],
    ]);
    await perform(session, 'deliver c b 3');
    expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 3']);
    expect(session.world.heldBack).toEqual([]);
  });

  test('waits for one that is held back itself', async () => {
    const session = await begun();
    await perform(session, send('c', 'x'), hold(session, 'deliver b 1', 'deliver c b 3'));
    await perform(session, hold(session, 'deliver c b 3', 'deliver c x'));
    expect(enabled(session)).toEqual(['deliver c x']);
    await perform(session, 'deliver c x');
    expect(enabled(session)).toEqual(['deliver c b 3']);
  });

  test.each<[string, (session: Session) => External]>([
    ['is lost', (session) => ({ kind: 'lose', target: idOf(session, 'deliver c b 3') })],
    ['has no process any more', () => crash('c')],
  ])('waits no longer if the event %s', async (_what, fault) => {
    const session = await begun();
    await perform(session, hold(session, 'deliver b 1', 'deliver c b 3'), fault(session));
    expect(enabled(session)).toEqual(['deliver b 1']);
  });

  test('waits no longer if the event is cut off', async () => {
    const session = await begun();
    await perform(session, 'deliver c b 3');
    await perform(session, hold(session, 'deliver b 1', 'deliver b 3'));
    expect(enabled(session)).toEqual(['deliver b 3']);
    await perform(session, cut('b', 'c'));
    expect(enabled(session)).toEqual(['deliver b 1']);
  });

  test('is held in one world, and not in its copies before', async () => {
    const session = await begun();
    const copy = session.fork?.() as Session;
    await perform(session, hold(session, 'deliver b 1', 'deliver c b 3'));
    const held = session.fork?.() as Session;
    expect([enabled(copy).length, enabled(held).length]).toEqual([2, 1]);
    expect(hex(copy.worldDigest())).not.toBe(hex(held.worldDigest()));
    await perform(held, 'deliver c b 3');
    expect([enabled(session).length, enabled(held).length]).toEqual([1, 2]);
  });
});

test('which message waits for which event makes two worlds different', async () => {
  const worlds = await Promise.all(
    [
      ['deliver b 1', 'deliver c b 3', 'deliver c x', 'deliver c y'],
      ['deliver b 1', 'deliver c y', 'deliver c x', 'deliver c b 3'],
    ].map(async ([one = '', until = '', other = '', last = '']) => {
      const session = await begun();
      await perform(session, send('c', 'x'), send('c', 'y'));
      await perform(session, hold(session, one, until));
      await perform(session, hold(session, other, last));
      return hex(session.worldDigest());
    }),
  );
  expect(new Set(worlds).size).toBe(2);
});

test('a hold is refused, with the reason', async () => {
  const session = await begun();
  const wrong = (external: External): string | undefined => session.refusal(external);
  const one = hold(session, 'deliver b 1', 'deliver c b 3');
  expect(wrong({ ...one, target: '0'.repeat(16) } as External)).toBe('message 0000000000000000 is not in flight');
  expect(wrong(hold(session, 'deliver b 1', 'deliver b 1'))).toMatch(/would wait for itself$/);
  expect(wrong(hold(session, 'deliver b 1', 'deliver b 2'))).toMatch(
    /cannot happen now, so nothing would end the hold$/,
  );
  await perform(session, one);
  expect(wrong(one)).toMatch(/is held back already$/);
  const strict = open({ processes });
  await perform(strict, start('a'), send('a', 'x'), send('a', 'y'));
  expect(strict.refusal(hold(strict, 'deliver a x', 'deliver a y'))).toBe(
    'the transport holds nothing back (declare `faults.holds`)',
  );
});

test('every message that can be delivered may wait for every other event that can happen, within the budget', async () => {
  const ticking = behavior<object, string>({
    start(ctx) {
      ctx.setTimer('tick', 10);
      return {};
    },
    receive() {},
  });
  const session = open({ processes: { a: ticking }, faults: { holds: 1 } });
  await perform(session, start('a'), send('a', 'x'), send('a', 'y'));
  const shown = session.faults().map((fault) => fault.kind === 'hold' && [fault.target, fault.until]);
  const [x, y, tick] = ['deliver a x', 'deliver a y', 'fire a tick'].map((name) => idOf(session, name));
  expect(shown).toEqual([
    [x, tick],
    [x, y],
    [y, tick],
    [y, x],
  ]);
  await perform(session, hold(session, 'deliver a x', 'fire a tick'));
  expect(session.faults()).toEqual([]);
});
