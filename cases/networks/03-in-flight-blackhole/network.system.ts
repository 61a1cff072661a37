import { until } from 'culprit';
import { controllersAlive, mesh, noBlackholes } from 'culprit/networks';
import { frameIn, isProbe } from '../base/frames.ts';
import { lasting, studySystem } from '../study.ts';

/** Until then, no probe arrives. */
const FIRST_MS = 2_000;

/** How long the script delays a frame: ten rounds. */
const SLOW_MS = 1_000;

/** A controller that learns where a station is from a packet on a link. */
export default studySystem(
  100,
  (parameters) => ({
    controllers: { c1: { app: 'paths', bug: 'inflight' } },
    topology: mesh(2),
    traffic: { pings: 0.2, udp: 0.1 },
    faults: { linkFailure: 0.02, linkRecovery: 0.2, discoveryLoss: 0.1, frameDelay: 0.05, discoveryDelay: 0.05 },
    // Frames from s2 to s1 take ten rounds. Two copies of a ping and a probe between them are in flight when the link is found.
    script: (net) => [
      until(({ last }) => (last?.atMs ?? 0) >= FIRST_MS),
      net.ping('h2', 'h1'),
      until(({ last }) => isProbe(last, 's1', 's2'), { name: 's2 gets a probe' }),
      net.ping('h2', 'h1'),
      until(() => false, { withinMs: SLOW_MS + FIRST_MS / 4 }),
      net.ping('h1', 'h2'),
    ],
    scriptLoses: (message) =>
      (isProbe(message, 's2', 's1') && message.sentMs < FIRST_MS) ||
      (isProbe(message, 's1', 's2') && message.sentMs < FIRST_MS + SLOW_MS + FIRST_MS / 4),
    scriptDelays: (message) => frameIn(message, 's2', 's1') !== undefined,
    invariants: { blackholes: noBlackholes(lasting(parameters)), alive: controllersAlive() },
  }),
  { pace: 5 },
);
