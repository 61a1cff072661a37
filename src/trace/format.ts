import * as v from 'valibot';
import { DEPTH_MAX } from './plain-data.ts';
import { topologySchema, type ProcessTopology } from './topology.ts';
import { changedFlaw, portableFlaw, type Flaw } from './json-encoding-flaw.ts';

/**
 * The file format: one JSON object per line. First the header, then every event in order, then the pending events, then
 * the verdict. The types in this file are inferred from the schemas, and so is the published JSON Schema.
 *
 * The major version changes if an older reader would misread a file; the minor version if lines gain optional fields.
 */
export const FORMAT = { major: 1, minor: 9 } as const;

const id = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const milliseconds = v.pipe(v.number(), v.minValue(0));
export const parameter = v.union([v.string(), v.number(), v.boolean()]);

const flawText = (flaw: Flaw | undefined): string | undefined =>
  flaw && (flaw.path === '' ? `it ${flaw.what}` : `${flaw.path} ${flaw.what}`);

/** Plain data as `toPortable` writes it. */
export const data = v.pipe(
  v.unknown(),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = flawText(portableFlaw(dataset.value));
    if (message !== undefined) addIssue({ message });
  }),
);

/** Pointer, before, after: see `change.ts`. */
const change = v.pipe(
  v.tuple([v.string(), v.unknown(), v.unknown()]),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const [pointer, ...sides] = dataset.value;
    const steps = pointer.split('/').slice(1);
    if (pointer !== '' && !pointer.startsWith('/')) addIssue({ message: 'its pointer does not begin with /' });
    // Marked keys are written as pairs, and no pointer leads into a pair.
    else if (steps.some((step) => step.startsWith('$'))) addIssue({ message: 'its pointer leads into a mark' });
    else if (steps.length > DEPTH_MAX) addIssue({ message: `its pointer is more than ${DEPTH_MAX} deep` });
    else {
      const message = sides.map((side) => flawText(changedFlaw(side, steps.length))).find((flaw) => flaw !== undefined);
      if (message !== undefined) addIssue({ message });
    }
  }),
);

/**
 * The number of replays; how often one started over because an external came too late; in how many one came too late all the
 * same; how much longer than in the recording events were awaited in the end; how many prefixes were replayed to see which events
 * appear, and how many expected events appeared more often than recorded.
 */
const waiting = v.strictObject({
  replays: count,
  restarts: count,
  early: count,
  epsilonMs: count,
  peeks: count,
  ambiguous: count,
});

/** Only in minimized traces: the original execution, and the cost of minimization. */
const minimized = v.strictObject({
  /** The name of the original execution, its number of events, and the number of externals among them. */
  from: id,
  events: count,
  externals: count,
  /** The number of schedules executed. */
  schedules: count,
  /** The names of the passes. */
  passes: v.array(v.string()),
  /** The number of events left after how many schedules, at every improvement. Since 1.3. */
  shrinkCurve: v.optional(v.array(v.tuple([count, count]))),
  /** Since 1.5, where events appear by themselves: how the replays of the last minimization waited. */
  waiting: v.optional(waiting),
  /** What the passes guarantee about these events; missing if they did not run to the end. */
  certificate: v.optional(v.picklist(['1-minimal', '1-minimal up to the stated error', 'shortest'])),
});

export const headerSchema = v.strictObject({
  trace: v.literal('culprit'),
  /** Major and minor version of the format. */
  format: v.pipe(v.string(), v.regex(/^\d+\.\d+$/)),
  /** The version of culprit that wrote it. */
  culprit: v.string(),
  /** The name of the system. */
  system: v.string(),
  /** The file that exports the system, relative to the folder of its package. */
  module: v.nullable(v.string()),
  /** The values of all parameters. */
  parameters: v.record(v.string(), parameter),
  /** The seed of the execution from which the trace comes. */
  seed: count,
  /** The strategy that chose the events, and the bound on their number. */
  options: v.strictObject({ strategy: v.string(), eventsMax: count }),
  /** How many events follow. */
  events: count,
  /** Since 1.2. */
  minimized: v.optional(minimized),
  /** Since 1.7. */
  topology: v.optional(topologySchema),
});

const occurrence = {
  /** Whose step it is: a process, or `environment`. */
  process: v.string(),
  /** The number of the event that sent, set or requested it; 0 without one. */
  cause: count,
  /** The causal identity, as 16 hexadecimal digits. */
  id,
  /** Since 1.5, where events appear by themselves: milliseconds since the execution began. */
  atMs: v.optional(v.number()),
};
const laneName = v.pipe(v.string(), v.minLength(1));
/** From, to and, since 1.6, a lane. */
const link = v.union([v.strictTuple([v.string(), v.string()]), v.strictTuple([v.string(), v.string(), laneName])]);
/** Since 1.6: missing for the default lane. */
const lane = v.optional(laneName);

