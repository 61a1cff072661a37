import type { Rules } from './minimize/rules.ts';
import type { ResolvedSystem } from './targets/actors/resolve.ts';
import type { External } from './trace/event.ts';

/** What a system says about how an execution of it, made with this seed, may be made smaller. */
export function rulesOf(system: ResolvedSystem, seed: number): Rules {
  const { hints } = system;
  const drawn = system.shrinking(seed);
  const natures = naturesOf(system, seed);
  return {
    keeps: hints.keeps,
    atom: hints.atom,
    *shrink(external): Generator<External> {
      yield* hints.shrink(external);
      yield* drawn.simplerThan(external);
    },
    processes: [...natures.keys()],
    peers: peersIn(natures),
  };
}

/** By name, in the order of their declaration: the behaviour of a process, or the kind that it is started as. */
function naturesOf(system: ResolvedSystem, seed: number): ReadonlyMap<string, unknown> {
  const joining = system
    .plan(seed)
    .items.flatMap((item): [string, unknown][] =>
      item.kind === 'start' && item.of !== undefined ? [[item.process, item.of]] : [],
    );
  return new Map([...joining, ...system.declaration.processes]);
}

/** The names of processes that behave alike. */
function peersIn(natures: ReadonlyMap<string, unknown>): string[][] {
  const groups = new Map<unknown, string[]>();
  for (const [name, nature] of natures) groups.set(nature, [...(groups.get(nature) ?? []), name]);
  return [...groups.values()].filter((names) => names.length > 1);
}
