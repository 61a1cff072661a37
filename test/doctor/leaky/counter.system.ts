import { behavior, defineSystem } from 'culprit';

let started = 0;

const counter = behavior({
  start: () => ({ number: ++started }),
  receive() {},
});

export default defineSystem({ processes: { counter }, invariants: { any: () => true } });
