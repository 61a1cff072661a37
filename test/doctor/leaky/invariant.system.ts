import { behavior, defineSystem } from 'culprit';

const idle = behavior({ start: () => ({}), receive() {} });

export default defineSystem({
  processes: { idle },
  invariants: {
    moody: (world) => world.length === 0 || `it is ${performance.now()}`,
  },
});
