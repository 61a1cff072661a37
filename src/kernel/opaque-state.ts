import { CulpritError, isOf } from '../error.ts';
import { BadView, SystemThrew } from './errors.ts';
import type { LiveWorld } from './live-world.ts';
import type { Process } from './process.ts';
import { copyOf, examineState } from './user-code/examine.ts';

/** Takes the view of an opaque object as the state of its process: a copy, which later events do not change. */
export function takeView(world: LiveWorld, process: Process): void {
  const view = viewOf(process);
  if (typeof view !== 'object' || view === null) throw new BadView(process.name, view);
  process.state = copyOf(world, process, view, 'the view');
  examineState(world, process);
}

function viewOf({ name, behavior, subject }: Process): unknown {
  try {
    return behavior.view?.(subject as object);
  } catch (error) {
    throw isOf(error, CulpritError) ? error : new SystemThrew(`the view of ${name}`, error);
  }
}

/** The life of a process ends: its object is closed, and all that is volatile is lost. A promise where closing takes a while. */
export function endLife(process: Process, status: 'stopped' | 'crashed'): void | Promise<void> {
  const closing = closeSubject(process);
  process.lose(status);
  return closing;
}

/** Closes the object of an opaque process, if it has one. */
export const closeSubject = ({ behavior, subject }: Process): void | Promise<void> =>
  subject === undefined ? undefined : behavior.close?.(subject);
