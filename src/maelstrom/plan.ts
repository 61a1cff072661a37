import type { Arbitrary } from '../system/arbitrary.ts';
import { crash, cut, cutOneWay, heal, restart, send } from '../system/externals.ts';
import type { External } from '../trace/event.ts';
import type { NodeFaults } from './options.ts';
import { pickFrom, type Dice, type Workload } from './workloads/workload.ts';

/** What the requests and faults of an execution are drawn from. */
export interface PlanParts {
  readonly workload: Workload;
  readonly nodes: readonly string[];
  readonly clients: readonly string[];
  readonly operations: number;
  readonly faults: NodeFaults;
}

/** An external, and its place among the requests. */
type Placed = readonly [place: number, external: External];

/** Draws all requests of an execution, in their order, with the crashes and partitions between them. */
export const planOf = (parts: PlanParts): Arbitrary<readonly External[]> => ({
  generate: (dice: Dice) => ({ value: drawn(dice, parts) }),
});

function drawn(dice: Dice, { workload, nodes, clients, operations, faults }: PlanParts): External[] {
  const requests = Array.from({ length: operations }, (_, nth): Placed => {
    const [client, dest] = [pickFrom(dice, clients), pickFrom(dice, nodes)];
    return [nth, send(client, { ...workload.request(dice, nth), dest })];
  });
  const { crashes = 0, partitions = 0 } = faults;
  const placed = [
    ...requests,
    ...Array.from({ length: crashes }, () => crashAndRestart(dice, nodes, operations)).flat(),
    ...Array.from({ length: nodes.length < 2 ? 0 : partitions }, () => cutAndHeal(dice, nodes, operations)).flat(),
  ];
  // The sort is stable: a fault comes after the request of its place.
  return placed.toSorted(([one], [other]) => one - other).map(([, external]) => external);
}

function crashAndRestart(dice: Dice, nodes: readonly string[], operations: number): Placed[] {
  const node = pickFrom(dice, nodes);
  const [from, to] = span(dice, operations);
  return [
    [from, crash(node)],
    [to, restart(node)],
  ];
}

/** One of so many partitions is cut in one direction only. */
const ONE_WAY = 3;

function cutAndHeal(dice: Dice, nodes: readonly string[], operations: number): Placed[] {
  const drawnSide = nodes.filter(() => dice.nextInt(0, 1) === 1);
  const isSplit = drawnSide.length > 0 && drawnSide.length < nodes.length;
  const side = isSplit ? drawnSide : [pickFrom(dice, nodes)];
  const others = nodes.filter((node) => !side.includes(node));
  const [from, to] = span(dice, operations);
  const isOneWay = dice.nextInt(1, ONE_WAY) === 1;
  return [
    [from, isOneWay ? cutOneWay(side, others) : cut(side, others)],
    [to, heal()],
  ];
}

/** Two places among the requests, in order. */
function span(dice: Dice, operations: number): [from: number, to: number] {
  const from = dice.nextInt(0, operations - 1);
  return [from, dice.nextInt(from, operations - 1)];
}
