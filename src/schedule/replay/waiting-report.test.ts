import { expect, onTestFinished, test } from 'vitest';
import { ticking } from '../../../test/twins/ticking.ts';
import { driveInTurns } from '../../kernel/drive.ts';
import { execution } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { Simulation } from '../../kernel/simulation.ts';
import { behavior, defineSystem } from '../../system/define-system.ts';
import { send, start } from '../../system/externals.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { isInternal, type Event } from '../../trace/event.ts';
import { HOLDS } from '../../trace/verdict.ts';
import { LenientReplay, unknownTargets } from './lenient-replay.ts';
import { Matcher } from './match.ts';
import { WaitingReport, type WaitingReplayCounts } from './waiting-report.ts';

/** Sends two messages at once that count as equal, on a channel without order. */
const { declaration, hints } = resolveSystem(
  defineSystem({
    processes: {
      server: ticking({ receive: (box) => [1, 2].forEach((n) => box.send('client', { type: 'm', n })) }),
      client: behavior({ start: () => ({}), receive() {} }),
    },
    transport: 'unordered',
    minimize: { mask: ['n'] },
  }),
);

function opened(): Session {
  const session = Simulation.open(declaration, 1);
  onTestFinished(() => session.close());
  return session;
}

/** Both messages are delivered, the second one first. */
async function recorded(): Promise<readonly Event[]> {
  const session = opened();
  for (const external of [start('server'), start('client'), send('server', { type: 'go' })])
    await session.perform(external);
  for (let next = session.enabled.at(-1); next !== undefined; next = session.enabled.at(-1))
    await session.perform(next);
  return session.recording.events.since(0);
}

async function countsOf(recording: readonly Event[]): Promise<WaitingReplayCounts> {
  let report = new WaitingReport();
  const waiting = {
    epsilonMs: 100,
    unexpected: 'pass' as const,
    recording,
    undelivered: [],
    fingerprint: declaration.fingerprint ?? ((message: unknown) => message),
    isControlled: (process: string) => process === 'client',
    awaited: () => undefined,
    end: { quietMs: 0 },
    restarts: 0,
    absent: new Set<number>(),
    onBegin: (begun: WaitingReport) => void (report = begun),
  };
  const matcher = new Matcher(hints.contentOf);
  const targets = unknownTargets(recording);
  const options = { matcher, likeness: 'content', absent: 'unblock', choices: undefined, targets, waiting } as const;
  const strategy = new LenientReplay(recording, options);
  await driveInTurns(execution(opened(), { strategy, oracle: { judge: () => HOLDS }, eventsMax: 100 }));
  return report.counts;
}

test('counts how often several events could stand in for the recorded one', async () => {
  const recording = await recorded();
  const unnumbered = recording.map((event, at) => (isInternal(event) ? { ...event, hi: at, lo: at } : event));
  expect(await countsOf(unnumbered)).toMatchObject({ matched: 3, absent: 0, ambiguous: 1 });
  expect(await countsOf(recording)).toMatchObject({ matched: 3, absent: 0, ambiguous: 0 });
});
