import type { Target } from '../kernel/ports.ts';
import { Simulation } from '../kernel/simulation.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** Opens sessions of a system, with processes of any host. */
export const targetOf = ({ declaration }: ResolvedSystem): Target => ({
  open: (seed, isTrusted) => Simulation.open(declaration, seed, isTrusted),
});
