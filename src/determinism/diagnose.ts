import { keyOf, type SourceCall } from './call-log.ts';
import { remedies, type SourceKind } from './nondeterminism-source.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Difference } from '../trace/difference.ts';
import { attempt, attemptsDiffer, type Again, type Attempt } from './attempt.ts';
import { keptByBehaviors } from './kept-fields.ts';

/** Something that culprit does not control and that got into an execution. */
export interface Leak {
  readonly kind: SourceKind | 'state';
  /** `Date.now`, or what is kept where. */
  readonly name: string;
  /** `file:line` of the code that calls it, where known. */
  readonly at?: string;
  /** When it was called: `in event 3 (b, deliver)`. */
  readonly during?: string;
}

/** Why the same execution does not come out the same. */
export interface Diagnosis {
  /** Where two executions in a row first differed, if they did. */
  readonly difference: Difference | undefined;
  /** What was seen to matter, or could: empty where nothing was seen. */
  readonly leaks: readonly Leak[];
}

/** So many lines of code that call something are tried one by one, until so many were found to matter. */
const SITES_MAX = 20;
const MATTERING_MAX = 3;

/**
 * Executes it several times under watch. Twice with real answers, to see what differs. Twice with made-up answers, the
 * same both times: what differs then does not come from the answers. Then with other answers for one line at a time:
 * what differs then comes from that line.
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

/** The first call that has no made-up answers and did not visibly give the same both times. */
const suspectIn = (then: Attempt, now: Attempt): SourceCall | undefined =>
  then.calls.find(
    ({ source, result }, at) =>
      source.answer === undefined && (result === undefined || result !== now.calls[at]?.result),
  );

/** What is left when nothing that is watched was called. */
export const stateOutside: Leak = {
  kind: 'state',
  name: 'state that outlives executions, in a variable of a module or in a closure (or a function like Date.now kept there)',
};

/** What code waits for that waits although nothing is left to happen: the first real timer or I/O that was asked for. */
export async function awaited(system: ResolvedSystem, again: Again): Promise<Leak | undefined> {
  const { calls } = await attempt(system, again);
  const call = calls.find(({ source: { kind } }) => kind === 'timer' || kind === 'io');
  return call && leakOf(call);
}

/** The calls whose answers make it come out otherwise: one for each line of code. */
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

/** Where it comes out otherwise when the answers to that line are others. */
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

/** The leak in a few words: what, where, and when. */
export const leakText = ({ name, at, during }: Leak): string =>
  name + (at === undefined ? '' : ` at ${at}`) + (during === undefined ? '' : `, called ${during}`);

/** A hint at what goes by the order in which it was filled. */
export const REORDERED = ' They are the same values in another order.';

export const remedyOf = ({ kind }: Leak): string =>
  kind === 'state' ? 'Keep it in the state of a process: what `start` returns.' : remedies[kind];
