import { delay, lose, until, untilQuiet } from 'culprit';
import type { World } from 'culprit/kernel';
import { controllersAlive, mesh, noBlackholes, onLink } from 'culprit/networks';
import { areProbed } from '../base/frames.ts';
import { lasting, studySystem } from '../study.ts';

const [isFrame, isProbe] = [onLink('s2', 's1', 'data'), onLink('s2', 's1', 'discovery')];

/** Discovery probes a port once in this time, at pace 1. */
const CYCLE_MS = 5_000;

/** A packet is in flight from s2 to s1, and a probe behind it. */
const probeFollows = ({ pending }: World): boolean => pending.some(isFrame) && pending.some(isProbe);

const hasLanded = ({ pending }: World): boolean => !pending.some(isFrame);

/** A controller that learns where a station is from a packet on a link. */
export default studySystem(
  100,
  (parameters) => {
    const cycles = (count: number): number => (count * CYCLE_MS) / parameters.pace;
    return {
      controllers: { c1: { app: 'paths', bug: 'inflight' } },
      topology: mesh(2),
      traffic: { pings: 0.2, udp: 0.1 },
      faults: { linkFailure: 0.02, linkRecovery: 0.2, discoveryLoss: 0.1, frameDelay: 0.05, discoveryDelay: 0.05 },
      // The first packet arrives after about two cycles, and the probe of s2 with it; then the probe of s1; then the second packet.
      scriptTriggers: [
        { before: isProbe, do: lose() },
        { before: onLink('s1', 's2', 'discovery'), do: delay(cycles(1.95)) },
        { before: isFrame, do: delay(cycles(1.6)) },
        { before: isFrame, do: delay(cycles(0.75)) },
      ],
      script: (net) => [
        until(areProbed, { name: 'all ports are probed' }),
        net.ping('h2', 'h1'),
        until(probeFollows, { name: 'a probe follows the packet' }),
        net.ping('h2', 'h1'),
        until(hasLanded, { name: 'both packets have arrived' }),
        untilQuiet(),
        net.ping('h1', 'h2'),
      ],
      invariants: { blackholes: noBlackholes(lasting(parameters)), alive: controllersAlive() },
    };
  },
  // Packets and probes come in the order of the script also on a busy machine.
  { pace: 3 },
);
