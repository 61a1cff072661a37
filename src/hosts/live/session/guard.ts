import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * The guard of a session: a shell in a process group of its own that outlives culprit, however culprit ends. Its standard input is a
 * pipe from us. When the pipe closes before the session is over, it kills every process that carries the mark of the session in its environment, every process that
 * was reported to it (some programs clear their environment), and the descendants of these, and removes the folder of the session. A
 * process is known by its id and its start time, because ids are used again.
 *
 * Processes are stopped before they are killed, because one that dies right after it has started another one leaves a process that nothing
 * may recognize; a stopped process starts none. Between its start and the start of its program, a process does not have its mark yet: if
 * culprit ended there, the guard looks for longer.
 *
 * It does not try forever, because a process that waits for a disk dies when the disk answers. In a shell, because a second Node would cost 43 MB and as much time as a small server.
 */
const SCRIPT = `
trap '' INT TERM HUP QUIT
mark=$1 folder=$2
known= starting=
while read -r line; do
  case $line in
    starting) starting=yes ;;
    started) starting= ;;
    over) exit ;;
    *) known="$known $line" ;;
  esac
done
started() {
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return
  set -- \${stat##*) }
  [ "$1" = Z ] || echo "\${20}"
}
tree() { echo "$1"; for child in $(cat "/proc/$1"/task/*/children 2>/dev/null); do tree "$child"; done; }
living() {
  for entry in $known; do
    [ "$(started "\${entry%:*}")" = "\${entry#*:}" ] && tree "\${entry%:*}"
  done
  for pid in $(grep -lsaF "CULPRIT_RUN=$mark" /proc/[0-9]*/environ | cut -d/ -f3); do tree "$pid"; done
}
runs() { for pid in $1; do grep -qs '^State:[[:space:]]*[RSD]' "/proc/$pid"/task/*/status && return; done; return 1; }
stop() {
  for look in $(seq 100); do
    kill -STOP $1 2>/dev/null
    runs "$1" || return
    sleep 0.01
  done
}
quiet=0 needed=1
[ -n "$starting" ] && needed=40
for attempt in $(seq 400); do
  pids=$(living | sort -u)
  if [ -z "$pids" ]; then
    quiet=$((quiet + 1))
    [ "$quiet" -ge "$needed" ] && break
    sleep 0.05
    continue
  fi
  for look in $(seq 100); do
    stop "$pids"
    more=$(living | sort -u)
    [ "$more" = "$pids" ] && break
    pids=$more
  done
  kill -KILL $pids 2>/dev/null
  sleep 0.01
done
for entry in $known; do rm -f "/dev/shm/faketime_shm_\${entry%:*}" "/dev/shm/sem.faketime_sem_\${entry%:*}"; done
[ -z "$folder" ] && exit
for attempt in $(seq 100); do
  rm -rf "$folder"
  [ -e "$folder" ] || break
  sleep 0.05
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

  /** Says that a process is about to start, and later that it has started, or could not. */
  expect(what: 'starting' | 'started'): void {
    this.say(what);
  }

  /** Reports a process to the guard. */
  watch(pid: number, startTime: string): void {
    this.say(`${pid}:${startTime}`);
  }

  /** A short text is in the pipe when this returns: it does not get lost if culprit ends now. */
  private say(line: string): void {
    this.shell.stdin?.write(`${line}\n`);
  }

  /** Ends the guard: nothing is left of the session. */
  end(): void {
    this.say('over');
    this.shell.stdin?.end();
  }
}
