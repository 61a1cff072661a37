import type { Effect, ProcessView, ReductionRules } from 'culprit';
import type { AppMaster } from './app-master.ts';
import type { Message } from './messages.ts';
import type { ResourceManager } from './resource-manager.ts';

/** Rules for a check. Names distinguish the processes, and each name has one kind of state. */
export const rules: ReductionRules<object, Message> = {
  message(message, { name, state }) {
    if (state === undefined) return 'modifies';
    if (name === 'rm') return atResourceManager(message, state as ResourceManager);
    if (name === 'am') return atAppMaster(message, state as AppMaster);
    if (message.type === 'finished') return { sets: 'told' };
    return message.type === 'start' ? 'modifies' : 'discards';
  },
  crash: (survivor, crashing) => (concerns(survivor, crashing) ? 'global' : 'local'),
  recovery: (survivor, crashing) => (concerns(survivor, crashing) ? dealings(survivor, crashing) : undefined),
  rejoin: (survivor, rebooting) => (isOfTheTwo(survivor, rebooting) ? dealings(survivor, rebooting) : undefined),
};

function atResourceManager(message: Message, { app, epoch }: ResourceManager): Effect {
  const isOver = app === 'removing' || app === 'finished';
  switch (message.type) {
    case 'submit':
      return app === 'none' ? 'modifies' : 'discards';
    case 'register':
    case 'allocate':
      return isOver || message.epoch !== epoch ? 'discards' : 'modifies';
    case 'unregister':
      return isOver ? 'discards' : 'modifies';
    case 'down':
      // The name of the closed connection is not available here; before and after the application runs it makes no
      // difference.
      return app === 'running' ? 'modifies' : 'discards';
    default:
      return 'modifies';
  }
}

function atAppMaster(message: Message, state: AppMaster): Effect {
  const isWorking = state.phase === 'working';
  switch (message.type) {
    case 'offer':
      return isWorking ? 'modifies' : 'discards';
    case 'done':
      return isWorking ? afterTask(message.node, state) : 'discards';
    case 'down':
      return isWorking ? 'modifies' : 'discards';
    case 'unregistered':
      return state.phase === 'unregistering' ? 'modifies' : 'discards';
    default:
      return 'modifies';
  }
}

/** As long as no task waits for a container, a finished task is only counted; the last one ends the application. */
function afterTask(node: string, { asking, running, bad }: AppMaster): Effect {
  if (running.includes(node)) return asking === 0 && running.length > 1 ? 'counts' : 'modifies';
  return asking === 0 || bad.includes(node) ? 'discards' : 'modifies';
}

type View = ProcessView;

/** A node manager without a container of the application concerns no process, nor does a client. */
function concerns(survivor: View, crashing: View): boolean {
  if (isOfTheTwo(survivor, crashing)) return true;
  return survivor.name === 'am' && (survivor.state as AppMaster | undefined)?.running.includes(crashing.name) === true;
}

const isOfTheTwo = ({ name: a }: View, { name: b }: View): boolean =>
  (a === 'rm' && b === 'am') || (a === 'am' && b === 'rm');

/** All that the two know of the application, and the contents of the disk; not the number of restarts. */
const dealings = ({ state }: View, gone: View): unknown => ({
  knows: { ...state, epoch: 0 },
  gone: gone.state === undefined ? null : { ...gone.state, epoch: 0 },
  stored: gone.disk.get('application') ?? null,
});
