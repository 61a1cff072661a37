import { CulpritError, isOf } from '../error.ts';
import { NotPlainData } from '../trace/plain-data.ts';
import type { LifeEnding } from './behavior.ts';
import { copyData, lastContents } from './data/copy.ts';
import { BadView, BusyView, OutsideEvent, SystemThrew } from './errors.ts';
import type { LiveWorld } from './live-world.ts';
import type { Process } from './process.ts';
import { examineState } from './user-code/examine.ts';

/** Takes the view of an opaque object as the state of its process: a copy, which later events do not change. */
export function takeView(world: LiveWorld, process: Process): void {
  const view = viewOf(world, process);
  if (typeof view !== 'object' || view === null) throw new BadView(process.name, world.length, view);
  try {
    process.state = copyData(view, process.name, 'the view');
  } catch {
    throw NotPlainData.in(view, `${process.name}: the view after event ${world.length}`, SHOW_DATA);
  }
  // The copy is plain. Examining it can only find that it holds itself, which a tree does not.
  if (lastContents() === undefined) examineState(world, process);
  else process.holdsItself = false;
}

const SHOW_DATA =
  'Return data from `view` and nothing else: primitives, arrays, plain objects, Map and Set, such as { role, log: [...log] }.';

function viewOf({ length }: LiveWorld, { name, behavior, subject }: Process): unknown {
  try {
    return behavior.view?.(subject as object);
  } catch (error) {
    if (isOf(error, OutsideEvent)) throw new BusyView(name, length, error.did);
    throw isOf(error, CulpritError) ? error : new SystemThrew(`the view of ${name} after event ${length}`, error);
  }
}

/** The life of a process ends: its object is closed, and all that is volatile is lost. A promise where closing takes a while. */
export function endLife(process: Process, status: 'stopped' | 'crashed'): void | Promise<void> {
  const closing = closeSubject(process, status);
  process.lose(status);
  return closing;
}

/** Closes the objects of all processes, also if closing one of them fails; then throws the first error. */
export function closeAll(processes: readonly Process[]): void | Promise<void> {
  const errors: unknown[] = [];
  const closing: Promise<void>[] = [];
  for (const process of processes) {
    try {
      const closed = closeSubject(process, 'over');
      if (closed !== undefined) closing.push(closed.catch((error: unknown) => void errors.push(error)));
    } catch (error) {
      errors.push(error);
    }
  }
  const report = (): void => {
    if (errors.length > 0) throw errors[0];
  };
  return closing.length === 0 ? report() : Promise.all(closing).then(report);
}

/** Closes the object of an opaque process, if it has one. */
const closeSubject = ({ behavior, subject }: Process, ending: LifeEnding): void | Promise<void> =>
  subject === undefined ? undefined : behavior.close?.(subject, ending);
