import type { OutputStep } from './compiled-actions.ts';
import { narrowed } from './cube.ts';
import { IN_PORT } from './fields.ts';
import type { ModelSwitch, NetworkModel } from './network-model.ts';
import type { Hit } from './rule-table.ts';
import { rewritten, valuesOf, type SymbolicHeader } from './symbolic-header.ts';
import { difference, has, only, type ValueSet } from './value-set.ts';

/** Headers that an entry sends through a port. */
export interface HeaderOutput {
  readonly port: number;
  readonly headers: SymbolicHeader;
  /** Whether the action names the port, so that a packet lost there is lost by the entry. */
  readonly isNamed: boolean;
  /** Whether it is the port where the packets arrived, so that the switch drops them. */
  readonly isBack: boolean;
}

/** The outputs of a switch for the headers that one of its entries takes. */
export function outputsOf(model: NetworkModel, at: ModelSwitch, { rule, headers }: Hit): HeaderOutput[] {
  const outputs: HeaderOutput[] = [];
  let present: readonly SymbolicHeader[] = [headers];
  for (const step of rule.steps) {
    if (step.kind !== 'output') present = present.flatMap((one) => rewritten(one, step));
    else for (const one of present) addOutputs(model, at, step, one, outputs);
  }
  return outputs;
}

function addOutputs(
  model: NetworkModel,
  at: ModelSwitch,
  { port }: OutputStep,
  headers: SymbolicHeader,
  outputs: HeaderOutput[],
): void {
  const add = (to: number, from: SymbolicHeader | undefined, isNamed: boolean, isBack = false): void => {
    if (from !== undefined) outputs.push({ port: to, headers: from, isNamed, isBack });
  };
  if (port === 'in_port') {
    for (const to of valuesIn(valuesOf(headers, IN_PORT))) add(to, arrivedAt(headers, only(to)), true);
  } else if (port === 'flood' || port === 'all') {
    for (const to of model.floodedPorts(at, port)) add(to, arrivedElsewhere(headers, to), false);
  } else if (headers.set[IN_PORT] !== undefined) {
    // After the first hop, all of them have arrived at one port.
    add(port, headers, true, headers.set[IN_PORT] === port);
  } else {
    add(port, arrivedElsewhere(headers, port), true);
    add(port, arrivedAt(headers, only(port)), true, true);
  }
}

/** Those of the headers that arrived at one of these ports. */
function arrivedAt(headers: SymbolicHeader, ports: ValueSet): SymbolicHeader | undefined {
  const present = headers.set[IN_PORT];
  if (present !== undefined) return has(ports, present) ? headers : undefined;
  const start = narrowed(headers.start, IN_PORT, ports);
  return start && { start, set: headers.set };
}

function arrivedElsewhere(headers: SymbolicHeader, port: number): SymbolicHeader | undefined {
  const elsewhere = difference(valuesOf(headers, IN_PORT), only(port));
  return elsewhere.length === 0 ? undefined : arrivedAt(headers, elsewhere);
}

function* valuesIn(set: ValueSet): Iterable<number> {
  for (let at = 0; at < set.length; at += 2) {
    for (let value = set[at] as number; value <= (set[at + 1] as number); value++) yield value;
  }
}
