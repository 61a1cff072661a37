import type { External } from '../trace/event.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import { consequencesOf } from './actions.ts';
import type { LiveWorld } from './live-world.ts';
import { mayHappenTo } from './faults.ts';
import { isHeld } from './network/enabled.ts';
import { enabledCalled } from './network/holds.ts';
import { findMessage } from './network/in-flight.ts';
import type { Status } from './process.ts';
import { UnknownKind } from './errors.ts';
import { placeOf, NOT_THERE } from './requests.ts';

// Each made once: every start asks.
const WAITING: readonly Status[] = ['waiting'];
const RUNNING: readonly Status[] = ['starting', 'up'];
const GONE: readonly Status[] = ['crashed', 'stopped'];

/** The reason why an external cannot happen in this world; undefined if it can. An unknown name is an error. */
export function refusal(world: LiveWorld, external: External, after = nothing): string | undefined {
  switch (external.kind) {
    case 'start':
      return refusalToStart(world, external, after);
    case 'crash':
    case 'stop':
      return unless(world, external.process, RUNNING, after);
    case 'restart':
      return unless(world, external.process, GONE, after);
    case 'pause':
      return unless(world, external.process, RUNNING, after) ?? ifPaused(world, external.process, true);
    case 'resume':
      return unless(world, external.process, RUNNING, after) ?? ifPaused(world, external.process, false);
    case 'send':
      placeOf(world, external.to, ENVIRONMENT);
      return undefined;
    case 'cut':
    case 'heal':
      return external.links
        .flatMap(([from, to]) => [from, to])
        .map((name) => (after.has(name) ? undefined : absence(world, name)))
        .find((why) => why !== undefined);
    case 'lose':
      return world.declaration.faults.losses > 0
        ? unlessAllowed(world, external.target, 'losses')
        : 'the transport loses nothing (declare `faults.losses`)';
    case 'duplicate':
      return world.declaration.faults.duplicates > 0
        ? unlessAllowed(world, external.target, 'duplicates')
        : 'the transport duplicates nothing (declare `faults.duplicates`)';
    case 'hold':
      return world.declaration.faults.holds > 0
        ? refusalToHold(world, external)
        : 'the transport holds nothing back (declare `faults.holds`)';
    case 'delay':
      return world.declaration.faults.holds > 0
        ? refusalToDelay(world, external)
        : 'the transport holds nothing back (declare `faults.holds`)';
    case 'act':
      return refusalToAct(world, external);
    case 'wait':
      return world.uncontrolled === undefined ? 'nothing happens by itself in this system' : undefined;
  }
}

function refusalToHold(world: LiveWorld, { target, until }: External & { kind: 'hold' }): string | undefined {
  const message = findMessage(world, target);
  if (message === undefined) return `message ${target} is not in flight`;
  if (isHeld(world, message)) return `message ${target} is held back already`;
  if (target === until) return `message ${target} would wait for itself`;
  return enabledCalled(world, until) === undefined
    ? `event ${until} cannot happen now, so nothing would end the hold`
    : undefined;
}

function refusalToDelay(world: LiveWorld, { target }: External & { kind: 'delay' }): string | undefined {
  if (world.uncontrolled === undefined) return 'the session has no clock: hold the message until an event';
  const message = findMessage(world, target);
  if (message === undefined) return `message ${target} is not in flight`;
  return isHeld(world, message) ? `message ${target} is held back already` : undefined;
}

/** The statuses of processes after the earlier parts of an action. */
type Statuses = ReadonlyMap<string, Status>;

const nothing: Statuses = new Map();

const statusAfter = {
  start: 'up',
  restart: 'up',
  stop: 'stopped',
  crash: 'crashed',
  pause: 'up',
  resume: 'up',
} as const;

/** An action happens as a whole or not at all. The parts of a nested action are not known before it happens. */
function refusalToAct(world: LiveWorld, action: Extract<External, { kind: 'act' }>): string | undefined {
  const after = new Map<string, Status>();
  const parts = consequencesOf(world, action);
  if (parts === undefined) return `${action.action} cannot happen in this world`;
  for (const part of parts) {
    const why = part.kind === 'act' ? undefined : refusal(world, part, after);
    if (why !== undefined) return `${action.action} would ${part.kind}, and ${why}`;
    if ('process' in part) after.set(part.process, statusAfter[part.kind]);
  }
  return undefined;
}

function refusalToStart(
  world: LiveWorld,
  { process, of }: Extract<External, { kind: 'start' }>,
  after: Statuses,
): string | undefined {
  if (after.has(process) || world.place(process) !== undefined) return unless(world, process, WAITING, after);
  if (of === undefined) {
    placeOf(world, process, ENVIRONMENT);
    return `${process} is not declared: say which kind it is of`;
  }
  if (process === ENVIRONMENT || process.includes('/')) return `no process that joins may be called ${process}`;
  if (!world.declaration.kinds.has(of)) throw new UnknownKind(of, [...world.declaration.kinds.keys()]);
  return undefined;
}

function unlessAllowed(world: LiveWorld, target: string, fault: 'losses' | 'duplicates'): string | undefined {
  const message = findMessage(world, target);
  if (message === undefined) return `message ${target} is not in flight`;
  if (message.kind !== 'deliver' || mayHappenTo(world, message, fault)) return undefined;
  return `the link between ${message.from} and ${message.process} is declared with \`${fault}: false\``;
}

function unless(world: LiveWorld, name: string, allowed: readonly Status[], after: Statuses): string | undefined {
  const status = after.get(name) ?? world.processes[placeOf(world, name, ENVIRONMENT)]?.status;
  if (status === undefined) return `${name} has not joined`;
  return allowed.includes(status) ? undefined : `${name} is ${status}`;
}

/** The reason why a process that is paused, or is not, cannot be so; undefined if it is the other way round. */
function ifPaused(world: LiveWorld, name: string, isPaused: boolean): string | undefined {
  if (world.processes[placeOf(world, name, ENVIRONMENT)]?.isPaused !== isPaused) return undefined;
  return `${name} is ${isPaused ? 'paused already' : 'not paused'}`;
}

const absence = (world: LiveWorld, name: string): string | undefined =>
  placeOf(world, name, ENVIRONMENT) === NOT_THERE ? `${name} has not joined` : undefined;
