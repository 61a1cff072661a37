import { everyMessageIsOurs } from '../kernel/guarantees.ts';
import type { Event, External } from '../trace/event.ts';
import type { Peers } from './passes/name-order.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Violated } from '../trace/verdict.ts';

/** The rules of a system for minimizing its executions. */
export interface Rules {
  /** Whether an event must not be dropped. */
  readonly keeps: (event: Event) => boolean;
  /** The name of a group; externals with the same name are kept or dropped together. */
  readonly atom: (event: Event) => string | undefined;
  /** The name of the thing that fails by an external, or recovers by it, where the system says so. */
  readonly fails: (event: Event | External) => string | undefined;
  readonly recovers: (event: Event | External) => string | undefined;
  /** Simpler externals to try instead, the simplest first. */
  readonly shrink: (external: External) => Iterable<External>;
  /** The logical clock of a message; undefined if the system does not declare one. */
  readonly clock: ((message: unknown) => number | undefined) | undefined;
  /** The declared processes. */
  readonly processes: readonly string[];
  /** Groups of processes with the same behavior. */
  readonly peers: readonly Peers[];
}

/** The rules for minimizing an execution of this system with this seed. */
export function rulesOf(system: ResolvedSystem, seed: number, violation: Violated): Rules {
  const { hints } = system;
  const drawn = system.shrinking(seed);
  const natures = behaviorsOf(system, seed);
  return {
    keeps: isOfProgress(system, violation) ? (event) => isStart(event, system) || hints.keeps(event) : hints.keeps,
    atom: hints.atom,
    fails: hints.fails,
    recovers: hints.recovers,
    clock: hints.clock,
    *shrink(external): Generator<External> {
      yield* hints.shrink(external);
      yield* drawn.simplerThan(external);
    },
    processes: [...natures.keys()],
    peers: peersIn(natures),
  };
}

/** Whether a replay leaves messages pending that its schedule does not have. */
export const holdsMessages = ({ waiting, declaration }: ResolvedSystem): boolean =>
  waiting?.unexpected === 'hold' && everyMessageIsOurs(declaration);

const isOfProgress = ({ oracles }: ResolvedSystem, { oracle }: Violated): boolean =>
  oracles.get(oracle)?.fairRounds !== undefined;

/**
 * For violations of progress: a system makes no progress without its declared processes, so starts and restarts stay. A
 * restart goes with the crash before it, because it is refused otherwise.
 */
const isStart = ({ kind, process }: Event, { declaration }: ResolvedSystem): boolean =>
  kind === 'restart' || (kind === 'start' && declaration.processes.has(process));

/** By name, in the order of declaration: the behavior of a process, or the kind that it is started as. */
function behaviorsOf(system: ResolvedSystem, seed: number): ReadonlyMap<string, unknown> {
  const joining = system
    .plan(seed)
    .items.flatMap((item): [string, unknown][] =>
      item.kind === 'start' && item.of !== undefined ? [[item.process, item.of]] : [],
    );
  return new Map([...joining, ...system.declaration.processes]);
}

/** Groups of processes with the same behavior. */
function peersIn(natures: ReadonlyMap<string, unknown>): string[][] {
  const groups = new Map<unknown, string[]>();
  for (const [name, nature] of natures) {
    const group = groups.get(nature);
    if (group === undefined) groups.set(nature, [name]);
    else group.push(name);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}

/** The rules of executions of which nothing is declared. */
export const noRules: Rules = {
  keeps: () => false,
  atom: () => undefined,
  fails: () => undefined,
  recovers: () => undefined,
  shrink: () => [],
  clock: undefined,
  processes: [],
  peers: [],
};
