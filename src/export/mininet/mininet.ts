import { BadOption } from '../../kernel/options/options.ts';
import { printable } from '../../text/printable.ts';
import { eventOf } from '../../trace/codec.ts';
import { isConsequence, isInternal, type Event } from '../../trace/event.ts';
import type { EventLine, Trace } from '../../trace/format.ts';
import { fromPortable } from '../../trace/json-encoding.ts';
import type { ProcessTopology } from '../../trace/topology.ts';
import { mininetScript } from './mininet-script.ts';

/** One thing that the script does: when, the number of the event, what, and with what. */
type MininetStep = readonly [atMs: number, event: number, what: string, ...args: readonly (string | number)[]];

/** A script for Mininet that does the inputs of a trace to a network of Open vSwitch, and shows what its tables then do. */
export function mininetOf(trace: Trace): string {
  const { topology, system } = trace.header;
  if (topology === undefined)
    throw new BadOption('the trace has no topology, so there is no network to build.', 'Give the trace of a network.');
  return mininetScript({
    title: printable(system),
    verdict:
      trace.verdict.verdict === 'violated' ? `${trace.verdict.oracle}: ${trace.verdict.message}` : 'no violation',
    switches: topology.nodes.map((name, at) => [name, dpidOf(name, at)]),
    links: topology.links.map(({ ends: [one, other] }) => [one.process, one.port ?? 0, other.process, other.port ?? 0]),
    stations: (topology.stations ?? []).map(({ name, process, port, addresses = [] }) => [
      name,
      process,
      port ?? 0,
      ...addresses,
    ]),
    controllers: [...(topology.controllers ?? [])],
    steps: stepsOf(trace, topology),
    path: pathOf(trace),
  });
}

/** `s7` has the number 7. */
const dpidOf = (name: string, at: number): number => Number(/\d+$/.exec(name)?.[0] ?? at + 1);

function stepsOf({ events }: Trace, topology: ProcessTopology): MininetStep[] {
  const recorded = events.map(eventOf);
  const stations = new Map((topology.stations ?? []).map(({ name, process, port }) => [`${process}.${port}`, name]));
  const steps: MininetStep[] = [];
  for (const [at, line] of events.entries()) {
    const event = recorded[at] as Event;
    noteMove(line, stations);
    if (isInternal(event) || line.kind === 'start' || line.kind === 'wait') continue;
    const isPart = isConsequence(event, recorded);
    const step = stepOf(line, isPart, stations, topology);
    if (step !== undefined) steps.push([Math.round(line.atMs ?? at * MS_PER_EVENT), line.event, ...step]);
  }
  return steps;
}

/** Where a recording has no times. */
const MS_PER_EVENT = 100;

type Step = readonly [what: string, ...args: readonly (string | number)[]];
type Fields = Readonly<Record<string, unknown>>;

/** An action consists of what it brings about, except a move. */
function stepOf(
  line: EventLine,
  isPart: boolean,
  stations: ReadonlyMap<string, string>,
  { controllers = [] }: ProcessTopology,
): Step | undefined {
  switch (line.kind) {
    case 'send': {
      const message = fromPortable(line.message) as Fields;
      if (message['type'] === 'frame')
        return ['send', stations.get(`${line.to}.${String(message['port'])}`) ?? '', String(message['packet'])];
      if (message['type'] === 'detach') {
        const { switch: to, port } = message['to'] as { readonly switch: string; readonly port: number };
        return ['move', String(message['station']), to, port];
      }
      return switchFaults[String(message['type'])]?.(line.to) ?? cannot(line);
    }
    case 'cut':
    case 'heal':
      return isPart ? undefined : linkStep(line, controllers);
    case 'crash':
    case 'stop':
      return controllers.includes(line.process) ? ['stop_controller', line.process] : ['power_off', line.process];
    case 'restart':
      return controllers.includes(line.process) ? ['start_controller', line.process] : ['power_on', line.process];
    case 'act':
      return undefined;
    default:
      return cannot(line);
  }
}

const switchFaults: Readonly<Record<string, (name: string) => Step>> = {
  control_failure: (name) => ['disconnect', name],
  control_recovery: (name) => ['connect', name],
  channel_reset: (name) => ['reconnect', name],
};

function linkStep(line: Extract<EventLine, { kind: 'cut' | 'heal' }>, controllers: readonly string[]): Step {
  const [one, other, lane] = line.links[0] ?? [];
  const isUp = line.kind === 'heal';
  if (one === undefined || other === undefined) return cannot(line);
  const node = [one, other].find((name) => !controllers.includes(name));
  if (node === undefined) return cannot(line);
  // A blocked channel holds messages; Mininet can only close it.
  if ([one, other].some((name) => controllers.includes(name))) return [isUp ? 'connect' : 'disconnect', node];
  const [first = 0, second = 0] = (lane ?? '').split('-').map(Number);
  return [isUp ? 'link_up' : 'link_down', one, first, other, second];
}

const cannot = (line: EventLine): Step => ['cannot', printable(`${line.kind} ${line.label ?? ''}`.trim())];

/** The place of a station changes when it arrives. */
function noteMove(line: EventLine, stations: Map<string, string>): void {
  if (line.kind !== 'deliver') return;
  const { type, station, port } = (fromPortable(line.message) ?? {}) as Fields;
  if (type !== 'attach') return;
  const { name } = station as { readonly name: string };
  for (const [place, known] of stations) if (known === name) stations.delete(place);
  stations.set(`${line.process}.${String(port)}`, name);
}

/** The example of the verdict: the packet at each switch of its path. */
function pathOf({ verdict }: Trace): (readonly [name: string, inPort: number, packet: string])[] {
  const values = verdict.verdict === 'violated' ? verdict.values : undefined;
  const path = fromPortable(values?.['path']);
  const { bytes } = (values?.['packet'] ?? {}) as { readonly bytes?: unknown };
  if (!Array.isArray(path) || typeof bytes !== 'string') return [];
  return (path as readonly { switch: string; inPort: number }[]).map((hop) => [hop.switch, hop.inPort, bytes]);
}
