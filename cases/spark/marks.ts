import type { RunningProcess } from 'culprit';
import type { Event } from 'culprit/trace';
import type { ApplicationState } from './application.ts';
import type { Level } from './job.ts';
import type { Message } from './messages.ts';

/** Whether an application has just launched a task at that level. */
export const launches = (applications: readonly RunningProcess<ApplicationState>[], wanted: Level): boolean =>
  applications.some(({ state }) => state.launched.some(({ level }) => level === wanted));

/** Whether such a message has just been delivered. */
export const delivers = (last: Event | undefined, type: Message['type']): boolean =>
  // All messages are of the type Message.
  last?.kind === 'deliver' && (last.message as Message).type === type;
