import { digestText, hex } from '../trace/digest.ts';
import type { EventLine, ObservedEntry, Trace, VerdictLine } from '../trace/format.ts';
import { ANY_VIOLATION } from '../execution/same-bug.ts';
import { itemsOf } from '../networks/sts/sts-lines.ts';
import { stsEvents, switchName, type StsEvent } from '../networks/sts/sts-event.ts';
import { Translation, type StsSchedule } from '../networks/sts/sts-schedule.ts';
import { topologyOfSts, type NamedTopology } from '../networks/sts/sts-topology.ts';
import { eventOf } from '../trace/codec.ts';
import { isInternal, type Event } from '../trace/event.ts';
import { channelDigest } from '../kernel/uncontrolled/identity.ts';
import { networkFingerprint } from '../networks/fingerprint/fingerprint.ts';
import { asLive } from './live-names.ts';
import { executeSts, type StsExecution } from './sts-execution.ts';

export interface ImportOptions {
  /** The topology of the trace; by default the mesh or fat tree that fits. */
  readonly topology?: NamedTopology | undefined;
  /** The name of the invariant that the violation of the trace breaks in replays; any by default. */
  readonly violation?: string | undefined;
  /** Parameters of the system that replays it. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A trace of STS in our format, and what there is to say about it. */
export interface Imported {
  readonly trace: Trace;
  readonly topology: string;
  /** The number of inputs, and that of STS, which counts connecting, checks and waits, too. */
  readonly inputs: { readonly ours: number; readonly published: number };
  /** Messages on control channels of which the file has the contents, and how many of them happen on our switches. */
  readonly messages: { readonly recorded: number; readonly happened: number };
  /** What the import leaves out, one line each. */
  readonly notes: readonly string[];
}

/** Imports an `events.trace` or `mcs.trace` of STS: its text, under a name. */
export async function importSts(text: string, name: string, options: ImportOptions = {}): Promise<Imported> {
  const events = stsEvents(text);
  const { topology, name: topologyName } = options.topology ?? topologyOfSts(events);
  const schedule = new Translation(topology, events).translated();
  const execution = await executeSts(topology, schedule);
  const live = asLive(execution.trace, timesOf(execution, schedule), (one) => schedule.controllers.includes(one));
  const lines = withLogs(live.events, schedule);
  const trace = {
    ...live,
    header: { ...live.header, system: name, parameters: { ...options.parameters }, events: lines.length },
    events: lines,
    verdict: verdictOf(events, lines, options.violation),
  };
  return {
    trace,
    topology: topologyName,
    inputs: inputsOf(events, schedule),
    messages: messagesOf(execution, schedule),
    notes: schedule.notes.lines,
  };
}

/** When each event happened: a deed that STS does not write down, right after the event before. */
function timesOf({ trace, places }: StsExecution, { wanted }: StsSchedule): number[] {
  const times: number[] = [];
  for (const at of trace.events.keys()) {
    const place = places.get(at);
    times.push(Math.max(place === undefined ? 0 : (wanted[place]?.of.atMs ?? 0), times.at(-1) ?? 0));
  }
  return times;
}

/** What controllers printed is noted at the event before it. */
function withLogs(events: readonly EventLine[], { logs }: StsSchedule): EventLine[] {
  const noted = new Map<number, ObservedEntry[]>();
  for (const { controller, text, atMs } of logs) {
    const at = Math.max(
      0,
      events.findLastIndex((line) => (line.atMs ?? 0) <= atMs),
    );
    const entry = { process: controller, what: 'log', content: text, atMs };
    noted.set(at, [...(noted.get(at) ?? []), entry]);
  }
  return events.map((line, at) => (noted.has(at) ? { ...line, observed: noted.get(at) as ObservedEntry[] } : line));
}

/** Connecting, checks and waits are inputs for STS, and not for us. */
function inputsOf(events: readonly StsEvent[], { wanted, notes }: StsSchedule): Imported['inputs'] {
  const ours = wanted.filter(({ event }) => !isInternal(event) && event.kind !== 'start' && event.cause < 0).length;
  const connects = events.filter(({ of }) => of === 'ConnectToControllers').length;
  return {
    ours,
    published: ours + connects + notes.of('checks') + notes.of('waits') + notes.of('packets') + notes.of('drops'),
  };
}

/** Messages are compared as replays compare them. */
function messagesOf({ trace }: StsExecution, { wanted }: StsSchedule): Imported['messages'] {
  const fingerprint = networkFingerprint();
  const keyOf = (event: Event): string => (event.kind === 'deliver' ? hex(channelDigest(event, fingerprint)) : '');
  const left = new Map<string, number>();
  for (const line of trace.events) left.set(keyOf(eventOf(line)), (left.get(keyOf(eventOf(line))) ?? 0) + 1);
  const recorded = wanted.filter(({ of }) => of.of.startsWith('ControlMessage'));
  const happened = recorded.filter(({ event }) => {
    const count = left.get(keyOf(event)) ?? 0;
    left.set(keyOf(event), count - 1);
    return count > 0;
  });
  return { recorded: recorded.length, happened: happened.length };
}

/** The violation that STS reports. It has no fingerprint of ours: any violation of the invariant counts as the same. */
function verdictOf(
  events: readonly StsEvent[],
  lines: readonly EventLine[],
  violation: string | undefined,
): VerdictLine {
  const end = { name: hex(digestText(lines.map(({ id }) => id).join())), ending: 'verdict' } as const;
  const found = events.findLast(({ of }) => of === 'InvariantViolation');
  if (found === undefined) return { verdict: 'unknown', why: 'the trace of STS has no violation', ...end };
  const check = events.findLast(({ of }) => of === 'CheckInvariants')?.fields;
  const called = check?.['invariant_name'] ?? check?.['invariant_check_name'];
  const texts = itemsOf(found.fields['violations']).map(String);
  const oracle = violation ?? (typeof called === 'string' ? called : 'InvariantViolation');
  return {
    verdict: 'violated',
    oracle,
    message: `STS reports ${texts.join('; ') || 'a violation'}`,
    processes: processesIn(texts),
    fingerprint: violation === undefined ? ANY_VIOLATION : `${violation} ${ANY_VIOLATION}`,
    ...end,
  };
}

/** `c1`, or the ports of a path: `(100002, [200002, 200001])` is port 2 of s1, and ports 2 and 1 of s2. */
const processesIn = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.flatMap((text) => [
      ...(/^c\d+$/.test(text) ? [text] : []),
      ...(text.match(/\d{6,}/g) ?? []).map((port) => switchName(Math.floor(Number(port) / 100_000))),
    ]),
  ),
];
