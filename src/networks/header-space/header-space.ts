import type { NetworkState, PortView, StationPeer } from '../invariants/network-state.ts';
import type { FlowEntry } from '../switch/flow-table.ts';
import { isSameMatch } from '../switch/matching.ts';
import { searchSenders } from './backward-search.ts';
import { EVERYTHING, meet, narrowed, withoutAll, withSet, type Cube } from './cube.ts';
import { ALL, IN_PORT } from './fields.ts';
import { FoundPaths } from './found-paths.ts';
import { LostHeaders, regionOf } from './lost-headers.ts';
import { walk, type DeadEndReason, type Visit } from './forward-walk.ts';
import { hopsFrom, hopsTo, type Hop } from './hops.ts';
import { NetworkModel, type ModelSwitch } from './network-model.ts';
import type { Rule } from './rule.ts';
import { isFrame } from './shapes.ts';
import { headersFrom, presentCube } from './symbolic-header.ts';
import { difference, only, type ValueSet } from './value-set.ts';

/** Headers that come back to a switch and a port as they were. */
export interface FoundLoop {
  /** At the switch of the first hop, with the port where they arrive. */
  readonly headers: Cube;
  /** Back to the port where it begins. */
  readonly hops: readonly Hop[];
}

/** Headers that a station can send, and that an entry loses. */
export interface FoundBlackhole {
  /** The station that sends these headers. */
  readonly station: StationPeer;
  /** As the station sends them. */
  readonly headers: Cube;
  /** From the switch of the station to the one that loses them. */
  readonly hops: readonly Hop[];
  /** What happens to them at the last hop. */
  readonly why: DeadEndReason;
  /** As they arrive where they are lost. Those of one entry are equal or without overlap, unless it loses packets at several ports. */
  readonly lost: Cube;
}

/** If an entry has more blackholes, all of them are searched again: parts of headers that were split become one. */
const MANY = 256;

/**
 * The loops and blackholes of a network, for all headers at once. A change of a flow table is followed by looking only at the
 * headers that it concerns.
 */
export class HeaderSpace {
  /** The network with its tables, as it is searched; `change` and its siblings keep it current. */
  readonly model: NetworkModel;
  /** By the switch where they begin; without overlap. */
  private readonly foundLoops = new Map<ModelSwitch, readonly FoundLoop[]>();
  private readonly foundBlackholes = new Map<Rule, readonly FoundBlackhole[]>();
  private readonly loopPaths = new FoundPaths<FoundLoop>();
  private readonly blackholePaths = new FoundPaths<FoundBlackhole>();

  constructor(state: NetworkState) {
    this.model = new NetworkModel(state);
    const withoutLoops = new Set<ModelSwitch>();
    for (const at of this.model.switches) {
      if (!this.findLoops(at, EVERYTHING, withoutLoops)) withoutLoops.add(at);
      for (const rule of at.table.all) this.findBlackholes(at, rule, [EVERYTHING]);
    }
  }

  /** All loops of the network as it is now. */
  get loops(): readonly FoundLoop[] {
    return [...this.foundLoops.values()].flat();
  }

  /** All headers that are lost in the network as it is now. */
  get blackholes(): readonly FoundBlackhole[] {
    return [...this.foundBlackholes.values()].flat();
  }

  /** Entries of a switch are no longer there, or there now. One that replaces an entry of the same match has its place. */
  change(name: string, removed: readonly FlowEntry[], added: readonly FlowEntry[]): void {
    const at = this.model.switchCalled(name);
    const before = removed.map((entry) => at.table.ruleOf(entry)).filter((rule) => rule !== undefined);
    // An entry that comes in the place of another takes what that one took.
    const affected = isReplacement(before, added) ? [] : before.flatMap((rule) => at.table.concerns(rule));
    for (const { entry } of before) at.table.remove(entry);
    const made = added.map((entry) =>
      at.table.add(entry, before.find((rule) => isSameEntry(rule.entry, entry))?.order),
    );
    for (const rule of made) if (rule !== undefined) affected.push(...at.table.concerns(rule));
    for (const rule of before) this.keepBlackholes(rule, []);
    this.reviewThrough(at, affected);
    for (const cube of affected) this.explore(at, cube);
  }

