import type { OutputStep, RewriteStep } from './compiled-actions.ts';
import { meet, narrowed, withSet, type Cube } from './cube.ts';
import { ALL, IN_PORT } from './fields.ts';
import type { ModelSwitch, NetworkModel } from './network-model.ts';
import type { Rule } from './rule.ts';
import { sendableBy } from './sendable.ts';
import { headersFrom, preimages } from './symbolic-header.ts';
import { difference, has, only, type ValueSet } from './value-set.ts';
import type { StationPeer } from '../invariants/network-state.ts';

/** Headers at a switch that take a known way from there. */
export interface HeaderOrigin {
  readonly at: ModelSwitch;
  /** Where and with which headers they arrive. */
  readonly cube: Cube;
  /** The next switch on the way, and the entry and port by which they leave this one; undefined at the end of the way. */
  readonly after?: { readonly origin: HeaderOrigin; readonly rule: Rule; readonly outPort: number };
}

/** Tells of all headers that some station can send and that arrive at the switch in the cube, with their way. */
export function searchSenders(
  model: NetworkModel,
  target: HeaderOrigin,
  found: (station: StationPeer, headers: Cube, origin: HeaderOrigin) => void,
): void {
  const queue: HeaderOrigin[] = [];
  const seen = new Set<string>();
  const enqueue = (origin: HeaderOrigin): void => {
    const cube = narrowed(origin.cube, IN_PORT, origin.at.arrivals);
    if (cube === undefined) return;
    if (queue.length > 0) {
      // Most searches end where they begin: only the others need to know it again.
      if (seen.size === 0) seen.add(keyOf(queue[0] as HeaderOrigin));
      const key = keyOf({ ...origin, cube });
      if (seen.has(key)) return;
      seen.add(key);
    }
    queue.push({ ...origin, cube });
  };
  enqueue(target);
  for (let next = 0; next < queue.length; next++) {
    const origin = queue[next] as HeaderOrigin;
    for (const { portNo, peer } of origin.at.ports.values()) {
      if (peer === undefined || !has(origin.cube[IN_PORT] as ValueSet, portNo)) continue;
      const arriving = withSet(origin.cube, IN_PORT, only(portNo));
      if (peer.kind === 'station') tellSendable(peer, arriving, origin, found);
      else
        for (const previous of originsBefore(model, peer.name, peer.port, { ...origin, cube: arriving }))
          enqueue(previous);
    }
  }
}

const keyOf = ({ at, cube }: HeaderOrigin): string => `${at.name} ${cube.join(';')}`;

function tellSendable(
  station: StationPeer,
  cube: Cube,
  origin: HeaderOrigin,
  found: (station: StationPeer, headers: Cube, origin: HeaderOrigin) => void,
): void {
  for (const sendable of sendableBy(station)) {
    const headers = meet(cube, sendable);
    if (headers !== undefined) found(station, headers, origin);
  }
}

/** The headers at a switch that it sends through a port so that they become those of the origin. */
function* originsBefore(model: NetworkModel, name: string, port: number, origin: HeaderOrigin): Iterable<HeaderOrigin> {
  const at = model.findSwitch(name);
  if (at === undefined) return;
  const destination = model.destinationOf(at, port);
  if (destination.kind !== 'switch' || destination.at !== origin.at) return;
  const wanted = withSet(origin.cube, IN_PORT, ALL[IN_PORT] as ValueSet);
  for (const rule of at.table.candidatesBefore(headersFrom(wanted))) {
    for (const [index, step] of rule.steps.entries()) {
      const arrivals = step.kind === 'output' ? arrivalsFor(model, at, step, port) : undefined;
      if (arrivals === undefined) continue;
      for (const cube of beforeSteps(withSet(wanted, IN_PORT, arrivals), rule, index)) {
        for (const { start } of at.table.takenBy(rule, headersFrom(cube))) {
          yield { at, cube: start, after: { origin, rule, outPort: port } };
        }
      }
    }
  }
}

/** The ports where a packet has to arrive so that this output sends it through the port; undefined if it never does. */
function arrivalsFor(model: NetworkModel, at: ModelSwitch, step: OutputStep, port: number): ValueSet | undefined {
  if (step.port === 'in_port') return has(at.arrivals, port) ? only(port) : undefined;
  const isSent = typeof step.port === 'number' ? step.port === port : model.floodedPorts(at, step.port).includes(port);
  if (!isSent) return undefined;
  const elsewhere = difference(at.arrivals, only(port));
  return elsewhere.length === 0 ? undefined : elsewhere;
}

/** The headers that the steps before this one turn into those of the cube. */
function beforeSteps(cube: Cube, { steps }: Rule, index: number): readonly Cube[] {
  const rewrites = steps.slice(0, index).filter((step): step is RewriteStep => step.kind !== 'output');
  return rewrites.reduceRight<readonly Cube[]>((cubes, step) => cubes.flatMap((one) => preimages(one, step)), [cube]);
}
