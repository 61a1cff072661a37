import { behavior } from 'culprit';
import type { Message } from './messages.ts';

/** How long it works. */
const WORK_MS = 5_000;

/** A program that a client has handed in, run by a worker: it works for a while, and ends. */
export const driver = ({ driver: name, worker }: { driver: string; worker: string }) =>
  behavior<{ runs: boolean }, Message>({
    start(ctx) {
      ctx.setTimer('end', WORK_MS);
      return { runs: true };
    },
    timer(state, _timer, ctx) {
      state.runs = false;
      ctx.send(worker, { type: 'driverEnded', driver: name });
    },
    receive(state, message, ctx) {
      if (message.type !== 'shutDown') throw new Error(`a driver does not understand ${message.type}`);
      state.runs = false;
      ctx.cancelTimer('end');
    },
  });
