import type { PassingReport, WaitingCounts } from '../../execution/waiting-replay.ts';
import type { ControlCount, Minimized } from '../../minimize/report.ts';
import type { SampledReplay } from '../../replay/sampled-replay.ts';
import { plural } from '../../text/plural.ts';

/** How replays waited for events that appear by themselves, and how many of them ran out of restarts. */
export function waitingLines({ replays, restarts, early, epsilonMs, peeks, ambiguous }: WaitingCounts): string[] {
  const again =
    restarts === 0 ? '' : `, and started over ${plural(restarts, 'time')} because an external came too late`;
  return [
    `waited    ${plural(replays, 'replay')} awaited events for their recorded time and ${epsilonMs} ms in the end${again}`,
    ...(peeks === 0
      ? []
      : [
          `peeked    ${plural(peeks, 'beginning')} of schedules replayed to see which events appear; ${ambiguous} appeared more often than recorded`,
        ]),
    ...(early === 0
      ? []
      : [
          `early     in ${plural(early, 'replay')} an external still came after an event that depends on it: without the violation they are unknown`,
        ]),
  ];
}

/** Whether messages passed that a rule of the system is about. */
export const passingLines = (passing: readonly PassingReport[] = []): string[] =>
  passing.map(({ rule, passes, otherInVain }) => {
    const tried = (how: string): string =>
      `; ${how}, the violation did not happen in ${plural(otherInVain ?? 0, 'replay')}`;
    if (passes)
      return `passed    ${rule}: neither awaited nor compared${otherInVain === undefined ? '' : tried('awaited')}`;
    const why = otherInVain === undefined ? ', since a fault of the recording held or dropped one' : tried('passed');
    return `awaited   ${rule}, like all other messages${why}`;
  });

/** How often a minimized execution fails, beside the same without inputs and without faults, and what was executed in vain. */
export function rateLines({ reproduction, controls = [], withoutAbsent, wasted = 0 }: RatedExecution): string[] {
  const { rate, replays, unknown = 0, interval, asRecordedInVain = 0 } = reproduction;
  if (replays === 0) return [];
  const [low, high] = (interval ?? [rate, rate]).map((bound) => Math.round(bound * 100));
  const rateText = `${Math.round(rate * replays)} of ${plural(replays, 'replay')} (${low}–${high} %)`;
  const awaited =
    withoutAbsent === undefined ? '' : `, without awaiting ${plural(withoutAbsent, 'event')} that never came`;
  return [
    `rate      violated in ${rateText}${unknownText(unknown)}${awaited}`,
    ...timingLines(rate, asRecordedInVain),
    ...(rate > 0 ? [] : [GONE]),
    ...controls.map((one) => `control   without any ${one.without}: violated in ${countText(one)}`),
    ...(wasted === 0 ? [] : [`wasted    ${plural(wasted, 'execution')} begun ahead and not needed`]),
  ];
}

/** Said of a violation that happens only sometimes although every message comes as recorded. */
export const timingLines = (rate: number, asRecordedInVain: number): string[] =>
  rate === 0 || rate === 1 || asRecordedInVain === 0
    ? []
    : [
        `timing    every message came as recorded in ${plural(asRecordedInVain, 'replay')} without the violation: it depends on internal timing of a process, such as its threads, which culprit does not control`,
      ];

type RatedExecution = Pick<Minimized, 'reproduction' | 'controls' | 'withoutAbsent' | 'wasted'>;

const GONE =
  'next      the result did not fail again: replay the original more often (culprit replay --replays 100), or record it again with a longer quietMs';

const countText = ({ reproduced, replays, unknown }: ControlCount): string =>
  `${reproduced} of ${plural(replays, 'replay')}${unknownText(unknown)}`;

const unknownText = (unknown: number): string => (unknown === 0 ? '' : `, ${unknown} unknown`);

/** `events    matched 14, absent 0–2, new 0 in each replay`: how replays compare with the recording, as ranges. */
export function matchedLines(byReplay: readonly SampledReplay[]): string[] {
  if (byReplay.length === 0) return [];
  const range = (count: (replay: SampledReplay) => number): string => {
    const counts = byReplay.map(count);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return least === most ? `${least}` : `${least}–${most}`;
  };
  const parts = [
    `matched ${range(({ matched }) => matched)}`,
    `absent ${range(({ absent }) => absent)}`,
    `new ${range(({ unexpected }) => unexpected)}`,
    `ambiguous ${range(({ ambiguous }) => ambiguous)}`,
    ...(byReplay.some(({ passed }) => passed > 0) ? [`passed ${range(({ passed }) => passed)}`] : []),
  ];
  return [`events    ${parts.join(', ')} in each replay`];
}
