import { expect, onTestFinished, test } from 'vitest';
import { ticking, type Box } from '../../test/twins/ticking.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import { start } from '../system/externals.ts';
import { resolveSystem } from '../system/resolve.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import { driveInTurns } from './drive.ts';
import { execution } from './loop.ts';
import type { Oracle, Strategy } from './ports.ts';
import { Simulation } from './simulation.ts';

interface Message {
  readonly type: 'beat' | 'news';
}

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
  const session = Simulation.open(resolveSystem(system).declaration, 1);
  onTestFinished(() => session.close());
  const starts = [start('client'), start('server')];
  const strategy: Strategy = { next: () => starts.shift() };
  const { verdict } = await driveInTurns(
    execution(session, { strategy, oracle: lasting(300), eventsMax: 1_000 }),
    10_000,
  );
  return verdict;
}

test('an execution goes on with its background until an oracle has decided', async () => {
  expect(await verdictOf({ type: 'beat' })).toEqual(ended);
});

test('an execution that leaves another message undelivered ends before', async () => {
  expect(await verdictOf({ type: 'news' })).toEqual({ kind: 'unknown', why: 'it ended before' });
});
