import { behavior, type Behavior, type Context } from 'culprit';
import type { Bug } from './bugs.ts';
import type { Message } from './messages.ts';
import { assertAccepted, freshNode, isLive, liveOn, type Task, type TaskEvent } from './task.ts';

/** Has tasks executed on nodes, and one that is late on a second node as well. */
export interface AppMaster {
  epoch: number;
  tasks: Task[];
}

type Ctx = Context<Message>;

export interface Job {
  readonly nodes: readonly string[];
  readonly tasks: number;
  readonly bug: Bug;
}

export const appMasterOf = (job: Job): Behavior<AppMaster, Message> =>
  behavior<AppMaster, Message>({
    start(ctx) {
      const tasks = Array.from({ length: job.tasks }, (): Task => ({ state: 'scheduled', attempts: {} }));
      const state: AppMaster = { epoch: ctx.restarts, tasks };
      for (const at of tasks.keys()) launch(state, at, job.nodes[at % job.nodes.length], ctx);
      return state;
    },
    receive(state, message, ctx) {
      if (message.type === 'down') {
        for (const at of state.tasks.keys()) handle(state, at, ctx.from, 'attemptFailed', job, ctx);
      }
      if (!('task' in message) || message.epoch !== state.epoch) return;
      const event = eventOf(message, state.tasks[message.task] as Task);
      if (event !== undefined) handle(state, message.task, ctx.from, event, job, ctx);
    },
    returned(state, message, to, ctx) {
      if (message.type === 'launch') handle(state, message.task, to, 'attemptFailed', job, ctx);
    },
  });

/** What a message about an attempt means to its task, if anything. */
function eventOf(message: Message, task: Task): TaskEvent | undefined {
  switch (message.type) {
    case 'launched':
      return 'attemptLaunched';
    case 'progress':
      return message.late && task.state === 'running' && liveOn(task).length === 1 ? 'addSpeculative' : undefined;
    case 'done':
      return 'attemptSucceeded';
    case 'killed':
      return 'attemptKilled';
    default:
      return undefined;
  }
}

function handle(state: AppMaster, at: number, node: string, event: TaskEvent, { nodes, bug }: Job, ctx: Ctx): void {
  const task = state.tasks[at] as Task;
  const attempt = task.attempts[node];
  if (!isLive(attempt) && attempt !== 'killing') return;
  assertAccepted(event, task, bug);
  if (event === 'attemptLaunched' && attempt === 'assigned') run(task, node);
  if (event === 'addSpeculative') launch(state, at, freshNode(task, nodes), ctx);
  if (event === 'attemptSucceeded') succeed(state, at, node, ctx);
  if (event === 'attemptKilled') task.attempts[node] = 'killed';
  if (event === 'attemptFailed') fail(state, at, node, nodes, ctx);
}

function launch(state: AppMaster, at: number, node: string | undefined, ctx: Ctx): void {
  if (node === undefined) return;
  (state.tasks[at] as Task).attempts[node] = 'assigned';
  ctx.send(node, { type: 'launch', task: at, epoch: state.epoch });
}

function run(task: Task, node: string): void {
  task.attempts[node] = 'running';
  task.state = 'running';
}

/** The first that is done wins, and the others are killed; one that is done as well has been too late. */
function succeed(state: AppMaster, at: number, node: string, ctx: Ctx): void {
  const task = state.tasks[at] as Task;
  if (task.state === 'succeeded') {
    task.attempts[node] = 'killed';
    return;
  }
  task.state = 'succeeded';
  task.attempts[node] = 'succeeded';
  for (const other of liveOn(task)) {
    task.attempts[other] = 'killing';
    ctx.send(other, { type: 'kill', task: at, epoch: state.epoch });
  }
}

function fail(state: AppMaster, at: number, node: string, nodes: readonly string[], ctx: Ctx): void {
  const task = state.tasks[at] as Task;
  task.attempts[node] = 'failed';
  if (task.state === 'succeeded' || liveOn(task).length > 0) return;
  const next = freshNode(task, nodes);
  task.state = next === undefined ? 'failed' : 'scheduled';
  launch(state, at, next, ctx);
}
