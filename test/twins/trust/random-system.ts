import {
  crash,
  cut,
  defineSystem,
  heal,
  pause,
  restart,
  resume,
  send,
  stop,
  untilDeliveries,
  untilQuiet,
} from 'culprit';
import {
  defaultTransport,
  noFaults,
  type AnyBehavior,
  type DeclaredLink,
  type Faults,
  type PlanItem,
  type Transport,
  type World,
} from 'culprit/kernel';
import type { Oracle, System } from 'culprit';
import { actor, emptySink, type Message, type Sink } from './actor.ts';
import { Dice } from './dice.ts';
import { families, familyNames, type Family, type FamilyName } from './families.ts';
import { withHiddenState } from './hidden-state.ts';
import { LANES, Scriptwriter } from './scriptwriter.ts';
import { roleText, type Role } from './script.ts';
import { namesOf, testCalled, type State } from './shapes.ts';

/** A claim about all worlds: no process at this place has this property, with this count. */
interface Claim {
  readonly process: string;
  /** Undefined for any. */
  readonly n: number | undefined;
  readonly test: string | undefined;
}

export interface RandomSystem {
  readonly family: FamilyName;
  readonly seed: number;
  readonly roles: ReadonlyMap<string, Role>;
  readonly transport: Transport;
  /** Links and lanes with rules of their own. */
  readonly links: readonly DeclaredLink[] | undefined;
  readonly faults: Faults;
  readonly workload: readonly PlanItem[];
  readonly claims: readonly Claim[];
  readonly sink: Sink;
  /** Whether the states are objects that culprit cannot copy. */
  readonly isOpaque?: boolean;
}

const NAMES = ['a', 'b', 'c'];

/** The families take turns. */
export const familyOf = (seed: number): FamilyName => familyNames[seed % familyNames.length] as FamilyName;

export function randomSystem(seed: number): RandomSystem {
  const family = familyOf(seed);
  const made = families[family] as Family;
  const dice = new Dice(seed * 2_654_435 + 1);
  const names = NAMES.slice(0, made.few ? 2 : 2 + dice.below(2));
  const writer = new Scriptwriter(dice, made, names);
  const roles = new Map(
    [...names, ...(made.kinds.includes('spawn') ? ['worker'] : [])].map((name) => [name, writer.role(name)]),
  );
  return {
    family,
    seed,
    roles,
    transport: transportOf(dice),
    faults: faultsOf(made, dice),
    workload: workloadOf(made, dice, names),
    claims: made.hides ? [] : claimsOf(made, dice, names, writer.theme),
    links: made.lanes ? linksOf(dice, names) : undefined,
    sink: emptySink(),
  };
}

/** The system in the form that culprit takes, with one more oracle if given. */
export function systemOf(random: RandomSystem, oracle?: Oracle): System {
  const { roles, sink, transport, links, faults, workload, claims, isOpaque = false } = random;
  const process = (role: Role): AnyBehavior => (isOpaque ? withHiddenState(actor(role, sink)) : actor(role, sink));
  const behaviors = [...roles].map(([name, role]) => [name, process(role)] as const);
  const worker = behaviors.find(([name]) => name === 'worker')?.[1];
  return defineSystem({
    processes: Object.fromEntries(behaviors.filter(([name]) => name !== 'worker')),
    ...(worker === undefined ? {} : { kinds: { worker: () => worker } }),
    transport,
    ...(links === undefined ? {} : { links }),
    faults,
    workload: [...workload],
    invariants: Object.fromEntries(
      claims.map((claim, at) => [nameOf(claim, at), (world: World) => !isRefuted(claim, world)]),
    ),
    ...(oracle === undefined ? {} : { oracles: { oracle } }),
  });
}

/** The name of the first claim that a world refutes. */
export const refutedIn = ({ claims }: RandomSystem, world: World): string | undefined => {
  const at = claims.findIndex((claim) => isRefuted(claim, world));
  return at < 0 ? undefined : nameOf(claims[at] as Claim, at);
};

const nameOf = ({ process }: Claim, at: number): string => `claim${at}Of${process}`;

function isRefuted({ process, n, test }: Claim, world: World): boolean {
  const state = world.process(process).state as State | undefined;
  return (
    state !== undefined && (n ?? state.n) === state.n && (test === undefined || testCalled(test)(state, undefined))
  );
}

/** The whole system, for readers. */
export function systemText(random: RandomSystem): string[] {
  const { family, seed, roles, transport, links, faults, workload, claims } = random;
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return [
    `seed ${seed}, ${family}${random.isOpaque ? ', opaque' : ''}`,
    ...[...roles].flatMap(([name, role]) => [`process ${name}`, ...indented(roleText(role))]),
    `transport ${JSON.stringify(transport)}`,
    ...(links === undefined ? [] : [`links ${JSON.stringify(links)}`]),
    `faults ${JSON.stringify(faults)}`,
    'workload',
    ...indented(workload.map((item) => JSON.stringify(item))),
    ...claims.map(
      ({ process, n, test }) =>
        `never: ${process}${n === undefined ? '' : ` has n = ${n}`}${test === undefined ? '' : ` and ${test}`}`,
    ),
  ];
}

