import { CulpritError } from '../error.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { watchForHangs } from '../kernel/user-code/watchdog.ts';

/** How long a module may take until it is loaded. */
export interface LoadLimits {
  /** The CPU time that it may have without a pause. */
  readonly cpuMs: number;
  /** How long it may take in all. */
  readonly wallMs: number;
}

/** Far more than imports of large packages take, also on a machine that is busy with something else. */
export const LOAD_LIMITS: LoadLimits = { cpuMs: 10_000, wallMs: 30_000 };

/** A module whose top level does not come to its end. */
class NotLoaded extends CulpritError {
  readonly code = 'NOT_LOADED';

  constructor(path: string, why: string) {
    super(`${path} does not finish loading: ${why}.`, 'At its top level, the module must only define the system.');
  }
}

/**
 * The result of importing a module, which may loop for ever or await something that never comes. A module that loops is ended in the
 * middle, which Node is not made for: the process should say so and end, as commands do.
 */
export function loadedWithin<T>(path: string, { cpuMs, wallMs }: LoadLimits, load: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const over = (): void => {
      watch.end();
      clearTimeout(late);
      process.off('beforeExit', abandoned);
    };
    const giveUp = (why: string): void => {
      over();
      reject(new NotLoaded(path, why));
    };
    const hangs = ({ spent }: TimedOut): void =>
      giveUp(`its top level ran for ${Math.round(spent.wallMs)} ms without a pause, and was ended`);
    // Nothing is left that could wake it: Node is about to leave.
    const abandoned = (): void => {
      try {
        watch.beat();
        giveUp('it awaits a promise that never settles');
      } catch (error) {
        if (!(error instanceof TimedOut)) throw error;
        hangs(error);
      }
    };
    const late = setTimeout(() => giveUp(`it still awaits a promise after ${wallMs} ms`), wallMs).unref();
    process.once('beforeExit', abandoned);
    const watch = watchForHangs({ limitMs: wallMs, boundMs: cpuMs, isMeasured: true }, hangs);
    watch.unref();
    watch.beat();
    load().finally(over).then(resolve, reject);
  });
}
