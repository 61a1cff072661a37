import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc` of Linux says about processes. A process may end at any moment: then there is nothing to read. */

/** Whether there is a `/proc` to read. */
export const hasProc: boolean = process.platform === 'linux';

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** When a process started, in ticks since the machine did: together with its id it names the process. Empty if it is gone. */
export const startTimeOf = (pid: number): string => {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the name of the program in parentheses, which may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

/** A process and all its descendants. */
export function treeOf(pid: number): number[] {
  const children = namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap((child) => treeOf(child))];
}

/** The processes that have this text in the environment they were started with. */
export function withEnvironment(entry: string): number[] {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${entry}`)).map(Number);
}

/** A thread as it was at one look. */
export interface ThreadLook {
  readonly id: string;
  /** A letter, as in `ps`: S sleeps, R runs, D waits for a disk, T is stopped, Z is dead. */
  readonly state: string;
  /** How often it has gone to sleep, and how often it was interrupted: a thread that ran has switched. */
  readonly switches: string;
}

const STATE = /^State:\s+(\S)/m;
const SWITCHES = /^voluntary_ctxt_switches:\s+(\d+)\s+nonvoluntary_ctxt_switches:\s+(\d+)/m;

/** The threads of a process, now. */
export const threadsOf = (pid: number): ThreadLook[] =>
  namesIn(`/proc/${pid}/task`).map((thread) => {
    const status = read(`/proc/${pid}/task/${thread}/status`);
    const [, voluntary = '', involuntary = ''] = SWITCHES.exec(status) ?? [];
    return { id: `${pid}/${thread}`, state: STATE.exec(status)?.[1] ?? 'Z', switches: `${voluntary} ${involuntary}` };
  });
