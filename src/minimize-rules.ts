import type { Rules } from './minimize/rules.ts';
import type { ResolvedSystem } from './targets/actors/resolve.ts';
import type { External } from './trace/event.ts';

/** What a system says about how an execution of it, made with this seed, may be made smaller. */
export function rulesOf(system: ResolvedSystem, seed: number): Rules {
  const { hints } = system;
  const drawn = system.shrinking(seed);
  return {
    keeps: hints.keeps,
    atom: hints.atom,
    *shrink(external): Generator<External> {
      yield* hints.shrink(external);
      yield* drawn.simplerThan(external);
    },
    processes: namesIn(system, seed),
  };
}

/** Those that are declared, and those that join. */
function namesIn(system: ResolvedSystem, seed: number): string[] {
  const { items } = system.plan(seed);
  const joining = items.flatMap((item) => (item.kind === 'start' && item.of !== undefined ? [item.process] : []));
  return [...joining, ...system.declaration.processes.keys()];
}