  /** Whether entries of equal priority are in this order: from the oldest to the youngest. */
  isInOrder(name: string, entries: readonly FlowEntry[]): boolean {
    const { table } = this.model.switchCalled(name);
    const youngest = new Map<number, number>();
    for (const entry of entries) {
      const order = table.ruleOf(entry)?.order;
      if (order === undefined) continue;
      if (order < (youngest.get(entry.priority) ?? 0)) return false;
      youngest.set(entry.priority, order);
    }
    return true;
  }

  /** Ports of a switch are other than before. */
  changePorts(name: string, ports: readonly PortView[]): void {
    const at = this.model.switchCalled(name);
    const before = at.ports;
    this.model.setPorts(name, ports);
    const changed = [...new Set([...before.keys(), ...at.ports.keys()])].filter(
      (port) => JSON.stringify(before.get(port)) !== JSON.stringify(at.ports.get(port)),
    );
    const neighbors = new Map<ModelSwitch, Set<number>>([[at, new Set(changed)]]);
    for (const port of changed) this.addNeighbors(port, before, at.ports, neighbors);
    for (const affected of neighbors.keys()) this.reviewThrough(affected, [EVERYTHING]);
    for (const [affected, affectedPorts] of neighbors) this.explorePorts(affected, affectedPorts);
  }

  private addNeighbors(
    port: number,
    before: ReadonlyMap<number, PortView>,
    after: ReadonlyMap<number, PortView>,
    neighbors: Map<ModelSwitch, Set<number>>,
  ): void {
    for (const { peer } of [before.get(port), after.get(port)].filter((view) => view !== undefined)) {
      const other = peer?.kind === 'switch' ? this.model.findSwitch(peer.name) : undefined;
      if (other === undefined || peer?.kind !== 'switch') continue;
      neighbors.set(other, (neighbors.get(other) ?? new Set()).add(peer.port));
    }
  }

  /** Follows what may leave or arrive through these ports. */
  private explorePorts(at: ModelSwitch, ports: ReadonlySet<number>): void {
    for (const port of ports) this.explore(at, withSet(EVERYTHING, IN_PORT, only(port)));
    for (const rule of at.table.all)
      if (rule.steps.some((step) => isAffected(step, ports))) this.explore(at, rule.cube);
  }

  /** Looks again at what was found on ways of these headers through a switch. */
  private reviewThrough(at: ModelSwitch, headers: readonly Cube[]): void {
    for (const loop of this.loopPaths.through(at, headers)) {
      const { at: first } = loop.hops[0] as Hop;
      this.keepLoops(
        first,
        this.loopsAt(first).filter((other) => other !== loop),
      );
      this.findLoops(first, loop.headers);
    }
    const losing = new LostHeaders();
    for (const { hops, lost } of this.blackholePaths.through(at, headers)) {
      const { at: where, rule } = hops.at(-1) as Hop;
      losing.add(where, rule, lost);
    }
    for (const { at: where, rule, cubes } of losing.all) this.findBlackholes(where, rule, cubes);
  }

  /** Follows headers that a switch may now treat otherwise, and looks again wherever they loop or are lost. */
  private explore(at: ModelSwitch, cube: Cube): void {
    const visits: Visit[] = [];
    const losing = new LostHeaders();
    let isLooping = false;
    walk(this.model, at, cube, {
      visit: (visit) => visits.push(visit),
      loop: (headers, last, rule, outPort) => {
        isLooping = this.addLoop(headers, hopsTo(last, rule, outPort)) || isLooping;
      },
      deadEnd: (visit, rule) => losing.add(visit.at, rule, presentCube(visit.headers)),
    });
    for (const { at: where, rule, cubes } of losing.all) this.findBlackholes(where, rule, cubes);
    if (!isLooping) return;
    for (const visit of visits.slice(1)) this.findLoops(visit.at, presentCube(visit.headers));
  }

  /** Loops that come back to this switch, and do not pass certain others. Whether there are any. */
  private findLoops(at: ModelSwitch, cube: Cube, upTo: ReadonlySet<ModelSwitch> = new Set()): boolean {
    let isLooping = false;
    walk(this.model, at, cube, {
      upTo,
      loop: (headers, last, rule, outPort) => {
        isLooping = this.addLoop(headers, hopsTo(last, rule, outPort)) || isLooping;
      },
    });
    return isLooping;
  }

