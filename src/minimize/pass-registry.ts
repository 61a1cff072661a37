import { didYouMean } from '../text/did-you-mean.ts';
import { CulpritError } from '../error.ts';
import { tfb } from './passes/ambiguities.ts';
import { cascades } from './passes/cascades.ts';
import { clockClusters } from './passes/clock-clusters.ts';
import { closures } from './passes/closures.ts';
import { contents } from './passes/contents.ts';
import { internals, internalsByHalves, single } from './passes/events.ts';
import { environment, externals } from './passes/externals.ts';
import { externalsInRounds, internalsInRounds } from './passes/in-rounds.ts';
import { externalsByCause } from './passes/externals-by-cause.ts';
import { externalsByProcess, externalsByType } from './passes/whole-kinds.ts';
import { singleExternals, singleInternals } from './passes/singles.ts';
import { loops } from './passes/loops.ts';
import { pairs } from './passes/pairs.ts';
import { faults } from './passes/faults.ts';
import { names } from './passes/names.ts';
import { alsoUpcoming, type Pass, type CandidateSchedule } from './pass.ts';
import type { Likeness } from '../schedule/replay/match.ts';
import { processes } from './passes/processes.ts';
import { provenance } from './passes/provenance.ts';
import type { Rules } from './rules.ts';
import type { Trace } from '../trace/format.ts';
import { hasTimes } from '../trace/recorded-times.ts';
import { shortcuts } from './passes/shortcuts.ts';
import { swaps } from './passes/swaps.ts';

/** An unknown pass, or an unknown way of matching. */
export class BadPass extends CulpritError {
  readonly code = 'BAD_PASS';
}

const passesByKind = {
  provenance: () => provenance,
  loops,
  externals: (likeness) => externals(likeness, 'ddmin'),
  'externals-by-halves': (likeness) => externals(likeness, 'halving'),
  'externals-ddmin1999': (likeness) => externals(likeness, 'ddmin1999'),
  'externals-by-cause': externalsByCause,
  'externals-by-type': externalsByType,
  'externals-by-process': externalsByProcess,
  'externals-in-rounds': externalsInRounds,
  'single-externals': singleExternals,
  environment,
  cascades,
  closures,
  internals,
  'internals-by-halves': internalsByHalves,
  'internals-in-rounds': internalsInRounds,
  'single-internals': singleInternals,
  pairs,
  swaps,
  shortcuts,
  single,
  'clock-clusters': clockClusters,
  tfb,
  processes,
  faults,
  contents,
  names,
} satisfies Readonly<Record<string, (likeness: Likeness) => Pass>>;

const passes = new Map<string, (likeness: Likeness) => Pass>(Object.entries(passesByKind));

type PassKind = keyof typeof passesByKind;

/** The name of a pass, how it matches events, and what it does about events that cannot happen: `externals:type:skip`. */
export type PassName = PassKind | `${PassKind}:${Likeness}` | `${PassKind}:${Likeness}:${Absent}`;

/** These passes change the first events, so later contents cannot stay the same: by default they match by type. */
const byType: ReadonlySet<string> = new Set(['processes', 'faults', 'contents', 'names']);

const likenesses: readonly string[] = ['content', 'type', 'place'] satisfies readonly Likeness[];
const absences: readonly string[] = ['skip', 'unblock', 'repair', 'nodiverge'] satisfies readonly Absent[];

/** The names of all passes. */
export const passNames = Object.keys(passesByKind) as readonly PassKind[];

/**
 * Parses the name of a pass, such as `externals:type`. By default, most passes match by content. A third part is the
 * policy for events that cannot happen: `externals:type:skip`.
 */
