import { behavior, defineSystem, send } from 'culprit';

const sleeper = behavior<{ slept: number }, 'sleep'>({
  start: () => ({ slept: 0 }),
  async receive(state) {
    await new Promise((wake) => setTimeout(wake, 1));
    state.slept += 1;
  },
});

export default defineSystem({
  processes: { sleeper },
  workload: [send('sleeper', 'sleep')],
  invariants: { any: () => true },
});
