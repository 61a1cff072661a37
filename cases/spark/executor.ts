import { behavior } from 'culprit';
import type { AttemptId, Message } from './messages.ts';

/** Runs the tasks of one application on one worker. */
export const executor = ({ application, host }: { application: string; host: string }) =>
  behavior<{ runs: boolean }, Message>({
    // It requests its settings before it starts: until the answer arrives, it takes no messages. No executor can skip
    // this step.
    async start(ctx) {
      const properties = await ctx.ask(application, { type: 'retrieveProperties' });
      if (properties.type !== 'properties') throw new Error(`these are no properties: ${properties.type}`);
      ctx.send(application, { type: 'registerExecutor', host, cores: properties.cores });
      return { runs: true };
    },
    receive(state, message, ctx) {
      if (message.type === 'shutDown') state.runs = false;
      else if (message.type !== 'launchTask') throw new Error(`an executor does not understand ${message.type}`);
      else if (state.runs) ctx.spawn('taskRunner', { application, executor: ctx.self, id: message.id });
      else ctx.send(application, { type: 'statusUpdate', executor: ctx.self, id: message.id, status: 'lost' });
    },
  });

/**
 * A thread that runs one task, beside the executor and not within it. All it ever does happens in one event, from its
 * start to its end; how long it takes is how long that event lets itself be waited for.
 */
export const taskRunner = (args: { application: string; executor: string; id: AttemptId }) =>
  behavior<object, Message>({
    start(ctx) {
      const { application, ...about } = args;
      ctx.send(application, { type: 'statusUpdate', ...about, status: 'running' });
      ctx.send(application, { type: 'statusUpdate', ...about, status: 'finished' });
      return {};
    },
    receive(_state, message) {
      throw new Error(`a thread gets no messages: ${message.type}`);
    },
  });
