import { expect, test } from 'vitest';
import { act, restart, send, start } from 'culprit';
import { targetOf, allOf, invariantOracle, noUncaughtException, resolveSystem } from 'culprit/kernel';
import type { Session } from 'culprit/kernel';
import type { External, Internal, Verdict } from 'culprit/trace';
import { bestKnown } from './best-known.ts';
import type { Message } from './messages.ts';
import spark from './spark.system.ts';

/** What to do next: an external, or the enabled event that fits. */
type Choice = External | ((event: Internal) => boolean);

const submit = (to: string, message: Message): External => send(to, message);
const delivered = (type: Message['type']) => (event: Internal) =>
  event.kind === 'deliver' && (event.message as Message).type === type;
const written = (key: string) => (event: Internal) => event.kind === 'complete' && event.key === key;
const fired = (timer: string) => (event: Internal) => event.kind === 'fire' && event.timer === timer;
const spawned = (of: string) => (event: Internal) => event.kind === 'spawn' && event.of === of;

/** A session in which events are chosen by hand; all must hold until the last of them. */
function byHand(bug: string): { session: Session; perform: (choices: readonly Choice[]) => Promise<Verdict> } {
  const resolved = resolveSystem(spark, { bug });
  const session = targetOf(resolved).open(1);
  const oracle = allOf(noUncaughtException, invariantOracle(resolved.invariants));
  const perform = async ([choice, ...rest]: readonly Choice[]): Promise<Verdict> => {
    const event = typeof choice === 'function' ? session.enabled.find(choice) : choice;
    if (event === undefined) throw new Error(`event ${session.world.length + 1} is not enabled`);
    await session.perform(event);
    const verdict = oracle.judge(session.world, session.world.last);
    if (rest.length === 0) return verdict;
    expect(verdict.kind).toBe('holds');
    return perform(rest);
  };
  return { session, perform };
}

const shortest: Record<string, readonly Choice[]> = {
  // The only executor is offered to a job with a task that may run anywhere, and one that has its data there.
  'spark-2294': [
    start('master'),
    start('application-1', 'application'),
    start('worker-1', 'worker'),
    delivered('registerApplication'),
    written('applications'),
    delivered('registerWorker'),
    written('workers'),
    delivered('registeredWorker'),
    delivered('launchExecutor'),
    spawned('executor'),
    delivered('retrieveProperties'),
    delivered('properties'),
    submit('application-1', {
      type: 'submitJob',
      tasks: [
        { partition: null, host: null },
        { partition: 'data-0', host: 'worker-1' },
      ],
    }),
    delivered('submitJob'),
    delivered('registerExecutor'),
  ],
  // The driver is on disk, but no worker runs it when the master comes back. The failover is three events.
  'spark-3150': [
    start('master'),
    start('client'),
    submit('client', { type: 'submitDriver', supervise: false }),
    delivered('submitDriver'),
    delivered('requestSubmitDriver'),
    written('drivers'),
    act('failover'),
    fired('completeRecovery'),
  ],
  // The application does not wait for the answer that is on its way.
  'spark-9256': [
    start('master'),
    start('application-1', 'application'),
    delivered('registerApplication'),
    written('applications'),
    fired('registrationRetry'),
    delivered('registerApplication'),
  ],
};

test.each<[keyof typeof bestKnown, string]>([
  ['spark-2294', 'application-1 gives worker-1/executor-1 task 0, NO_PREF there, while task 1, NODE_LOCAL, waits'],
  ['spark-3150', "master threw TypeError: Cannot read properties of undefined (reading 'worker')"],
  ['spark-9256', 'master threw Error: could not create file applications/application-1: it is there already'],
])('%s takes no more events than are known, and they do no harm without it', async (bug, message) => {
  const choices = shortest[bug] ?? [];
  const { session, perform } = byHand(bug);
  expect(await perform(choices)).toMatchObject({ kind: 'violated', message });
  expect(session.world.length).toBe(bestKnown[bug].events);
  expect(await byHand('none').perform(choices)).toEqual({ kind: 'holds' });
});

test('spark-3150 does not go away when the master is restarted', async () => {
  const { session, perform } = byHand('spark-3150');
  await perform(shortest['spark-3150'] ?? []);
  for (const _again of [1, 2, 3]) {
    expect(await perform([restart('master'), fired('completeRecovery')])).toMatchObject({ kind: 'violated' });
  }
  expect(session.world.process('master').restarts).toBe(4);
});
