import { behaviour, defineSystem } from 'culprit';

let started = 0;

const counter = behaviour({
  start: () => ({ number: ++started }),
  receive() {},
});

export default defineSystem({ processes: { counter }, invariants: { any: () => true } });
