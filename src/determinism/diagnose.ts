import { keyOf, type SourceCall } from './call-log.ts';
import { remedies, type SourceKind } from './nondeterminism-source.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Difference } from '../trace/difference.ts';
import { attempt, attemptsDiffer, type Again, type Attempt } from './attempt.ts';
import { keptByBehaviors } from './kept-fields.ts';

/** An influence on an execution that culprit does not control. */
export interface Leak {
  /** What kind of source it is, such as a clock; `state` for data that outlives executions. */
  readonly kind: SourceKind | 'state';
  /** `Date.now`, or a description of shared state. */
  readonly name: string;
  /** `file:line` of the call, if known. */
  readonly at?: string;
  /** The circumstances of the call: `in event 3 (b, deliver)`. */
  readonly during?: string;
}

/** Why repeated executions differ. */
export interface Diagnosis {
  /** The first difference between two executions in a row, if they differed. */
  readonly difference: Difference | undefined;
  /** Influences that were shown to matter, or may; empty if none was observed. */
  readonly leaks: readonly Leak[];
}

/** The number of lines that are tried one by one, and the number of leaks after which the search stops. */
const SITES_MAX = 20;
const MATTERING_MAX = 3;

/**
 * Executes several times while sources are watched. Twice with real answers, to find a difference. Twice with equal
 * fake answers: a difference then does not come from the answers. Then with other fake answers for one line at a time:
 * a difference then comes from that line.
 */
export async function diagnose(system: ResolvedSystem, again: Again): Promise<Diagnosis> {
  const keptBefore = keptByBehaviors(system);
  const [one, two] = [await attempt(system, again), await attempt(system, again)];
  const [plain, same] = [await attempt(system, again, {}), await attempt(system, again, {})];
  const difference = attemptsDiffer(one, two);
  const uncontrolled = attemptsDiffer(plain, same);
  const [kept] = [...keptByBehaviors(system)].find(([name, text]) => keptBefore.get(name) !== text) ?? [];
  const mattering = uncontrolled === undefined ? await callsThatMatter(system, again, plain) : [];
  if (mattering.length > 0) return { difference, leaks: mattering.map(leakOf) };
  const last = (difference ?? uncontrolled)?.event ?? Number.POSITIVE_INFINITY;
  const suspect = suspectIn(one, two) ?? suspectIn(plain, same);
  if (suspect !== undefined && suspect.event <= last) return { difference, leaks: [leakOf(suspect)] };
  if (kept !== undefined) return { difference, leaks: [{ kind: 'state', name: `${kept}, which outlives executions` }] };
  return { difference, leaks: (difference ?? uncontrolled) === undefined ? [] : [stateOutside] };
}

/** The first call that has no fake answer and did not give the same answer twice. */
const suspectIn = (then: Attempt, now: Attempt): SourceCall | undefined =>
  then.calls.find(
    ({ source, result }, at) =>
      source.answer === undefined && (result === undefined || result !== now.calls[at]?.result),
  );

/** The explanation if no watched source was called. */
export const stateOutside: Leak = {
  kind: 'state',
  name: 'state that outlives executions, in a variable of a module or in a closure (or a function like Date.now kept there)',
};

/** The operation that suspended code waits for although no event is left: the first real timer or I/O that was requested. */
export async function awaited(system: ResolvedSystem, again: Again): Promise<Leak | undefined> {
  const { calls } = await attempt(system, again);
  const call = calls.find(({ source: { kind } }) => kind === 'timer' || kind === 'io');
  return call && leakOf(call);
}

/** The calls whose answers change the execution, one per line of code. */
async function callsThatMatter(system: ResolvedSystem, again: Again, plain: Attempt): Promise<SourceCall[]> {
  const answered = plain.calls.filter(({ source }) => source.answer !== undefined);
  const found: SourceCall[] = [];
  for (const [key, call] of [...bySite(answered)].slice(0, SITES_MAX)) {
    if (found.length === MATTERING_MAX) break;
    if ((await differenceBy(system, again, plain, key)) !== undefined) found.push(call);
  }
  return found;
}

/** The first call of each source from each line. */
export function bySite(calls: readonly SourceCall[]): Map<string, SourceCall> {
  const sites = new Map<string, SourceCall>();
  for (const call of calls) {
    const key = keyOf(call.source, call.site);
    if (!sites.has(key)) sites.set(key, call);
  }
  return sites;
}

/** The first difference in an execution with other answers for that line. */
export async function differenceBy(
  system: ResolvedSystem,
  again: Again,
  plain: Attempt,
  key: string,
): Promise<Difference | undefined> {
  for (const series of ['small', 'large'] as const) {
    const difference = attemptsDiffer(plain, await attempt(system, again, { except: { key, series } }));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

export const leakOf = ({ source, site, during }: SourceCall): Leak => ({
  kind: source.kind,
  name: site.through === undefined ? source.name : `${source.name} (through ${site.through})`,
  at: site.at,
  during,
});

/** The leak in a few words: its name, place and circumstances. */
export const leakText = ({ name, at, during }: Leak): string =>
  name + (at === undefined ? '' : ` at ${at}`) + (during === undefined ? '' : `, called ${during}`);

/** A hint that code depends on the order in which a collection was filled. */
export const REORDERED = ' They are the same values in another order.';

export const remedyOf = ({ kind }: Leak): string =>
  kind === 'state' ? 'Keep it in the state of a process: what `start` returns.' : remedies[kind];
