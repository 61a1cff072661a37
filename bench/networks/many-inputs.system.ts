import { controller, defineNetwork, linear, noBlackholes } from 'culprit/networks';
import { learningControllers } from './learning-controllers.ts';

const UNRELATED = 3;

/** Many inputs of which three matter: h1 sends, moves, and h2 sends to its old place. */
export default defineNetwork({
  controllers: { c1: controller(learningControllers['ovs-testcontroller'] ?? []) },
  topology: linear(4),
  migrations: true,
  traffic: (net) => {
    const unrelated = Array.from({ length: UNRELATED }, () => [net.ping('h3', 'h4'), net.ping('h4', 'h3')]).flat();
    return [net.ping('h1', 'h2'), unrelated, net.migrate('h1', 's2'), unrelated, net.ping('h2', 'h1')];
  },
  pace: { quietMs: 400 },
  invariants: { blackholes: noBlackholes({ persist: 3 }) },
});
