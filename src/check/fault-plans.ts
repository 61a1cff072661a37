import { cut, heal, crash, restart } from '../system/externals.ts';
import type { Declaration, Faults } from '../kernel/declaration.ts';
import { cuttableLinks } from '../kernel/faults.ts';
import { linkKey } from '../kernel/network/rules.ts';
import type { PlanItem } from '../system/workload.ts';
import type { External, Link } from '../trace/event.ts';
import type { EnvironmentProgram } from '../schedule/environment-program.ts';

/** The faults of an execution, but not their times: one thread for each process or link with faults. */
export interface FaultPlan {
  readonly threads: readonly EnvironmentProgram[];
  readonly crashes: number;
  readonly restarts: number;
  readonly partitions: number;
}

/** The name of the thread of a process's crashes and restarts. */
const faultsOf = (process: string): string => `faults of ${process}`;

/** Tells which processes a workload may crash or restart. The effects of actions are unknown. */
export const disturbedBy =
  (items: readonly PlanItem[]) =>
  (process: string): boolean =>
    items.some(
      (item) => item.kind === 'act' || ((item.kind === 'crash' || item.kind === 'restart') && item.process === process),
    );

/** The links and lanes that a workload cuts, and how often. The effects of actions are unknown. */
export function cutsIn(items: readonly PlanItem[], all: readonly CuttableLink[]): ReadonlyMap<string, number> {
  const cuts = new Map<string, number>();
  for (const item of items) {
    if (item.kind !== 'cut') continue;
    const links: readonly Link[] = item.links.length > 0 ? item.links : all.filter(([, , lane]) => lane === undefined);
    for (const key of new Set(links.map(keyOf))) cuts.set(key, (cuts.get(key) ?? 0) + 1);
  }
  return cuts;
}

/** Equal for both directions. */
const keyOf = ([from, to, lane]: Link): string => linkKey(from, to, lane);

/**
 * Every way to spend at most the budgets, the fewest faults first. In each plan, all its faults happen sooner or later:
 * so executions of different plans are never equal, and a search need not distinguish a fault that has not happened yet
 * from none. Losses and duplicates are not planned, because only executions tell which messages exist. If the workload
 * crashes or restarts a process as well, the process is disturbed, and its crashes and restarts need not alternate. The
 * environment heals links that the workload cut, too.
 */
export function faultPlans(
  processes: readonly string[],
  links: readonly CuttableLink[],
  budget: Pick<Faults, 'crashes' | 'restarts' | 'partitions'>,
  isDisturbed: (process: string) => boolean,
  /** The cuts of the workload, by link. */
  others: ReadonlyMap<string, number>,
): FaultPlan[] {
  let plans: FaultPlan[] = [{ threads: [], crashes: 0, restarts: 0, partitions: 0 }];
  for (const process of processes)
    plans = plans.flatMap((plan) => withCrashes(plan, process, budget, isDisturbed(process)));
  for (const link of links) {
    const count = budget.partitions > 0 ? (others.get(keyOf(link)) ?? 0) : 0;
    plans = plans.flatMap((plan) =>
      count > 0 ? withCutsAmongOthers(plan, link, budget.partitions, count) : withCuts(plan, link, budget.partitions),
    );
  }
  if (budget.partitions > 0) plans = plans.flatMap((plan) => withHeals(plan, links, others));
  return plans.toSorted((a, b) => sizeOf(a) - sizeOf(b));
}

type CuttableLink = NonNullable<ReturnType<typeof cuttableLinks>>[number];

/** The links and lanes that a plan may cut: the declared ones, or every pair of processes. */
export const linksOf = (declaration: Pick<Declaration, 'processes' | 'links'>): readonly CuttableLink[] =>
  cuttableLinks(declaration) ??
  [...declaration.processes.keys()].flatMap((one, at, all) => all.slice(at + 1).map((other) => [one, other] as const));

/**
 * Whether a plan represents all plans that differ only in which of some interchangeable processes the faults happen to: in
 * each group, an earlier process has at least as many faults as a later one.
 */
export const isRepresentative = ({ threads }: FaultPlan, groups: readonly (readonly string[])[]): boolean => {
  const faults = (process: string | undefined): number =>
    process === undefined
      ? Number.POSITIVE_INFINITY
      : (threads.find(({ name }) => name === faultsOf(process))?.items.length ?? 0);
  return groups.every((group) => group.every((process, at) => faults(group[at - 1]) >= faults(process)));
};

