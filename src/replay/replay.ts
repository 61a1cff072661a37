import { HANDLER_MS } from '../kernel/drive.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { handlerFields, optionsOf } from '../kernel/options/options.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { diagnosedReplay } from '../determinism/not-deterministic.ts';
import { isSameButForNumbers } from '../oracles/masked.ts';
import { record, type Hang, type Origin } from '../execution/record.ts';
import { renameHint } from './renamed-processes.ts';
import { BadParameter, resolveSystem, type ResolvedSystem } from '../system/resolve.ts';
import { mustGuarantee } from '../kernel/guarantees.ts';
import { mustBeSystem, mustBeTrace } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import { hasTextDigests } from '../trace/file.ts';
import { endDifference, lineDifference, type Difference } from '../trace/difference.ts';
import type { EventLine, Header, Trace, VerdictLine } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';
import type { Violated } from '../trace/verdict.ts';

/** The options of `replay`. */
export interface ReplayOptions {
  /** The CPU time that a handler may take before it counts as a hang; 5,000 by default. */
  readonly handlerMs?: number;
  /** Shows the output of the system on standard error as it happens. By default, the output of a handler is in the trace only. */
  readonly verbose?: boolean;
}

export const replayOptions = optionsOf<ReplayOptions>('replay', handlerFields);

/**
 * Executes a trace again and compares everything in the file; see `reproduce`. If something differs, further executions
 * show whether the system has changed or is not deterministic.
 *
 * @example
 * const again = await replay(system, trace);
 */
export async function replay(system: System, trace: Trace, given: ReplayOptions = {}): Promise<Trace> {
  mustBeSystem('replay', system);
  mustBeTrace('replay', trace);
  const options = replayOptions.checked(given);
  const origin = originOf(system, trace, options);
  const next = 'Use recheck, which counts how often replays lead to the violation.';
  mustGuarantee('an exact replay', 'repeatable', origin.system.declaration, next);
  try {
    return await showingPrinting(options.verbose, () => reproduceSaved(origin, trace));
  } catch (error) {
    throw hinted(await diagnosedReplay(error, origin, trace.events.map(eventOf)), trace, origin);
  }
}

/** If processes seem to have been renamed, the error says so first. */
function hinted(error: unknown, trace: Trace, { system }: Origin): unknown {
  const hint = renameHint(trace, system);
  if (!(error instanceof ReplayDiverged) || hint === undefined) return error;
  return new ReplayDiverged(error.event, error.what, `${hint[0]?.toUpperCase()}${hint.slice(1)} ${error.next}`);
}

/** The origin of an execution, from the header of its trace. */
export const originOf = (system: System, { header }: Trace, options: ReplayOptions = {}): Origin => ({
  system: resolvedAsRecorded(system, header.parameters),
  module: header.module ?? undefined,
  seed: header.seed,
  ...header.options,
  handlerMs: options.handlerMs ?? HANDLER_MS,
  ...(hasTextDigests(header) ? { hasTextDigests: true } : {}),
});

function resolvedAsRecorded(system: System, parameters: Header['parameters']): ResolvedSystem {
  try {
    return resolveSystem(system, parameters);
  } catch (error) {
    if (!(error instanceof BadParameter)) throw error;
    throw new BadParameter(
      error.message,
      'The trace was recorded with this parameter: hunt again, or delete the trace.',
    );
  }
}

/** The violation at the end of a trace, if there is one. */
export function violationIn({ verdict }: Trace): Violated | undefined {
  if (verdict.verdict !== 'violated') return undefined;
  const { oracle, message, processes, fingerprint } = verdict;
  return { kind: 'violated', oracle, message, processes, fingerprint };
}

/** The violation of a trace that ends with a handler that does not return. */
function hangIn(trace: Trace): Hang | undefined {
  const violation = violationIn(trace);
  return violation?.oracle === HANDLER_RETURNS ? violation : undefined;
}

/**
 * Executes a trace again and compares event by event: identities, messages, states, logs, and at the end the verdict
 * and the pending events. Throws `ReplayDiverged` at the first difference.
 */
export async function reproduce(
  origin: Origin,
  trace: Trace,
  comparable: (recorded: VerdictLine, now: VerdictLine) => VerdictLine = (_, now) => now,
  hang = hangIn(trace),
): Promise<Trace> {
  const line = (now: EventLine): void => compareEvents(trace.events[now.event - 1], now);
  const again = await record(origin, trace.events.map(eventOf), { line }, hang);
  refuse(endDifference(trace, { ...again, verdict: comparable(trace.verdict, again.verdict) }));
  // The header of the original trace is kept.
  const { minimized } = trace.header;
  return minimized === undefined ? again : { ...again, header: { ...again.header, minimized } };
}

/**
 * Like `reproduce`, for a trace from a file, which may be older than the last edit of the system: numbers in the
 * message of a violation, such as lines and counters, may differ. Everything else must be equal.
 */
export async function reproduceSaved(origin: Origin, trace: Trace): Promise<Trace> {
  return await reproduce(origin, trace, sameBut, hangIn(trace) && 'unproven');
}

/** The verdict of now in the words of the recorded one. */
function sameBut(recorded: VerdictLine, now: VerdictLine): VerdictLine {
  if (recorded.verdict !== 'violated' || now.verdict !== 'violated') return now;
  if (recorded.fingerprint !== now.fingerprint || !isSameButForNumbers(recorded.message, now.message)) return now;
  const { values: _values, ...rest } = now;
  const { message, values } = recorded;
  // In the order of the keys of `now`, because verdicts are compared as text.
  return values === undefined ? { ...rest, message } : { ...now, message, values };
}

function compareEvents(recorded: EventLine | undefined, now: EventLine): void {
  if (recorded === undefined)
    throw new ReplayDiverged(now.event, `the recording ends, but ${now.process} has one more event: ${now.kind}.`);
  refuse(lineDifference(recorded, now));
}

function refuse(difference: Difference | undefined): void {
  if (difference !== undefined) throw new ReplayDiverged(difference.event, difference.what);
}
