import { narrowed, type Cube } from './cube.ts';
import { FIELD_COUNT, IN_PORT } from './fields.ts';
import type { Destination, Loss, ModelSwitch, NetworkModel } from './network-model.ts';
import { outputsOf, type HeaderOutput } from './outputs.ts';
import type { Rule } from './rule.ts';
import { headersFrom, unchanged, withValue, type SymbolicHeader } from './symbolic-header.ts';
import type { StationPeer } from '../invariants/network-state.ts';

/** Headers at a switch, and the way that they took. */
export interface Visit {
  readonly at: ModelSwitch;
  readonly headers: SymbolicHeader;
  /** The previous switch, and the entry and port by which they left it; undefined at the start. */
  readonly before?: { readonly visit: Visit; readonly rule: Rule; readonly outPort: number };
  /** The number of hops, and whether one of them made copies: then other copies may arrive here, too. */
  readonly depth: number;
  readonly isCopied: boolean;
}

/** A way without copies meets itself only in a loop, so that it need not be remembered before it is this long. */
const LONG = 30;

/** The reason why an entry loses packets. */
export type DeadEndReason = Loss | 'sent back';

/** The listener of a walk. */
export interface Walker {
  /** The switches at which the walk ends. */
  readonly upTo?: ReadonlySet<ModelSwitch>;
  /** Headers come back to the switch and the port where the walk began, as they were then. */
  loop?(headers: Cube, last: Visit, rule: Rule, outPort: number): void;
  deadEnd?(visit: Visit, rule: Rule, output: HeaderOutput, why: DeadEndReason): void;
  station?(visit: Visit, rule: Rule, output: HeaderOutput, station: StationPeer): void;
  visit?(visit: Visit): void;
  /** Controllers get packets: those without an entry, and those that an entry sends there. */
  controller?(visit: Visit): void;
}

/** Follows all headers of a cube that arrive at a switch, on all their ways at once. */
export function walk(model: NetworkModel, from: ModelSwitch, cube: Cube, walker: Walker): void {
  const start = narrowed(cube, IN_PORT, from.arrivals);
  if (start === undefined) return;
  const seen = new Set<string>();
  const queue: Visit[] = [{ at: from, headers: headersFrom(start), depth: 0, isCopied: false }];
  for (let next = 0; next < queue.length; next++) {
    const visit = queue[next] as Visit;
    walker.visit?.(visit);
    if (walker.controller !== undefined && visit.at.table.misses(visit.headers)) walker.controller(visit);
    for (const hit of visit.at.table.hits(visit.headers)) {
      if (hit.rule.asksController) walker.controller?.(visit);
      const outputs = outputsOf(model, visit.at, hit);
      const isCopied = visit.isCopied || (outputs.length > 1 && outputs.filter(({ isBack }) => !isBack).length > 1);
      for (const output of outputs) follow(visit, hit.rule, output, isCopied);
    }
  }

  function follow(visit: Visit, rule: Rule, output: HeaderOutput, isCopied: boolean): void {
    const { port } = output;
    const destination = model.destinationOf(visit.at, port);
    if (destination.kind !== 'switch' || output.isBack) {
      tellEnd(walker, visit, rule, output, destination);
      return;
    }
    const { at } = destination;
    if (walker.upTo?.has(at) === true) return;
    const headers = withValue(output.headers, IN_PORT, destination.port);
    if (at === from) {
      const same = unchanged(headers);
      if (same !== undefined) walker.loop?.(same, visit, rule, port);
    }
    const depth = visit.depth + 1;
    if (isCopied || depth > LONG) {
      const key = keyOf(at, headers, start as Cube);
      if (seen.has(key)) return;
      seen.add(key);
    }
    queue.push({ at, headers, before: { visit, rule, outPort: port }, depth, isCopied });
  }
}

/** Tells of headers that no other switch gets. */
function tellEnd(walker: Walker, visit: Visit, rule: Rule, output: HeaderOutput, destination: Destination): void {
  if (output.isBack) walker.deadEnd?.(visit, rule, output, 'sent back');
  else if (destination.kind === 'station') walker.station?.(visit, rule, output, destination.station);
  else if (destination.kind === 'lost' && output.isNamed) walker.deadEnd?.(visit, rule, output, destination.why);
}

/** Equal for equal headers at the same switch. Sets that are still those of the start need not be written down. */
function keyOf({ name }: ModelSwitch, { start, set }: SymbolicHeader, first: Cube): string {
  let key = name;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if (set[field] !== undefined) key += `;${field}=${set[field]}`;
    if (start[field] !== first[field]) key += `;${field}:${(start[field] as readonly number[]).join()}`;
  }
  return key;
}
