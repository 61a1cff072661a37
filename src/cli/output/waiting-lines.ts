import type { WaitingCounts } from '../../execution/waiting-replay.ts';
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
  ];
  return [`events    ${parts.join(', ')} in each replay`];
}