const deliver = {
  kind: v.literal('deliver'),
  ...occurrence,
  from: v.string(),
  message: data,
  ask: v.optional(count),
  reply: v.optional(count),
  sentMs: v.number(),
  lane,
};
const returned = {
  kind: v.literal('return'),
  ...occurrence,
  to: v.string(),
  message: data,
  ask: v.optional(count),
};
const fire = {
  kind: v.literal('fire'),
  ...occurrence,
  timer: v.string(),
  deadlineMs: v.number(),
  everyMs: v.optional(v.number()),
};
const complete = {
  kind: v.literal('complete'),
  ...occurrence,
  operation: v.picklist(['read', 'write', 'sleep', 'timeout']),
  key: v.string(),
  value: v.optional(data),
  deadlineMs: v.number(),
  request: count,
};
const spawn = { kind: v.literal('spawn'), ...occurrence, of: v.string(), args: v.optional(data) };
const start = { kind: v.literal('start'), ...occurrence, of: v.optional(v.string()), args: v.optional(data) };
/** Pause and resume since 1.8. */
const fate = { kind: v.picklist(['stop', 'crash', 'pause', 'resume']), ...occurrence };
/** Wiped since 1.8. */
const restart = { kind: v.literal('restart'), ...occurrence, wiped: v.optional(v.literal(true)) };
const send = { kind: v.literal('send'), ...occurrence, to: v.string(), message: data };
const links = { kind: v.picklist(['cut', 'heal']), ...occurrence, links: v.array(link) };
const onMessage = { kind: v.picklist(['lose', 'duplicate']), ...occurrence, target: id };
/** Since 1.6. */
const hold = { kind: v.literal('hold'), ...occurrence, target: id, until: id };
/** Since 1.9, where events appear by themselves. */
const delay = { kind: v.literal('delay'), ...occurrence, target: id, ms: milliseconds };
/** Since 1.9, where events appear by themselves: a wait of the workload, when it was over. */
const wait = {
  kind: v.literal('wait'),
  ...occurrence,
  condition: v.string(),
  withinMs: v.optional(milliseconds),
  tookMs: milliseconds,
  met: v.boolean(),
};
const act = { kind: v.literal('act'), ...occurrence, action: v.string(), payload: v.optional(data) };

const dropped = v.strictObject({
  id,
  to: v.string(),
  message: data,
  why: v.picklist(['absent', 'crash', 'cut', 'lost']),
  /** Since 1.3: the number of the event that sent it, if that is an earlier one. */
  cause: v.optional(count),
  lane,
});

/** A client's operation, numbered by its own count, and how it ended. */
const history = v.union([
  v.strictObject({ call: count, key: v.optional(v.string()), input: data }),
  v.strictObject({ return: count, output: v.optional(data) }),
  v.strictObject({ fail: count }),
]);

/** Since 1.5: something that was seen of a process after the event and before the next one. */
const observed = v.strictObject({ process: v.string(), what: v.string(), content: v.optional(data), atMs: v.number() });

/** Since 1.6: the message that is held back, and the event that it waits for. */
const held = v.strictObject({
  message: v.strictObject(deliver),
  until: v.variant('kind', [
    v.strictObject(deliver),
    v.strictObject(returned),
    v.strictObject(fire),
    v.strictObject(complete),
    v.strictObject(spawn),
  ]),
});

const place = {
  /** The number of the event in the execution. Files and messages count from 1. */
  event: v.pipe(v.number(), v.integer(), v.minValue(1)),
};

/** The effects of the event. */
const effects = {
  /** Digest of the state of its process after the event; missing without a state. Since 1.8, as in `state-digest.ts`. */
  state: v.optional(id),
  /** Where that state changed: path, before, after. */
  changes: v.optional(v.array(change)),
  /** Since 1.8: the state was not compared, because it is large and the limit of comparisons was reached. It has no digest and no changes. */
  unseen: v.optional(v.literal(true)),
  /** Lines that its handler logged or printed. */
  log: v.optional(v.array(v.string())),
  /** Data that it sent to the environment. */
  output: v.optional(v.array(data)),
  /** Messages that were lost for good during the event. */
  dropped: v.optional(v.array(dropped)),
  /** What clients noted with `ctx.history`. */
  history: v.optional(v.array(history)),
  /** Since 1.5: what was seen of processes after the event and before the next one. */
  observed: v.optional(v.array(observed)),
  /** Since 1.5, in a replay where events appear by themselves: the recording does not have this event. */
  unexpected: v.optional(v.literal(true)),
  /** Since 1.3, for people only: the event in the system's own words. */
  label: v.optional(v.string()),
  /** Since 1.3, for people only: the state of its process afterward, in the system's own words. */
  stateLabel: v.optional(v.string()),
  /** Since 1.7, for people only: the changes of the state in the system's own words. */
  changeLabels: v.optional(v.array(v.string())),
  /** Since 1.7, for people only: the system's own name of its message, or of the message that it holds back. */
  messageName: v.optional(v.string()),
  /** Since 1.7, for people only: the system's own names of the messages in `dropped`, in that order; null for one without. */
  droppedNames: v.optional(v.array(v.nullable(v.string()))),
  /** Since 1.8, for people only: the system says that its message is routine, such as part of a handshake. */
  routine: v.optional(v.literal(true)),
};

