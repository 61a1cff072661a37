import { readFileSync } from 'node:fs';
import process from 'node:process';

/** The time that a thread has had so far, in milliseconds. */
export interface ThreadTime {
  /** On a CPU. */
  readonly cpuMs: number;
  /** Ready to run, while the CPUs did something else; undefined if the system does not report it. */
  readonly delayMs: number | undefined;
}

/** Of this thread, whichever it is: nanoseconds on a CPU, and nanoseconds that it waited for one. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

interface ThreadUsage {
  /** In microseconds. Node has it from 23.9 on. */
  readonly threadCpuUsage?: () => { readonly user: number; readonly system: number };
}

/**
 * The time that this thread has had; undefined if the system does not report it. The time of the whole process will not do: other threads
 * work beside this one, and their time shows nothing about its code.
 */
export function threadTime(): ThreadTime | undefined {
  return fromLinux() ?? fromNode();
}

function fromLinux(): ThreadTime | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const [cpu, delay] = readFileSync(SCHEDSTAT, 'latin1').split(' ').map(Number);
    return cpu === undefined || delay === undefined ? undefined : { cpuMs: cpu / 1e6, delayMs: delay / 1e6 };
  } catch {
    // A kernel that keeps no such statistics.
    return undefined;
  }
}

function fromNode(): ThreadTime | undefined {
  const used = (process as ThreadUsage).threadCpuUsage?.();
  return used === undefined ? undefined : { cpuMs: (used.user + used.system) / 1_000, delayMs: undefined };
}
