import { act, generate, send, start } from 'culprit';
import type { WorkloadItem } from 'culprit/kernel';
import fc from 'fast-check';
import type { Message, TaskDescription } from './messages.ts';

/** How much of everything the environment does. */
export interface Amounts {
  readonly applications: number;
  readonly workers: number;
  readonly jobs: number;
  readonly drivers: number;
  readonly failovers: number;
}

type Item = WorkloadItem<Message>;

/**
 * Each sort of external is spread evenly over the workload. Applications come at the beginning of their share of it,
 * so that they are there before their jobs; failovers at the end of theirs, so that there is something to lose.
 */
export function workloadOf({ applications, workers, jobs, drivers, failovers }: Amounts): Item[] {
  const applicationOf = (job: number): string => `application-${Math.floor(((job + 0.5) * applications) / jobs) + 1}`;
  return [
    ...spread(applications, 0, (at) => start(`application-${at + 1}`, 'application')),
    ...spread(workers, 0.5, (at) => start(`worker-${at + 1}`, 'worker')),
    ...spread(jobs, 0.5, (at) => jobFor(applicationOf(at), workers)),
    ...spread(drivers, 0.5, () => anyDriver),
    ...spread(failovers, 1, () => act('failover')),
  ]
    .sort((one, other) => one.when - other.when)
    .map(({ item }) => item);
}

const spread = (count: number, offset: number, item: (at: number) => Item): { when: number; item: Item }[] =>
  Array.from({ length: count }, (_, at) => ({ when: (at + offset) / count, item: item(at) }));

const anyDriver: Item = generate(1, [
  1,
  fc.boolean().map((supervise) => send('client', { type: 'submitDriver', supervise })),
]);

/** Most jobs only compute, like the digits of pi. Some also read what lies on the disks of workers. */
function jobFor(application: string, workers: number): Item {
  const submit = (task: fc.Arbitrary<TaskDescription>) =>
    fc.array(task, { minLength: 1, maxLength: 5 }).map((tasks) => send(application, { type: 'submitJob', tasks }));
  return generate(
    1,
    [2, submit(fc.constant(computing))],
    [1, submit(fc.oneof(fc.constant(computing), reading(workers)))],
  );
}

const computing: TaskDescription = { partition: null, host: null };

/** Two partitions lie on each worker, whether it has joined yet or not. */
const reading = (workers: number): fc.Arbitrary<TaskDescription> =>
  fc
    .nat({ max: Math.max(0, workers * 2 - 1) })
    .map((partition) => ({ partition: `data-${partition}`, host: `worker-${Math.floor(partition / 2) + 1}` }));
