import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { parameter, verdictSchema } from '../../src/trace/format.ts';

/** Reports may get more fields within a major version, so objects are open: readers ignore fields that they do not know. */
const open = v.looseObject;
const count = v.pipe(v.number(), v.minValue(0));
const counts = v.record(v.string(), v.number());
const error = open({ message: v.string(), next: v.string() });

/** A violation and the file of its execution; null with the reason in `unsaved` if there is none. */
const violation = open({
  oracle: v.string(),
  message: v.string(),
  fingerprint: v.string(),
  events: count,
  externals: count,
  path: v.nullable(v.string()),
  unsaved: v.optional(v.string()),
});

const certificate = v.nullable(v.string());

const minimized = v.union([
  open({
    ...violation.entries,
    schedules: count,
    seconds: count,
    certificate,
    others: v.array(violation),
  }),
  open({ why: v.string() }),
]);

const finding = open({
  ...violation.entries,
  seed: v.optional(count),
  strategy: v.optional(v.string()),
  executions: count,
  minimized: v.optional(minimized),
  why: v.optional(v.string()),
  known: v.optional(v.string()),
});

const coverage = open({
  distinct: count,
  once: count,
  worlds: count,
  kinds: counts,
  inputs: counts,
  faults: v.record(v.string(), open({ happened: count, effective: count })),
  never: v.array(v.string()),
  marksReached: v.array(v.string()),
  marksMissed: v.array(v.string()),
});

const named = <Name extends string>(report: Name) =>
  ({ report: v.literal(report), format: v.pipe(v.string(), v.regex(/^1\.\d+$/)) }) as const;

const hunt = open({
  ...named('hunt'),
  findings: v.array(finding),
  interrupted: v.boolean(),
  executions: count,
  executionsMax: count,
  unknown: count,
  whyUnknown: v.optional(v.string()),
  events: count,
  nextSeed: count,
  seconds: count,
  coverage,
  chanceOfNew: v.optional(count),
  example: v.optional(v.string()),
  error: v.optional(error),
});

const check = open({
  ...named('check'),
  verdict: v.picklist(['holds', 'violated', 'unknown']),
  whyUnknown: v.array(v.string()),
  assumptions: v.array(v.string()),
  within: open({ crashes: count, restarts: count, partitions: count, events: count }),
  leftOut: v.array(v.string()),
  findings: v.array(finding),
  executions: count,
  executionsMax: count,
  events: count,
  plans: count,
  plansDone: count,
  share: count,
  seconds: count,
  interrupted: v.boolean(),
  checkpoint: v.optional(v.string()),
  error: v.optional(error),
});

const replayedTrace = open({
  path: v.string(),
  answer: v.optional(v.picklist(['reproduced', 'fixed', 'diverged', 'sampled', 'unknown'])),
  verdict: v.optional(verdictSchema),
  why: v.optional(v.string()),
});

const replay = v.union([
  open({ ...named('replay'), ...replayedTrace.entries }),
  open({
    ...named('replay'),
    folder: v.string(),
    total: count,
    traces: v.array(open({ ...replayedTrace.entries, outcome: v.string() })),
    summary: counts,
    interrupted: v.boolean(),
  }),
]);

const minimize = open({
  ...named('minimize'),
  from: open({ path: v.string() }),
  stages: v.array(open({ pass: v.string(), events: count, externals: count, schedules: count, seconds: count })),
  final: violation,
  certificate,
  interrupted: v.boolean(),
  path: v.nullable(v.string()),
  others: v.array(violation),
  why: v.optional(v.string()),
});

const explain = open({
  ...named('explain'),
  // `trace-1.json` describes these lines.
  trace: open({
    header: open({ format: v.string() }),
    events: v.array(open({ event: count, kind: v.string() })),
    pending: v.array(open({ kind: v.string() })),
    verdict: verdictSchema,
  }),
  places: v.nullable(v.array(v.nullable(v.string()))),
  why: v.nullable(open({ oracle: v.string(), answer: v.string(), limits: v.array(v.string()) })),
  interrupted: v.optional(v.boolean()),
});

const side = open({
  file: v.string(),
  system: v.string(),
  parameters: v.record(v.string(), parameter),
  events: count,
  verdict: verdictSchema,
});

const diff = open({
  ...named('diff'),
  same: v.boolean(),
  left: side,
  right: side,
  divergence: v.nullable(count),
  rows: v.array(open({ left: v.optional(count), right: v.optional(count), how: v.string() })),
});

const doctor = open({
  ...named('doctor'),
  results: v.array(
    open({
      check: v.string(),
      level: v.picklist(['ok', 'warning', 'problem', 'skipped']),
      message: v.string(),
      next: v.optional(v.string()),
    }),
  ),
  problems: count,
  warnings: count,
  seconds: count,
  interrupted: v.boolean(),
});

const leftovers = v.array(open({ kind: v.picklist(['process', 'folder']), isCulpritGone: v.boolean() }));
const clean = open({ ...named('clean'), found: v.optional(leftovers), removed: v.optional(leftovers) });

const network = open({ ...named('network'), rows: v.array(v.unknown()) });

const imported = open({
  ...named('import'),
  path: v.string(),
  topology: v.string(),
  events: count,
  notes: v.array(v.string()),
  verdict: verdictSchema,
});

const reportSchema = v.union([hunt, check, replay, minimize, explain, diff, doctor, clean, network, imported]);

/** The JSON Schema of what commands print with `--json`. */
export function reportSchemaText(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A report of culprit, as commands print it with --json, format 1',
    description:
      '`report` names the command. Within format 1, reports may get more fields, and none is removed or means something else.',
    ...toJsonSchema(reportSchema, { target: 'draft-07', ignoreActions: ['raw_check'] }),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