export function parsePass(name: string): Pass {
  const [kind = '', asked, absent, ...rest] = name.trim().split(':');
  const likeness = asked ?? (byType.has(kind) ? 'type' : 'content');
  const make = passes.get(kind);
  if (make === undefined || rest.length > 0) {
    const near = didYouMean(kind, passNames) || '.';
    throw new BadPass(
      `there is no pass called ${JSON.stringify(name)}${near}`,
      `Choose among ${passNames.join(', ')}.`,
    );
  }
  if (!likenesses.includes(likeness)) {
    throw new BadPass(
      `unknown matching in pass ${JSON.stringify(name)}.`,
      `Choose among ${likenesses.map((one) => `${kind}:${one}`).join(', ')}.`,
    );
  }
  const pass = make(likeness as Likeness);
  if (absent === undefined) return pass;
  if (!absences.includes(absent)) {
    throw new BadPass(
      `unknown absence policy in pass ${JSON.stringify(name)}.`,
      `Choose among ${absences.map((one) => `${kind}:${likeness}:${one}`).join(', ')}.`,
    );
  }
  return withAbsent(pass, absent as Absent);
}

/** Why a pass has nothing to try in this system; undefined if it does. */
export const whyLeftOut = (name: string, { clock }: Rules): string | undefined =>
  kindOf(name) === 'clock-clusters' && clock === undefined ? 'the system does not define minimize.clock' : undefined;

const kindOf = (name: string): string => name.trim().split(':', 1)[0] as string;

/**
 * Coarse passes first: they remove large pieces quickly, and matching by place removes whole rounds of a protocol. Then
 * finer passes, until a whole round finds nothing. Passes that make executions simpler rather than shorter come when
 * the execution is short.
 */
export const defaultPasses: readonly PassName[] = [
  'provenance',
  'loops:place',
  'processes:place',
  'cascades:place',
  'environment:place',
  'closures:place',
  'internals:place',
  'single:place',
  'pairs:place',
  'shortcuts:place',
  'swaps:place',
  'processes:type',
  'faults',
  'contents',
  'single:type',
  'names',
];

/**
 * Where events appear by themselves, externals alone are ours to drop, and every question takes real time. Whole types and the externals
 * of whole processes come first; then ever smaller parts of the externals. All of them ask in rounds, whose questions can be answered side by
 * side, and ask quickly.
 */
const quickPasses = ['externals-by-type', 'externals-by-process', 'externals-in-rounds'] as const;

/**
 * Where every message is ours besides, deliveries are dropped, too, when few externals are left. There a message that is not quite as recorded stays
 * pending: one that counts something that was left out, or an error instead of a value. So another message of the same channel may stand in for a
 * recorded one, as it may where all is controlled.
 */
const heldPasses: readonly PassName[] = [
  ...quickPasses.map((name) => `${name}:place` as const),
  'internals-in-rounds:type',
];

/** The passes for a trace if the user names none. With `holds`, messages that a replay does not have wait for good. */
export const passesFor = (trace: Trace, holds = false): readonly PassName[] =>
  hasTimes(trace) ? [...(holds ? heldPasses : quickPasses), ...certifyingUncontrolled(holds)] : defaultPasses;

/** Whether the pass asks quickly: then it need not be known how often the best execution fails by now. */
export const isQuickPass = (name: string): boolean => heldPasses.map(kindOf).includes(kindOf(name));

/** If these find nothing, no single event can be dropped. */
export const certifyingPasses: readonly PassName[] = ['single:place', 'single:type'];

/** The same where events appear by themselves: of what is ours to drop. */
export const certifyingUncontrolled = (holds: boolean): readonly PassName[] =>
  holds ? ['single-externals:place', 'single-internals:type'] : ['single-externals'];

/** These escape from a local minimum. They are skipped if the execution is known to be the shortest. */
export const escapingPasses: readonly string[] = [
  'pairs:place',
  'shortcuts:place',
  'swaps:place',
] satisfies readonly PassName[];

/** The policies for events that cannot happen, as they appear in the names of passes. */
type Absent = 'skip' | 'unblock' | 'repair' | 'nodiverge';

/** The same pass with another policy for events that cannot happen, unless a candidate has its own. */
const withAbsent = (pass: Pass, absent: Absent): Pass =>
  function* (failing) {
    const how: Partial<CandidateSchedule> = absent === 'nodiverge' ? { absent: 'skip', mayDiverge: false } : { absent };
    const asking = pass(failing);
    let step = asking.next();
    while (step.done !== true) step = asking.next(yield alsoUpcoming(step.value, (one) => ({ ...how, ...one })));
    return step.value;
  };
