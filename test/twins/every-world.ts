import { start } from 'culprit';
import { Simulation, type Declaration, type Session } from 'culprit/kernel';
import { hex, type External, type Internal } from 'culprit/trace';
import type { Script } from './every-execution.ts';

/** The reachable worlds by digest, with the position of each script. */
export interface Reachable {
  readonly worlds: Set<string>;
  /** Those without an enabled event. */
  readonly ends: Set<string>;
}

interface Node {
  readonly session: Session;
  /** For each script, its next item. */
  readonly at: readonly number[];
}

/**
 * Takes every possible step in every world: events of processes, the next items of scripts without waits, and every
 * fault within the budgets. Undefined if there are more worlds than this many.
 */
export function everyWorld(
  declaration: Declaration,
  scripts: readonly Script[],
  worldsMax: number,
): Reachable | undefined {
  const worlds = new Set<string>();
  const ends = new Set<string>();
  const session = Simulation.open(declaration, 0);
  for (const name of declaration.processes.keys()) void session.perform(start(name));
  const left: Node[] = [{ session, at: scripts.map(() => 0) }];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const name = nameOf(node.session, node.at);
    if (worlds.has(name)) continue;
    worlds.add(name);
    if (worlds.size > worldsMax) return undefined;
    const own = [...node.session.enabled.map((event) => after(node, event)), ...scripted(node, scripts)];
    if (own.length === 0) ends.add(name);
    left.push(...own, ...node.session.faults().map((fault) => after(node, fault)));
  }
  return { worlds, ends };
}

const nameOf = (session: Session, at: readonly number[]): string => `${hex(session.worldDigest(false))} ${at.join()}`;

const scripted = (node: Node, scripts: readonly Script[]): Node[] =>
  scripts.flatMap(({ items }, script) => {
    const next = items[node.at[script] as number] as External | undefined;
    if (next === undefined || node.session.refusal(next) !== undefined) return [];
    return [{ ...after(node, next), at: node.at.with(script, (node.at[script] as number) + 1) }];
  });

function after({ session, at }: Node, step: Internal | External): Node {
  const copy = (session.fork as () => Session)();
  void copy.perform(step);
  return { session: copy, at };
}
