import { behavior, defineSystem, send } from 'culprit';

/** The time, as soon as it changes: two executions never get the same. */
function stamp(): number {
  const before = Date.now();
  while (Date.now() === before);
  return Date.now();
}

const log = behavior<{ at: number[] }, 'note'>({
  start: () => ({ at: [] }),
  receive(state) {
    state.at.push(stamp());
  },
});

export default defineSystem({ processes: { log }, workload: [send('log', 'note')], invariants: { any: () => true } });
