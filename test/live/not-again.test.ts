import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { culprit, folderWith } from '../cli/culprit.ts';

/** Answers wrongly once for all executions: what it notes lies outside of its folder. */
const program = `
while read -r line; do
  if [ -e "$1/was-here" ]; then message=right; else message=wrong; fi
  echo "{\\"to\\": \\"peer\\", \\"message\\": \\"$message\\"}"
  : > "$1/was-here"
done
`;

const system = `
  import { behavior, defineSystem, send } from 'culprit';
  import { command, stdio } from 'culprit/live';
  const folder = import.meta.dirname;
  export default defineSystem({
    processes: {
      node: command(['/bin/sh', folder + '/program.sh', folder], { connect: stdio() }),
      peer: behavior({ start: () => ({ got: [] }), receive: (state, message) => void state.got.push(message) }),
    },
    pace: { roundMs: 5, quietMs: 20 },
    workload: [send('node', 1)],
    invariants: { right: (world) => world.process('peer').state?.got.includes('wrong') !== true },
  });
`;

test('a violation of a program that does not happen again: exit code 3, with the rate and what to try', () => {
  const folder = folderWith({ 'a.system.mjs': system, 'program.sh': program });
  const found = culprit(folder, 'hunt', 'a.system.mjs', '--no-control', '--no-minimize');
  expect(found.code).toBe(1);
  const trace = `.culprit/${readdirSync(`${folder}/.culprit`)[0] ?? ''}`;
  const replayed = culprit(folder, 'replay', trace, '--replays', '2');
  expect(replayed.code).toBe(3);
  expect(replayed.out).toContain('reproduced in 0 of 2 replays (0–84 %)');
  expect(replayed.out).toContain('next      Replay it more often (culprit replay --replays 100), record it again');
  expect(replayed.out).toContain('such as a file outside $dir.');
  const minimized = culprit(folder, 'minimize', trace);
  expect(minimized.code).toBe(3);
  expect(minimized.err).toContain('did not happen in 20 replays, a rate of 0–17 %, so that nothing can be minimized.');
  expect(minimized.err).toContain('such as a file outside $dir.');
});
