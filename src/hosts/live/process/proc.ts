import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** What `/proc` of Linux says about processes. A process may end at any moment: then there is nothing to read. */

/** Whether there is a `/proc` to read. */
export const hasProc: boolean = process.platform === 'linux';

const read = (path: string): string => orEmpty(() => readFileSync(path, 'latin1'));

const readAtOnce = (path: string): string => orEmpty(() => textAtOnce(path));

function orEmpty(get: () => string): string {
  try {
    return get();
  } catch {
    return '';
  }
}

/** Files about one thing are far shorter than this. */
const buffer = Buffer.alloc(1 << 16);

/** The text of a file that the kernel gives in one piece, at half the price of `readFileSync`: some are read thousands of times a second. */
function textAtOnce(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(descriptor);
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
  const stat = readAtOnce(`/proc/${pid}/stat`);
  // The second field is the name of the program in parentheses, which may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

/** Whether a process is there and has not ended: one that has may wait for its parent to notice. */
export const isAlive = (pid: number): boolean => threadsOf(pid).some(({ state }) => state !== 'Z' && state !== 'X');

/** Names a process for good: ids are used again, but not with the same start time. */
export const nameOfProcess = (pid: number): string => `${pid}:${startTimeOf(pid)}`;

/** A process and all its descendants. */
export const treeOf = (pid: number): number[] => [pid, ...threadIdsOf(pid).flatMap(childrenOf).flatMap(treeOf)];

/** The processes that a thread has started, and that have not lost their parent. */
export const childrenOf = (thread: string): number[] =>
  readAtOnce(fileOf(thread, 'children')).split(' ').filter(Boolean).map(Number);

/** The environment that a process was started with; empty if it belongs to another user. */
export function environmentOf(pid: number): string[] {
  const path = `/proc/${pid}/environ`;
  const text = readAtOnce(path);
  return (text.length < buffer.length ? text : read(path)).split('\0');
}

/** Whether something has this id now, a process or a thread: the kernel has files about both. */
export const hasId = (id: number): boolean => existsSync(`/proc/${id}`);

/** Whether it is the id of a process, and not of another one of its threads. */
export const isProcess = (id: number): boolean => TGID.exec(readAtOnce(`/proc/${id}/status`))?.[1] === String(id);

const TGID = /^Tgid:\s+(\d+)/m;

/** Whether a process was started with exactly this entry in its environment. */
export const hasEnvironment = (pid: number, entry: string): boolean => environmentOf(pid).includes(entry);

/** The ids of all processes of the machine. */
export const allProcesses = (): number[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** The id that was given last, to a process or a thread; 0 if that cannot be known. */
export const newestId = (): number => Number(/(\d+)\s*$/.exec(readAtOnce('/proc/loadavg'))?.[1] ?? 0);

/** A thread as it was at one look. */
export interface ThreadLook {
  readonly id: string;
  /** A letter, as in `ps`: S sleeps, R runs, D waits for a disk, T is stopped, Z and X are dead. */
  readonly state: string;
  /** How often it has gone to sleep, and how often it was interrupted: a thread that ran has switched. */
  readonly switches: string;
}

const STATE = /^State:\s+(\S)/m;
const SWITCHES = /^voluntary_ctxt_switches:\s+(\d+)\s+nonvoluntary_ctxt_switches:\s+(\d+)/m;

/** The threads of a process, by process and thread: `12/13`. Throws if they cannot be listed. */
export const threadIdsOf = (pid: number): string[] =>
  (unlessGone(() => readdirSync(`/proc/${pid}/task`)) ?? []).map((thread) => `${pid}/${thread}`);

/** A thread, now. One that is gone is dead. Throws if it cannot be looked at. */
export function lookAt(id: string): ThreadLook {
  const status = unlessGone(() => textAtOnce(fileOf(id, 'status'))) ?? '';
  const [, voluntary = '', involuntary = ''] = SWITCHES.exec(status) ?? [];
  return { id, state: STATE.exec(status)?.[1] ?? 'X', switches: `${voluntary} ${involuntary}` };
}

/** All threads of a process, now. */
export const threadsOf = (pid: number): ThreadLook[] => threadIdsOf(pid).map(lookAt);

/**
 * Whether a thread is not on a processor and does not wait for one. The state alone does not say so: a thread that is about to sleep
 * has state S already, and may be interrupted there for long. The kernel answers when the thread has really left the processor.
 */
export const isOffProcessor = (id: string): boolean => !readAtOnce(fileOf(id, 'syscall')).startsWith('running');

const fileOf = (id: string, name: 'status' | 'syscall' | 'children'): string =>
  `/proc/${id.replace('/', '/task/')}/${name}`;

/** Only a thread that is gone may be missing: other failures, such as too many open files, must not look like its end. */
function unlessGone<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
