import { behavior } from 'culprit';
import type { Message } from './messages.ts';

/** Executes attempts of tasks, each in two steps: it tells how far it is, and then that it is done. */
export interface NodeManager {
  slow: boolean;
  /** Attempts under way: the epoch of each, by task. */
  attempts: Record<string, number>;
}

type Step = 'report' | 'finish';
type Timer = `${Step} ${number}`;

const timerOf = (step: Step, task: number): Timer => `${step} ${task}`;

export const nodeManager = behavior<NodeManager, Message, Timer>({
  start: () => ({ slow: false, attempts: {} }),
  receive(state, message, ctx) {
    if (message.type === 'slow') state.slow = true;
    if (message.type === 'launch') {
      const { task, epoch } = message;
      state.attempts[task] = epoch;
      ctx.send('am', { type: 'launched', task, epoch });
      ctx.cancelTimer(timerOf('finish', task));
      ctx.setTimer(timerOf('report', task), REPORT_MS);
    }
    if (message.type === 'kill' && state.attempts[message.task] === message.epoch) {
      const { task, epoch } = message;
      delete state.attempts[task];
      ctx.cancelTimer(timerOf('report', task));
      ctx.cancelTimer(timerOf('finish', task));
      ctx.send('am', { type: 'killed', task, epoch });
    }
  },
  timer(state, timer, ctx) {
    const [step, task] = [timer.split(' ')[0], Number(timer.split(' ')[1])];
    const epoch = state.attempts[task];
    if (epoch === undefined) return;
    if (step === 'report') {
      ctx.send('am', { type: 'progress', task, epoch, late: state.slow });
      ctx.setTimer(timerOf('finish', task), FINISH_MS);
      return;
    }
    delete state.attempts[task];
    ctx.send('am', { type: 'done', task, epoch });
  },
});

/** Timers fire at any moment: these say nothing but what a task might take. */
const REPORT_MS = 3_000;
const FINISH_MS = 10_000;
