import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * The guard of a session: a shell in a process group of its own that outlives culprit, however culprit ends. Its standard input is a
 * pipe from us. When the pipe closes, it kills every process that carries the mark of the session in its environment, and every
 * descendant of the processes that were reported to it (some programs clear their environment), and removes the folder of the session. A
 * process is known by its id and its start time, because ids are used again.
 *
 * In a shell, because a second Node would cost 43 MB and as much time as a small server.
 */
const SCRIPT = `
trap '' INT TERM HUP QUIT
mark=$1 folder=$2
known=
while read -r entry; do known="$known $entry"; done
started() { stat=$(cat "/proc/$1/stat" 2>/dev/null) || return; set -- \${stat##*) }; echo "\${20}"; }
tree() { echo "$1"; for child in $(cat "/proc/$1"/task/*/children 2>/dev/null); do tree "$child"; done; }
found() {
  for entry in $known; do
    [ "$(started "\${entry%:*}")" = "\${entry#*:}" ] && tree "\${entry%:*}"
  done
  grep -lsaF "CULPRIT_RUN=$mark" /proc/[0-9]*/environ | cut -d/ -f3
}
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  pids=$(found)
  [ -z "$pids" ] && break
  kill -KILL $pids 2>/dev/null
  sleep 0.05
done
[ -z "$folder" ] && exit
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$folder"
  [ -e "$folder" ] || break
  sleep 0.1
done
`;

export class Guard {
  private constructor(private readonly shell: ChildProcess) {}

  /** Watches the processes that carry this mark. The folder is removed at the end, if one is given. */
  static start(mark: string, folder: string | undefined): Guard {
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'culprit-guard', mark, folder ?? ''], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    // It ends when its input does: culprit need not wait for it, and a guard that could not start must not end culprit.
    shell.unref();
    shell.on('error', () => undefined);
    (shell.stdin as Writable & { unref?(): void }).unref?.();
    shell.stdin?.on('error', () => undefined);
    return new Guard(shell);
  }

  /** Reports a process to the guard. */
  watch(pid: number, startTime: string): void {
    this.shell.stdin?.write(`${pid}:${startTime}\n`);
  }

  /** Ends the guard, and with it all that is left of the session. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.shell.exitCode !== null || this.shell.pid === undefined) return resolve();
      this.shell.ref();
      this.shell.once('exit', () => resolve());
      this.shell.stdin?.end();
    });
  }
}
