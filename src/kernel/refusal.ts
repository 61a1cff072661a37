import type { External } from '../trace/event.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import type { LiveWorld } from './live-world.ts';
import { findMessage } from './network.ts';
import type { Status } from './process.ts';
import { UnknownAction, UnknownKind } from './refused.ts';
import { placeOf, NOT_THERE } from './requests.ts';

/** Why the environment cannot do this in this world; undefined where it can. Names that mean nothing are errors. */
export function refusal(world: LiveWorld, external: External): string | undefined {
  switch (external.kind) {
    case 'start':
      return refusalToStart(world, external);
    case 'crash':
    case 'stop':
      return unless(world, external.process, ['starting', 'up']);
    case 'restart':
      return unless(world, external.process, ['crashed', 'stopped']);
    case 'send':
      placeOf(world, external.to, ENVIRONMENT);
      return undefined;
    case 'cut':
    case 'heal':
      return external.links
        .flat()
        .map((name) => absence(world, name))
        .find((why) => why !== undefined);
    case 'lose':
      return world.declaration.faults.losses > 0
        ? unlessInFlight(world, external.target)
        : 'the transport loses nothing (declare `faults.losses`)';
    case 'duplicate':
      return world.declaration.faults.duplicates > 0
        ? unlessInFlight(world, external.target)
        : 'the transport duplicates nothing (declare `faults.duplicates`)';
    case 'act':
      if (!world.declaration.actions.has(external.action))
        throw new UnknownAction(external.action, [...world.declaration.actions.keys()]);
      return undefined;
  }
}

function refusalToStart(world: LiveWorld, { process, of }: Extract<External, { kind: 'start' }>): string | undefined {
  const at = world.place(process);
  if (at !== undefined) return unless(world, process, ['waiting']);
  if (of === undefined) {
    placeOf(world, process, ENVIRONMENT);
    return `${process} is not declared: say which kind it is of`;
  }
  if (process === ENVIRONMENT || process.includes('/')) return `no process that joins may be called ${process}`;
  if (!world.declaration.kinds.has(of)) throw new UnknownKind(of, [...world.declaration.kinds.keys()]);
  return undefined;
}

const unlessInFlight = (world: LiveWorld, target: string): string | undefined =>
  findMessage(world, target) === undefined ? `message ${target} is not in flight` : undefined;

function unless(world: LiveWorld, name: string, allowed: readonly Status[]): string | undefined {
  const status = world.processes[placeOf(world, name, ENVIRONMENT)]?.status;
  if (status === undefined) return `${name} has not joined`;
  return allowed.includes(status) ? undefined : `${name} is ${status}`;
}

const absence = (world: LiveWorld, name: string): string | undefined =>
  placeOf(world, name, ENVIRONMENT) === NOT_THERE ? `${name} has not joined` : undefined;
