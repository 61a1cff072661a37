import type { MessagePort } from 'node:worker_threads';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { ExecuteJob } from './session-runner.ts';
import { plainErrorOf, type PlainError } from './thrown-elsewhere.ts';

/** A job with a number, by which it can be called off. */
export interface NumberedJob<Job> {
  readonly id: number;
  readonly job: Job;
}

/** A message to all workers: the job with this number is no longer needed. */
export interface CallOff {
  readonly callOff: number;
}

export type SessionAnswer<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'given up' }
  | { readonly kind: 'threw'; readonly error: PlainError };

/** Executes jobs in the order of their arrival, one session at a time. A job that is called off ends soon. */
export async function runSessions<Job, Result>(
  execute: ExecuteJob<Job, Result>,
  port: MessagePort,
  messages: AsyncIterable<[NumberedJob<Job> | CallOff]>,
  answer: (answer: SessionAnswer<Result>) => void,
): Promise<void> {
  const calledOff = new Set<number>();
  // Also heard while a session is under way.
  port.on('message', (message: NumberedJob<Job> | CallOff) => {
    if ('callOff' in message) calledOff.add(message.callOff);
  });
  for await (const [message] of messages) {
    if ('callOff' in message) continue;
    tell(answer, await answerTo(() => execute(message.job, () => calledOff.has(message.id))));
    calledOff.clear();
  }
}

/** A result with data that no message can carry is an error of its own. */
function tell<Result>(answer: (answer: SessionAnswer<Result>) => void, given: SessionAnswer<Result>): void {
  try {
    answer(given);
  } catch (error) {
    answer({ kind: 'threw', error: plainErrorOf(error) });
  }
}

async function answerTo<Result>(execute: () => Promise<Result>): Promise<SessionAnswer<Result>> {
  try {
    return { kind: 'done', result: await execute() };
  } catch (error) {
    return error instanceof GivenUp ? { kind: 'given up' } : { kind: 'threw', error: plainErrorOf(error) };
  }
}
