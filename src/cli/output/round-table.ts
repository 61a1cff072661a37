import type { ReplaySample } from '../../replay/sampled-replay.ts';

/** Each cell has so many columns at least. */
const CELL = 9;

/** One column for each replay, one row for each round: events that matched, were absent, and are new. */
export function roundTable({ byRound, byReplay }: Pick<ReplaySample, 'byRound' | 'byReplay'>): string[] {
  const rounds = [...new Set(byRound.flat().map(({ round }) => round))].toSorted((one, other) => one - other);
  const row = (label: string, cells: readonly string[]): string =>
    `${label.padEnd(10)}${cells.map((cell) => cell.padStart(CELL)).join('')}`.trimEnd();
  return [
    row(
      'replay',
      byReplay.map((_replay, at) => String(at + 1)),
    ),
    row(
      'outcome',
      byReplay.map(({ outcome, early }) => (early ? 'early' : outcomes[outcome])),
    ),
    ...rounds.map((round) =>
      row(
        `round ${round}`,
        byRound.map((compared) => {
          const { matched, absent, unexpected } = compared.find((one) => one.round === round) ?? NONE;
          return `${matched}/${absent}/${unexpected}`;
        }),
      ),
    ),
    'rounds    of 100 ms or as long as `pace.roundMs` says; events matched/absent/new',
  ];
}

const NONE = { matched: 0, absent: 0, unexpected: 0 };

const outcomes = { reproduced: 'violated', 'not reproduced': 'holds', unknown: 'unknown' } as const;
