import type { Action } from '../kernel/declaration.ts';
import type { Invariant, Sampled } from '../system/invariant.ts';
import type { FaultRates } from '../system/fault-rates.ts';
import type { PlanItem, Trigger } from '../system/workload.ts';
import type { World } from '../kernel/world.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** Wraps a function of the system that observes a world. `who` is the name of the function for messages. */
export type Around = <A extends readonly unknown[], R>(who: string, look: (...args: A) => R) => (...args: A) => R;

/** The same system, with a wrapper around each function that observes worlds or events, handlers excepted. */
export function withWrappedCallbacks(system: ResolvedSystem, around: Around): ResolvedSystem {
  const { declaration, invariants, sometimes } = system;
  const actions = mapped(declaration.actions, (name, action): Action => around(`the action ${name}`, action));
  return {
    ...system,
    declaration: { ...declaration, actions },
    invariants: mapped(invariants, (name, invariant) => withInvariant(invariant, `the invariant ${name}`, around)),
    sometimes: mapped(sometimes, (name, mark) => around(`the mark ${name}`, mark)),
    plan(seed) {
      const plan = around('the workload', () => system.plan(seed))();
      return {
        ...plan,
        items: plan.items.map((item) => withItem(item, around)),
        triggers: plan.triggers.map((trigger) => withTrigger(trigger, around)),
        ...(plan.faultRates === undefined ? {} : { faultRates: withRates(plan.faultRates, around) }),
      };
    },
  };
}

const mapped = <V>(from: ReadonlyMap<string, V>, map: (name: string, value: V) => V): ReadonlyMap<string, V> =>
  new Map([...from].map(([name, value]) => [name, map(name, value)]));

type AskedCallback = Invariant<World> | Sampled<World>;

const withInvariant = (invariant: AskedCallback, who: string, around: Around): AskedCallback =>
  typeof invariant === 'function'
    ? around(who, invariant)
    : { every: invariant.every, holds: around(who, invariant.holds) };

const withItem = (item: PlanItem, around: Around): PlanItem =>
  item.kind === 'until' && item.awaits === 'world' ? { ...item, holds: around('an until(…)', item.holds) } : item;

const withRates = ({ losses, holds, writes }: FaultRates, around: Around): FaultRates => ({
  ...(losses === undefined ? {} : { losses: { ...losses, rate: around('faultRates.losses', losses.rate) } }),
  ...(holds === undefined ? {} : { holds: { ...holds, rate: around('faultRates.holds', holds.rate) } }),
  ...(writes === undefined ? {} : { writes: around('faultRates.writes', writes) }),
});

const withTrigger = (trigger: Trigger, around: Around): Trigger =>
  trigger.before === undefined
    ? { ...trigger, after: around('a trigger', trigger.after) }
    : { ...trigger, before: around('a trigger', trigger.before) };
