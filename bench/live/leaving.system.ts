import { defineSystem, send } from 'culprit';
import { command, stdio } from 'culprit/live';

/** The command lines of all processes of these programs have this word, so that the bench finds them. */
const tag = process.env['LEFTOVER_TAG'] ?? '1000.0';

/** The grandchild starts processes all the time, which do not end by themselves. */
const GRANDCHILD = 'while :; do sleep "$0" & sleep 0.05; done';

/** A program with a grandchild that leaves its group; `how` may clear the environment of the grandchild. */
const program = (how: string) =>
  command(['/bin/sh', '-c', `setsid ${how} /bin/sh -c '${GRANDCHILD}' "$0" & cat > /dev/null`, tag], {
    connect: stdio(),
  });

export default defineSystem({
  processes: { marked: program('env'), unmarked: program('env -i') },
  pace: { roundMs: 10, quietMs: 50 },
  workload: [send('marked', 1), send('unmarked', 2)],
});
