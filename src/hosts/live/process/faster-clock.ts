import { existsSync, rmSync } from 'node:fs';
import { CulpritError } from '../../../error.ts';
import { linkingOf } from './executable.ts';

/** A clock that a program cannot be given. */
class NoFasterClock extends CulpritError {
  readonly code = 'NO_FASTER_CLOCK';

  constructor(process: string, why: string, next: string) {
    super(`${process} has a \`speed\`, but ${why}.`, next);
  }
}

/** A program as it is about to start. */
interface Started {
  readonly name: string;
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Where the library that fakes the time usually is. */
const LIBRARIES = [
  ...['x86_64', 'aarch64', 'riscv64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`),
  ...['/usr/lib64', '/usr/lib', '/usr/local/lib'].map((folder) => `${folder}/faketime/libfaketime.so.1`),
];

/**
 * The environment in which the clock of a program runs so many times as fast: libfaketime stands before the functions of libc that tell the time and
 * that wait. `elapsedMs`: the time since the session began, so that all programs of a session have the same clock, and that of a
 * restarted program does not run backward.
 */
export function fasterClock(
  program: Started,
  speed: number,
  elapsedMs: number,
  libraries = LIBRARIES,
): Readonly<Record<string, string>> {
  const library = checkedLibrary(program, libraries);
  const { LD_PRELOAD: others } = program.env;
  return {
    ...program.env,
    // libc follows it, because allocators ask for the time before other libraries are found: jemalloc of Redis does.
    LD_PRELOAD: [library, 'libc.so.6', ...(others === undefined ? [] : [others])].join(' '),
    FAKETIME: `+${((elapsedMs * (speed - 1)) / 1000).toFixed(3)} x${speed}`,
    // The processes that it starts have its clock, too.
    FAKETIME_DONT_RESET: '1',
  };
}

function checkedLibrary({ name, file, cwd, env }: Started, libraries: readonly string[]): string {
  const omit = 'Omit `speed`.';
  if (process.platform !== 'linux')
    throw new NoFasterClock(name, 'only Linux can give a program a faster clock', `${omit} Or run it on Linux.`);
  const linking = linkingOf(file, cwd, env['PATH'] ?? '');
  if (linking === 'Go')
    throw new NoFasterClock(name, `${file} is written in Go, which asks the kernel for the time and not libc`, omit);
  if (linking === 'static')
    throw new NoFasterClock(name, `${file} is linked statically, so that nothing can stand before its clock`, omit);
  const library = libraries.find((path) => existsSync(path));
  if (library !== undefined) return library;
  throw new NoFasterClock(
    name,
    'libfaketime is not installed',
    'Install it with: sudo apt-get install libfaketime, or omit `speed`.',
  );
}

/** Removes what libfaketime leaves in the memory of the machine if its process is killed. */
export function forgetClock(pid: number): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`]) rmSync(`/dev/shm/${name}`, { force: true });
}
