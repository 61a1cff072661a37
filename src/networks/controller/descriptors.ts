import { closeSync, openSync, readFileSync } from 'node:fs';

/** So many descriptors are left to others: files of `/proc` are opened at every event, and programs are started. */
const SPARE = 32;

/** How many files this process may have open. Node has raised it as far as it may. */
export const descriptorLimit = ((): number => {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity);
  } catch {
    // A machine without /proc.
    return Infinity;
  }
})();

/** Whether there are hardly any descriptors left for sockets. The operating system gives the lowest one that is free. */
export function areDescriptorsScarce(): boolean {
  try {
    const lowest = openSync('/dev/null', 'r');
    closeSync(lowest);
    return lowest >= descriptorLimit - SPARE;
  } catch (error) {
    return isNoDescriptor(error);
  }
}

/** Whether something could not be opened because this process, or the machine, has too many open files. */
export const isNoDescriptor = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
