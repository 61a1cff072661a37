import type { Target } from '../../kernel/ports.ts';
import { Simulation } from '../../kernel/simulation.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';

/** The host for actors: behaviors in memory. */
export const actors = ({ declaration }: ResolvedSystem): Target => ({
  open: (seed, isTrusted) => Simulation.open(declaration, seed, isTrusted),
});