  /** Whether frames have such headers. */
  private addLoop(headers: Cube, hops: readonly Hop[]): boolean {
    if (!isFrame(headers)) return false;
    const { at } = hops[0] as Hop;
    const known = this.loopsAt(at);
    const left = withoutAll(
      [headers],
      known.map((loop) => loop.headers),
    ).filter(isFrame);
    if (left.length > 0) this.keepLoops(at, [...known, ...left.map((rest) => ({ headers: rest, hops }))]);
    return true;
  }

  private loopsAt(at: ModelSwitch): readonly FoundLoop[] {
    return this.foundLoops.get(at) ?? [];
  }

  private keepLoops(at: ModelSwitch, loops: readonly FoundLoop[]): void {
    const kept = new Set(loops);
    for (const loop of this.loopsAt(at)) if (!kept.delete(loop)) this.loopPaths.delete(loop);
    for (const loop of kept) this.loopPaths.add(loop);
    if (loops.length > 0) this.foundLoops.set(at, loops);
    else this.foundLoops.delete(at);
  }

  /** Blackholes of one entry, with all stations that can send into them, as far as headers arrive there in these cubes. */
  private findBlackholes(at: ModelSwitch, rule: Rule, cubes: readonly Cube[]): void {
    const known = this.foundBlackholes.get(rule) ?? [];
    const { region, others } = known.length > MANY ? { region: [EVERYTHING], others: [] } : regionOf(cubes, known);
    const found = [...others];
    for (const { cube, port, why } of deadEndsOf(this.model, at, rule)) {
      for (const part of region) {
        const here = meet(cube, part);
        if (here === undefined) continue;
        for (const { start: lost } of at.table.takenBy(rule, headersFrom(here))) {
          searchSenders(this.model, { at, cube: lost }, (station, headers, origin) => {
            if (isFrame(headers)) found.push({ station, headers, hops: hopsFrom(origin, rule, port), why, lost });
          });
        }
      }
    }
    this.keepBlackholes(rule, found);
  }

  private keepBlackholes(rule: Rule, blackholes: readonly FoundBlackhole[]): void {
    for (const blackhole of this.foundBlackholes.get(rule) ?? []) this.blackholePaths.delete(blackhole);
    for (const blackhole of blackholes) this.blackholePaths.add(blackhole);
    if (blackholes.length > 0) this.foundBlackholes.set(rule, blackholes);
    else this.foundBlackholes.delete(rule);
  }
}

const isSameEntry = (one: FlowEntry, other: FlowEntry): boolean =>
  one.priority === other.priority && isSameMatch(one.match, other.match);

const isReplacement = (gone: readonly Rule[], added: readonly FlowEntry[]): boolean =>
  gone.length === 1 &&
  added.length === 1 &&
  gone.every(({ entry }) => added.every((other) => isSameEntry(entry, other)));

const isAffected = (step: Rule['steps'][number], ports: ReadonlySet<number>): boolean =>
  step.kind === 'output' && (typeof step.port !== 'number' || ports.has(step.port));

interface DeadEnd {
  /** The headers that the entry would lose, if it got them. */
  readonly cube: Cube;
  readonly port: number;
  readonly why: DeadEndReason;
}

/** The ports that an entry names and that lose packets. */
function* deadEndsOf(model: NetworkModel, at: ModelSwitch, rule: Rule): Iterable<DeadEnd> {
  for (const step of rule.steps) {
    if (step.kind !== 'output') continue;
    const ports = step.port === 'in_port' ? at.ports.keys() : typeof step.port === 'number' ? [step.port] : [];
    for (const port of ports) {
      const here = narrowed(rule.cube, IN_PORT, only(port));
      if (step.port !== 'in_port' && here !== undefined) yield { cube: here, port, why: 'sent back' };
      const destination = model.destinationOf(at, port);
      if (destination.kind !== 'lost') continue;
      const cube = step.port === 'in_port' ? here : elsewhere(rule.cube, port);
      if (cube !== undefined) yield { cube, port, why: destination.why };
    }
  }
}

const elsewhere = (cube: Cube, port: number): Cube | undefined =>
  narrowed(cube, IN_PORT, difference(ALL[IN_PORT] as ValueSet, only(port)));
