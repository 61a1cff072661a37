import { behavior, defineSystem } from 'culprit';

const dice = behavior({
  start: () => ({ eyes: 1 + Math.floor(Math.random() * 1e9) }),
  receive() {},
});

export default defineSystem({ processes: { dice }, invariants: { any: () => true } });
