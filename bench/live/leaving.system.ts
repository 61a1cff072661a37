import { defineSystem, send } from 'culprit';
import { command, stdio } from 'culprit/live';

/** Each word of the command line of these programs has the tag, so that the bench finds them. */
const tag = process.env['LEFTOVER_TAG'] ?? 'untagged';

/** A program with a grandchild that leaves its group; `how` may clear the environment of the grandchild. */
const program = (how: string) =>
  command(['/bin/sh', '-c', `setsid ${how} /bin/sh -c 'while :; do sleep 1000; done' "$0" & cat > /dev/null`, tag], {
    connect: stdio(),
  });

export default defineSystem({
  processes: { marked: program('env'), unmarked: program('env -i') },
  pace: { roundMs: 10, quietMs: 50 },
  workload: [send('marked', 1), send('unmarked', 2)],
});