export const eventSchema = v.variant('kind', [
  v.strictObject({ ...place, ...deliver, ...effects }),
  v.strictObject({ ...place, ...returned, ...effects }),
  v.strictObject({ ...place, ...fire, ...effects }),
  v.strictObject({ ...place, ...complete, ...effects }),
  v.strictObject({ ...place, ...spawn, ...effects }),
  v.strictObject({ ...place, ...start, ...effects }),
  v.strictObject({ ...place, ...fate, ...effects }),
  v.strictObject({ ...place, ...restart, ...effects }),
  v.strictObject({ ...place, ...send, ...effects }),
  v.strictObject({ ...place, ...links, ...effects }),
  v.strictObject({ ...place, ...onMessage, ...effects }),
  v.strictObject({ ...place, ...hold, ...effects, held: v.optional(held) }),
  v.strictObject({
    ...place,
    ...delay,
    ...effects,
    held: v.optional(v.strictObject({ message: v.strictObject(deliver) })),
  }),
  v.strictObject({ ...place, ...act, ...effects }),
  v.strictObject({ ...place, ...wait, ...effects }),
]);

const pending = {
  /** Tells the line apart from that of an event that happened. */
  pending: v.literal(true),
};

export const pendingSchema = v.variant('kind', [
  v.strictObject({ ...pending, ...deliver }),
  v.strictObject({ ...pending, ...returned }),
  v.strictObject({ ...pending, ...fire }),
  v.strictObject({ ...pending, ...complete }),
  v.strictObject({ ...pending, ...spawn }),
]);

const end = {
  /** Names the execution up to the order of independent events. */
  name: id,
  /** Why it ended: an oracle did not say *holds*, nothing was left to do, or the bound on events was met. */
  ending: v.picklist(['verdict', 'finished', 'bound']),
};

export const verdictSchema = v.variant('verdict', [
  v.strictObject({ verdict: v.literal('holds'), ...end }),
  v.strictObject({
    verdict: v.literal('violated'),
    oracle: v.string(),
    message: v.string(),
    processes: v.array(v.string()),
    /** The evidence, by name. */
    values: v.optional(v.record(v.string(), data)),
    fingerprint: v.string(),
    /**
     * Since 1.4, for readers only: where the user's code threw, the innermost place first, as `file:line:column` from
     * the folder of the file's package.
     */
    at: v.optional(v.array(v.string())),
    ...end,
  }),
  v.strictObject({ verdict: v.literal('unknown'), why: v.string(), ...end }),
]);

/** Any line of a trace file. */
export const lineSchema = v.union([headerSchema, eventSchema, pendingSchema, verdictSchema]);

/** The first line of a trace: the system, its parameters, and how the execution was made. */
export type Header = Omit<v.InferOutput<typeof headerSchema>, 'topology'> & {
  /** The graph in which processes sit, for readers. */
  readonly topology?: ProcessTopology | undefined;
};
/** The line of an event in a trace. */
export type EventLine = v.InferOutput<typeof eventSchema>;
export type ObservedEntry = v.InferOutput<typeof observed>;
export type HistoryEntry = v.InferOutput<typeof history>;
/** A message that never arrives. */
export type DroppedEntry = v.InferOutput<typeof dropped>;
/** The line of an event that was pending in the end. */
export type PendingLine = v.InferOutput<typeof pendingSchema>;
/** The last line of a trace. */
export type VerdictLine = v.InferOutput<typeof verdictSchema>;

/** A whole file, line by line. */
export interface Trace {
  /** The system, its parameters, and how the execution was made. */
  readonly header: Header;
  /** The events in their order, with their effects. Their numbers, and those of causes, count from 1. */
  readonly events: readonly EventLine[];
  /** What could still have happened when the execution ended: messages on their way, timers, disk requests. */
  readonly pending: readonly PendingLine[];
  /** The judgment on the execution. */
  readonly verdict: VerdictLine;
}
