import { HANDLER_MS } from './kernel/loop.ts';
import { ReplayDiverged } from './explore/replay.ts';
import { record, type Origin } from './record.ts';
import { resolveSystem } from './targets/actors/resolve.ts';
import type { System } from './targets/actors/system.ts';
import type { EventLine, Trace, VerdictLine } from './trace/format.ts';
import { eventOf } from './trace/lines.ts';

export interface ReplayOptions {
  readonly handlerMs?: number;
}

/** Executes a trace again and compares everything that the file says; see `reproduce`. */
export async function replay(system: System, trace: Trace, options: ReplayOptions = {}): Promise<Trace> {
  const { header } = trace;
  const origin: Origin = {
    system: resolveSystem(system, header.parameters),
    module: header.module ?? undefined,
    seed: header.seed,
    ...header.options,
    handlerMs: options.handlerMs ?? HANDLER_MS,
  };
  return reproduce(origin, trace);
}

/**
 * Event by event: identities, messages, states, logs, and in the end the verdict and what is pending. Stops with
 * `ReplayDiverged` at the first difference.
 */
export async function reproduce(origin: Origin, trace: Trace): Promise<Trace> {
  const again = await record(origin, trace.events.map(eventOf), (line) =>
    compareEvents(trace.events[line.event - 1], line),
  );
  compareEnds(trace, again);
  return again;
}

function compareEvents(recorded: EventLine | undefined, now: EventLine): void {
  if (recorded === undefined)
    throw new ReplayDiverged(now.event, `the recording ends, but ${now.process} has another event: ${now.kind}.`);
  const found = firstDifference(recorded, now);
  if (found !== undefined) throw new ReplayDiverged(now.event, `${now.process} (${now.kind}): ${found}.`);
}

function firstDifference(recorded: EventLine, now: EventLine): string | undefined {
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)]) as Set<keyof EventLine>) {
    if (key === 'state') continue;
    if (same(recorded[key], now[key])) continue;
    return key === 'changes' ? changeDifference(recorded, now) : difference(key, recorded[key], now[key]);
  }
  // The digest last: what changed says more than that something did.
  return same(recorded.state, now.state) ? undefined : difference('the digest of the state', recorded.state, now.state);
}

/** The first place in the state that became something else than it became then. */
function changeDifference(recorded: EventLine, now: EventLine): string {
  const then = new Map(recorded.changes?.map(([pointer, , after]) => [pointer, after]));
  const today = new Map(now.changes?.map(([pointer, , after]) => [pointer, after]));
  const pointer =
    [...new Set([...then.keys(), ...today.keys()])].find((at) => !same(then.get(at), today.get(at))) ?? '';
  const place = `${now.process}${pointer.replaceAll('/', '.')}`;
  const found = (changes: ReadonlyMap<string, unknown>): unknown =>
    changes.has(pointer) ? changes.get(pointer) : 'unchanged';
  return difference(place, found(then), found(today));
}

const difference = (what: string, recorded: unknown, now: unknown): string =>
  `${what} is ${show(now)}, and was ${show(recorded)} in the recording`;

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function compareEnds(recorded: Trace, now: Trace): void {
  const at = now.events.length;
  if (at < recorded.events.length) {
    throw new ReplayDiverged(at, `the execution ends here (${told(now.verdict)}), but the recording goes on.`);
  }
  if (!same(recorded.verdict, now.verdict)) {
    throw new ReplayDiverged(
      at,
      `at the end: ${difference('the verdict', told(recorded.verdict), told(now.verdict))}.`,
    );
  }
  if (!same(recorded.pending, now.pending))
    throw new ReplayDiverged(at, 'at the end, what is pending is not what was pending in the recording.');
}

const told = (verdict: VerdictLine): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;
