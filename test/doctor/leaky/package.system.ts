import { behavior, defineSystem } from 'culprit';
import { nat, noBias, sample } from 'fast-check';

const dice = behavior({
  start: () => ({ eyes: sample(noBias(nat()), 1)[0] }),
  receive() {},
});

export default defineSystem({ processes: { dice }, invariants: { any: () => true } });
