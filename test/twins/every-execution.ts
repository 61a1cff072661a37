import { start } from 'culprit';
import { Simulation, type Declaration, type PlanItem, type Session, type Wait } from 'culprit/kernel';
import { hex, type External, type Internal } from 'culprit/trace';

/** Externals in order, at their own pace. */
export interface Script {
  readonly name: string;
  readonly items: readonly PlanItem[];
  /** Whether it continues with the next item if one is impossible. */
  readonly passesOver?: boolean;
}

/** The ends of executions: their names up to the order of independent events, and their worlds. */
export interface Ends {
  readonly names: Set<string>;
  readonly worlds: Set<string>;
}

interface Node {
  readonly session: Session;
  readonly taken: readonly (Internal | External)[];
  /** For each script, its next item, and the number of events at its last one. */
  readonly scripts: readonly { readonly at: number; readonly since: number }[];
}

/**
 * Takes every possible step in every configuration, level by level, without regard to independence. Undefined if there
 * are more than this many.
 */
export async function everyExecution(
  declaration: Declaration,
  scripts: readonly Script[],
  nodesMax: number,
): Promise<Ends | undefined> {
  const names = new Set<string>();
  const worlds = new Set<string>();
  const root = await replayed(declaration, []);
  const since = root.world.length;
  let level: Node[] = [{ session: root, taken: [], scripts: scripts.map(() => ({ at: 0, since })) }];
  for (let nodes = 0; level.length > 0;) {
    const next = new Map<string, Node>();
    for (const node of level) {
      const children = await childrenOf(node, declaration, scripts);
      for (const one of children) next.set(configuration(one), one);
      if (children.length > 0) continue;
      names.add(hex(node.session.name()));
      worlds.add(hex(node.session.worldDigest()));
    }
    level = [...next.values()];
    nodes += level.length;
    if (nodes > nodesMax) return undefined;
  }
  return { names, worlds };
}

const configuration = ({ session, scripts }: Node): string =>
  hex(session.name()) + scripts.map(({ at, since }) => ` ${at} ${since}`).join('');

async function childrenOf(node: Node, declaration: Declaration, scripts: readonly Script[]): Promise<Node[]> {
  const children: Node[] = [];
  for (const event of node.session.enabled.slice()) children.push(await child(node, declaration, event));
  for (const [script, { items, passesOver }] of scripts.entries()) {
    const { at, since } = node.scripts[script] as Node['scripts'][number];
    let next = at;
    const isPassed = (one: PlanItem): boolean =>
      one.kind === 'until'
        ? isOver(one, since, node.session)
        : passesOver === true && node.session.refusal(one) !== undefined;
    while (next < items.length && isPassed(items[next] as PlanItem)) next += 1;
    const item = items[next];
    if (item === undefined || item.kind === 'until' || node.session.refusal(item) !== undefined) continue;
    const after = await child(node, declaration, item);
    const progress = { at: next + 1, since: after.session.world.length };
    children.push({ ...after, scripts: node.scripts.with(script, progress) });
  }
  return children;
}

async function child(node: Node, declaration: Declaration, step: Internal | External): Promise<Node> {
  const session = node.session.fork?.() ?? (await replayed(declaration, node.taken));
  await session.perform(step);
  return { ...node, session, taken: [...node.taken, step] };
}

async function replayed(declaration: Declaration, steps: readonly (Internal | External)[]): Promise<Session> {
  const session = Simulation.open(declaration, 0);
  for (const name of declaration.processes.keys()) await session.perform(start(name));
  for (const step of steps) await session.perform(step);
  return session;
}

function isOver(wait: Wait, since: number, { enabled, world, recording }: Session): boolean {
  if (wait.awaits === 'world') return wait.holds(world);
  if (wait.awaits === 'round') return true;
  if (wait.awaits === 'quiet') return !enabled.some(({ kind }) => kind !== 'fire');
  return recording.events.since(since).filter(({ kind }) => kind === 'deliver').length >= wait.count;
}
