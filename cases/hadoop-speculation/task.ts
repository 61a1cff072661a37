import type { Bug } from './bugs.ts';

/** A task, and what the application master knows of its attempts: at most one on each node. */
export interface Task {
  state: 'scheduled' | 'running' | 'succeeded' | 'failed';
  attempts: Record<string, AttemptState>;
}

export type AttemptState = 'assigned' | 'running' | 'killing' | 'succeeded' | 'killed' | 'failed';

export type TaskEvent = 'attemptLaunched' | 'addSpeculative' | 'attemptSucceeded' | 'attemptFailed' | 'attemptKilled';

/** The automaton of a task: which events it takes in which state. */
const accepted: Readonly<Record<Task['state'], readonly TaskEvent[]>> = {
  scheduled: ['attemptLaunched', 'attemptFailed'],
  running: ['attemptLaunched', 'addSpeculative', 'attemptSucceeded', 'attemptFailed'],
  succeeded: ['attemptLaunched', 'addSpeculative', 'attemptSucceeded', 'attemptFailed', 'attemptKilled'],
  failed: [],
};

/** An event for which there is no transition is a mistake of ours, and ends the application master. */
export function assertAccepted(event: TaskEvent, { state }: Task, bug: Bug): void {
  // MapReduce-4748: a second success was not expected.
  const isForgotten = bug === 'mapreduce-4748' && state === 'succeeded' && event === 'attemptSucceeded';
  if (isForgotten || !accepted[state].includes(event)) throw new Error(`invalid event: ${event} at ${state}`);
}

export const isLive = (attempt: AttemptState | undefined): boolean => attempt === 'assigned' || attempt === 'running';

export const liveOn = ({ attempts }: Task): string[] => Object.keys(attempts).filter((node) => isLive(attempts[node]));

/** Where it has not been attempted yet. */
export const freshNode = ({ attempts }: Task, nodes: readonly string[]): string | undefined =>
  nodes.find((node) => attempts[node] === undefined);
