import type { ReplaySample } from '../../replay/sampled-replay.ts';
import { LABEL_WIDTH } from '../../text/wrap.ts';

/** Each cell has so many columns at least. */
const CELL = 9;

/**
 * One column for each replay, one row for each round: events that matched, were absent, and are new. Replays for which the terminal has no
 * room are in further tables.
 */
export function roundTable(
  { byRound, byReplay }: Pick<ReplaySample, 'byRound' | 'byReplay'>,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const rounds = [...new Set(byRound.flat().map(({ round }) => round))].toSorted((one, other) => one - other);
  const columns = byReplay.map(({ outcome, early }, at): Column => {
    const cellOf = (round: number): string => {
      const { matched, absent, unexpected } = byRound[at]?.find((one) => one.round === round) ?? NONE;
      return `${matched}/${absent}/${unexpected}`;
    };
    return [String(at + 1), early ? 'early' : outcomes[outcome], ...rounds.map(cellOf)];
  });
  const labels = ['replay', 'outcome', ...rounds.map((round) => `round ${round}`)];
  const atOnce = Math.max(1, Math.min(columns.length, Math.floor((width - LABEL_WIDTH) / CELL)));
  return [
    ...blocksOf(columns, atOnce).flatMap((block) => rowsOf(labels, block)),
    'rounds    of 100 ms or as long as `pace.roundMs` says; events matched/absent/new',
  ];
}

/** The cells of a replay, from the top. */
type Column = readonly string[];

const blocksOf = (columns: readonly Column[], size: number): (readonly Column[])[] =>
  Array.from({ length: Math.ceil(columns.length / size) }, (_, at) => columns.slice(at * size, (at + 1) * size));

const rowsOf = (labels: readonly string[], columns: readonly Column[]): string[] =>
  labels.map((label, at) =>
    `${label.padEnd(LABEL_WIDTH)}${columns.map((cells) => (cells[at] ?? '').padStart(CELL)).join('')}`.trimEnd(),
  );

const NONE = { matched: 0, absent: 0, unexpected: 0 };

const outcomes = { reproduced: 'violated', 'not reproduced': 'holds', unknown: 'unknown' } as const;
