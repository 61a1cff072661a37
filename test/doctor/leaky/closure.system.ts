import { behavior, defineSystem, send } from 'culprit';

/** The number lives in the closure, not in the state: all executions share it. */
function numbering() {
  let next = 0;
  return behavior<{ given: number[] }, 'next'>({
    start: () => ({ given: [] }),
    receive(state) {
      state.given.push(next++);
    },
  });
}

export default defineSystem({ of: 1 }, ({ of }) =>
  defineSystem({
    processes: { numbers: numbering() },
    workload: Array.from({ length: of }, () => send('numbers', 'next')),
    invariants: { any: () => true },
  }),
);
