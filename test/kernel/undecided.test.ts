import { behavior, defineSystem, start, type Oracle } from 'culprit';
import { drive, execution, resolveSystem, targetOf, type Strategy } from 'culprit/kernel';
import { expect, onTestFinished, test } from 'vitest';
import { ticking, type Box } from '../twins/ticking.ts';

interface Message {
  readonly type: 'beat' | 'news';
}

type Verdict = ReturnType<Oracle['judge']>;

const HOLDS: Verdict = { kind: 'holds' };

const ended: Verdict = { kind: 'violated', oracle: 'lasting', message: 'it lasted', processes: [], fingerprint: '' };

const isBeat = (message: unknown): boolean => (message as Message).type === 'beat';

/** Something is wrong from the start, and counts after so long. */
const lasting = (ms: number): Oracle => ({
  judge: () => HOLDS,
  begin: (session) => ({
    judge: () => (session.nowMs >= ms ? ended : HOLDS),
    undecidedUntilMs: () => ms,
    end: () => ({ kind: 'unknown', why: 'it ended before' }),
  }),
});

/** A server that sends the client a message every 20 ms. The strategy starts both, and has nothing more to do. */
async function verdictOf(message: Message): Promise<Verdict> {
  const beat = (box: Box): void => {
    box.send('client', message);
    box.after(20, () => beat(box));
  };
  const client = behavior({ start: () => ({}), receive: (_state: object, _message: Message) => undefined });
  const system = defineSystem({
    processes: { server: ticking({ start: beat }), client },
    passing: [{ name: 'beats', includes: isBeat, when: 'always', isBackground: true }],
  });
  const session = targetOf(resolveSystem(system)).open(1);
  onTestFinished(() => session.close());
  const starts = [start('client'), start('server')];
  const strategy: Strategy = { next: () => starts.shift() };
  const { verdict } = await drive(execution(session, { strategy, oracle: lasting(300), eventsMax: 1_000 }));
  return verdict;
}

test('the background of a system continues until an oracle has decided', async () => {
  expect(await verdictOf({ type: 'beat' })).toEqual(ended);
});

test('an execution that leaves another message undelivered ends before', async () => {
  expect(await verdictOf({ type: 'news' })).toEqual({ kind: 'unknown', why: 'it ended before' });
});
