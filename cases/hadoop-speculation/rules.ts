import type { Effect, ProcessView, ReductionRules } from 'culprit';
import type { Touches } from 'culprit/kernel';
import type { AppMaster } from './app-master.ts';
import type { Message } from './messages.ts';
import type { NodeManager } from './node-manager.ts';
import { isLive, type Task } from './task.ts';

/** Rules for a check. Names distinguish the processes, and each name has one kind of state. */
export const rulesFor = (nodes: readonly string[]): ReductionRules<object, Message> => ({
  message(message, { name, state }) {
    if (state === undefined) return 'modifies';
    return name === 'am' ? atAppMaster(message, state as AppMaster, nodes) : atNode(message, state as NodeManager);
  },
  touches: (message, { name }) => (name === 'am' ? touchedAtAppMaster(message, nodes) : touchedAtNode(message)),
  crash: (survivor, crashing) => (isAttemptedOn(survivor, crashing.name) ? 'global' : 'local'),
  recovery: (survivor, crashing) => (isAttemptedOn(survivor, crashing.name) ? survivor.state : undefined),
  // The application master starts over, regardless of the nodes; no process waits for a node to come back.
  rejoin: (survivor, rebooting) => (rebooting.name === 'am' ? survivor.state : undefined),
});

function atNode(message: Message, { attempts }: NodeManager): Effect {
  if (message.type === 'slow') return { sets: 'slow' };
  if (message.type === 'kill') return attempts[message.task] === message.epoch ? 'modifies' : 'discards';
  return message.type === 'down' ? 'discards' : 'modifies';
}

function atAppMaster(message: Message, state: AppMaster, nodes: readonly string[]): Effect {
  // Whose connection closed is not known here.
  if (!('task' in message)) return state.tasks.some(isUnderWay) ? 'modifies' : 'discards';
  if (message.epoch !== state.epoch) return 'discards';
  const task = state.tasks[message.task] as Task;
  const isOver = task.state === 'succeeded' || task.state === 'failed';
  switch (message.type) {
    case 'progress':
      return message.late && !isOver && Object.keys(task.attempts).length < nodes.length ? 'modifies' : 'discards';
    case 'launched':
      return isOver ? 'discards' : 'modifies';
    case 'killed':
      return { sets: 'killed' };
    case 'done':
      // Too late. The first that is done decides the task, and is never one of these.
      return isOver ? { sets: 'killed' } : 'modifies';
    default:
      return 'modifies';
  }
}

const isUnderWay = ({ attempts }: Task): boolean =>
  Object.values(attempts).some((attempt) => isLive(attempt) || attempt === 'killing');

/** Tasks have nothing to do with one another, but for the nodes that they send to. */
function touchedAtAppMaster(message: Message, nodes: readonly string[]): Touches {
  const sends = message.type === 'done' || message.type === 'progress' || message.type === 'down' ? nodes : [];
  const tasks = 'task' in message ? [`task ${message.task}`] : ['tasks'];
  return { reads: ['tasks', ...tasks], updates: tasks, sends };
}

function touchedAtNode(message: Message): Touches {
  if (message.type === 'slow') return { updates: ['slow'] };
  if (!('task' in message)) return {};
  const attempt = [`attempt ${message.task}`];
  return { reads: attempt, updates: attempt, sends: ['am'] };
}

function isAttemptedOn({ name, state }: ProcessView, node: string): boolean {
  if (name !== 'am' || state === undefined) return false;
  return (state as AppMaster).tasks.some(({ attempts }) => isLive(attempts[node]) || attempts[node] === 'killing');
}