/** The plans that no other plan extends: executions of the others are prefixes of executions of these. */
export const largestPlans = (plans: readonly FaultPlan[]): FaultPlan[] =>
  plans.filter((plan) => !plans.some((other) => other !== plan && beginsAs(other, plan)));

const beginsAs = (longer: FaultPlan, shorter: FaultPlan): boolean =>
  shorter.threads.every(({ name, items }) =>
    longer.threads.some(
      (thread) => thread.name === name && items.every(({ kind }, at) => thread.items[at]?.kind === kind),
    ),
  );

const sizeOf = ({ crashes, restarts, partitions }: FaultPlan): number => crashes + restarts + partitions;

/** The plan, extended in every way by crashes and restarts of this process within the budget. */
function withCrashes(
  plan: FaultPlan,
  process: string,
  budget: Pick<Faults, 'crashes' | 'restarts'>,
  isDisturbed: boolean,
): FaultPlan[] {
  const extensions = ({ crashes, restarts }: FaultPlan, items: readonly External[]): FaultPlan[] => {
    const isDown = items.at(-1)?.kind === 'crash';
    const then = (item: External, spent: Pick<FaultPlan, 'crashes' | 'restarts'>): FaultPlan[] => {
      const longer = withThread({ ...plan, ...spent }, faultsOf(process), [...items, item]);
      return [longer, ...extensions(longer, [...items, item])];
    };
    return [
      ...(crashes < budget.crashes && (!isDown || isDisturbed)
        ? then(crash(process), { crashes: crashes + 1, restarts })
        : []),
      ...(restarts < budget.restarts && (isDown || isDisturbed)
        ? then(restart(process), { crashes, restarts: restarts + 1 })
        : []),
    ];
  };
  return [plan, ...extensions(plan, [])];
}

/** Healing is free, but is a separate step: a link may stay cut. */
function withCuts(plan: FaultPlan, link: CuttableLink, budget: number): FaultPlan[] {
  const [one, other, lane] = link;
  const plans = [plan];
  const items: External[] = [];
  const of = lane === undefined ? {} : { lane };
  for (let { partitions } = plan; partitions < budget;) {
    items.push(cut(one, other, of));
    plans.push(withThread({ ...plan, partitions: ++partitions }, nameOf(link), items));
    items.push(heal(one, other, of));
    plans.push(withThread({ ...plan, partitions }, nameOf(link), items));
  }
  return plans;
}

/** If the workload cuts the link as well, cuts and heals need not alternate, and each of its cuts (`others`) may be healed. */
function withCutsAmongOthers(plan: FaultPlan, link: CuttableLink, budget: number, others: number): FaultPlan[] {
  const [one, other, lane] = link;
  const of = lane === undefined ? {} : { lane };
  const extensions = (partitions: number, heals: number, items: readonly External[]): FaultPlan[] => {
    const cuts = partitions - plan.partitions;
    const then = (item: External, spent: number, healed: number): FaultPlan[] => {
      const longer = [...items, item];
      const extended = withThread({ ...plan, partitions: spent }, nameOf(link), longer);
      return [extended, ...extensions(spent, healed, longer)];
    };
    return [
      ...(partitions < budget ? then(cut(one, other, of), partitions + 1, heals) : []),
      ...(heals < cuts + others ? then(heal(one, other, of), partitions, heals + 1) : []),
    ];
  };
  return [plan, ...extensions(plan.partitions, 0, [])];
}

/** The environment heals every link that is cut, also one that it may not cut itself. */
function withHeals(plan: FaultPlan, links: readonly CuttableLink[], others: ReadonlyMap<string, number>): FaultPlan[] {
  const known = new Set(links.map(keyOf));
  let plans = [plan];
  for (const [key, count] of others) {
    if (known.has(key)) continue;
    const link = JSON.parse(key) as CuttableLink;
    // With no budget of its own it is never cut.
    plans = plans.flatMap((one) => withCutsAmongOthers(one, link, one.partitions, count));
  }
  return plans;
}

const nameOf = ([one, other, lane]: CuttableLink): string =>
  lane === undefined ? `link ${one} ${other}` : `lane ${one} ${other} ${lane}`;

const withThread = (plan: FaultPlan, name: string, items: readonly External[]): FaultPlan => ({
  ...plan,
  threads: [...plan.threads, { name, items: items.slice() }],
});