function transportOf(dice: Dice): Transport {
  if (dice.once(2)) return { ...defaultTransport, order: dice.pick(['fifo', 'unordered'] as const) };
  return {
    order: dice.pick(['fifo', 'unordered'] as const),
    toAbsent: dice.pick(['drop', 'keep', 'return'] as const),
    onCrash: { to: dice.pick(['drop', 'keep'] as const), from: dice.pick(['drop', 'keep'] as const) },
    onCut: dice.pick(['hold', 'drop'] as const),
  };
}

/** Every link, with its lanes or without; each rule is declared or left out. */
function linksOf(dice: Dice, names: readonly string[]): DeclaredLink[] {
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other): [string, string] => [one, other]));
  return pairs.flatMap((between) =>
    [undefined, ...LANES].flatMap((lane) =>
      dice.once(3) ? [] : [{ between, ...(lane && { lane }), ...rulesOf(dice) }],
    ),
  );
}

const rulesOf = (dice: Dice): Partial<DeclaredLink> => ({
  ...(dice.once(2) ? {} : { order: dice.pick(['fifo', 'unordered'] as const) }),
  ...(dice.once(2) ? {} : { onCut: dice.pick(['hold', 'drop'] as const) }),
  ...(dice.once(4) ? { losses: false } : {}),
  ...(dice.once(4) ? { duplicates: false } : {}),
  ...(dice.once(3) ? { partitions: false } : {}),
});

/** A restart requires a crash. If little else happens, there is one kind of fault. */
function faultsOf({ faults: most, few }: Family, dice: Dice): Faults {
  const kinds: readonly Partial<Faults>[] = [
    { crashes: most.crashes, restarts: most.restarts },
    { partitions: most.partitions },
    { losses: most.losses },
    { duplicates: most.duplicates },
    ...(most.holds > 0 ? [{ holds: most.holds }] : []),
    ...(most.pauses > 0 ? [{ pauses: most.pauses }] : []),
  ];
  const possible = kinds.filter((kind) => Object.values(kind).some((budget) => budget > 0));
  const faults = few ? { ...noFaults, ...dice.pick(possible.length > 0 ? possible : kinds) } : most;
  const some = (budget: number): number => (budget === 0 ? 0 : Math.min(budget, dice.below(budget + 2)));
  const [restarts, partitions] = [some(faults.restarts), some(faults.partitions)];
  const crashes = Math.max(some(faults.crashes), restarts);
  const [losses, duplicates] = [some(faults.losses), some(faults.duplicates)];
  return { crashes, restarts, partitions, losses, duplicates, holds: some(faults.holds), pauses: some(faults.pauses) };
}

/** If data counts, one process gets most of it, so that one message meets the effects of another. */
const favored = ({ shape }: Family, dice: Dice, names: readonly string[]): string =>
  shape !== undefined && !dice.once(4) ? (names[0] as string) : dice.pick(names);

function workloadOf(family: Family, dice: Dice, names: readonly string[]): PlanItem[] {
  const sent = (): PlanItem =>
    send(favored(family, dice, names), { left: dice.once(3) ? 2 : 1, word: dice.below(2) } satisfies Message);
  const items: PlanItem[] = [sent()];
  const extras = family.workload.length === 0 ? 0 : family.few ? dice.below(2) : 1 + dice.below(2);
  for (let left = extras; left > 0; left--) items.push(itemOf(dice.pick(family.workload), dice, names, family.lanes));
  if (!family.few && !dice.once(4)) items.push(sent());
  if (family.shape !== undefined && !family.few) items.push(sent());
  return items;
}

function itemOf(kind: Family['workload'][number], dice: Dice, names: readonly string[], hasLanes = false): PlanItem {
  const one = dice.pick(names);
  const other = dice.pick(names.filter((name) => name !== one));
  const of = hasLanes && dice.once(2) ? { lane: dice.pick(LANES) } : {};
  switch (kind) {
    case 'crash':
      return crash(one);
    case 'restart':
      return restart(one);
    case 'stop':
      return stop(one);
    case 'pause':
      return pause(one);
    case 'resume':
      return resume(one);
    case 'cut':
      return cut(one, other, of);
    case 'heal':
      return heal(one, other, of);
    case 'wait':
      return dice.pick([untilQuiet(), untilDeliveries(1 + dice.below(2))]);
  }
}

function claimsOf(family: Family, dice: Dice, names: readonly string[], theme: string): Claim[] {
  const known = family.shape === undefined ? [] : namesOf(theme, 'tests');
  return Array.from({ length: 1 + dice.below(2) }, () => ({
    process: favored(family, dice, names),
    n: known.length > 0 && dice.once(2) ? undefined : dice.below(5),
    test: known.length === 0 ? undefined : dice.pick(known),
  }));
}
