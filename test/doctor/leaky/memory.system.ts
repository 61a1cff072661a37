import { behavior, defineSystem } from 'culprit';

const kept: number[][] = [];

const greedy = behavior({
  start() {
    kept.push(Array.from({ length: 10_000 }, () => 1));
    return { used: process.memoryUsage().heapUsed };
  },
  receive() {},
});

export default defineSystem({ processes: { greedy }, invariants: { any: () => true } });
