import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import type { ClientState } from '../client.ts';
import type { ControlState } from '../control.ts';
import { CONTROL } from '../protocol/names.ts';
import { verdictOn } from './problem.ts';

const ORACLE = 'protocol';

/**
 * Nodes must follow the protocol: answer `init`, write to nodes that exist, and give the answers that the workload allows. `nodes`
 * are those whose answer to `init` is an event; that of a program is awaited by its start.
 */
export const followsProtocol = (nodes: readonly string[], clients: readonly string[]): Oracle => ({
  judge: (world) => broken(world, clients),
  end(world, quiet): Verdict {
    const verdict = broken(world, clients);
    if (verdict.kind !== 'holds') return verdict;
    const silent = nodes.find((node) => world.process(node).up && initializedIn(world)[node] === undefined);
    if (silent === undefined) return HOLDS;
    if (!quiet) return { kind: 'unknown', why: `${silent} had not answered init when the execution ended` };
    return verdictOn(ORACLE, {
      kind: 'no init_ok',
      message: `${silent} did not answer init`,
      processes: [silent],
    });
  },
});

function broken(world: World, clients: readonly string[]): Verdict {
  for (const name of [CONTROL, ...clients]) {
    const state = world.process(name).state as ControlState | ClientState | undefined;
    const problem = state?.problems[0];
    if (problem === undefined) continue;
    const { node, text, kind } = problem;
    return verdictOn(ORACLE, { kind, message: `${node} ${text}`, processes: [node] });
  }
  return HOLDS;
}

const initializedIn = (world: World): ControlState['initialized'] =>
  (world.process(CONTROL).state as ControlState | undefined)?.initialized ?? {};
