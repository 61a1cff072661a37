import type { Desk } from '../model/desk.ts';
import type { Window } from '../model/window.ts';
import { ODDS_WIDTH } from '../model/layout.ts';
import { heightOfRow, type RowPlaces } from '../model/row-places.ts';

const ROW = heightOfRow(1);

interface Props {
  readonly desk: Desk;
  readonly window: Window;
  readonly places: RowPlaces;
}

/** The odds of the violation after each event: a bar on its row, and a line after the point of no return. */
export function Odds({ desk, window, places }: Props) {
  const { why, lines } = desk.scene;
  const top = places.top(window.first);
  const height = Math.max(0, places.top(window.last + 1) - top);
  const row = (event: number): number => desk.rows.rowOf(lines.lineOf(0, event));
  const y = (event: number): number => places.top(row(event));
  const isWithin = (place: number): boolean => place >= top && place < top + height;
  const bars = (why?.odds ?? []).filter(({ after, sampled }) => after > 0 && sampled > 0);
  const turn = why?.noReturn;
  return (
    <svg
      class="odds"
      width={ODDS_WIDTH}
      height={height}
      viewBox={`0 ${top} ${ODDS_WIDTH} ${height}`}
      aria-hidden="true"
    >
      {bars
        .filter(({ after }) => isWithin(y(after - 1)))
        .map(({ after, violated, sampled }) => {
          const share = violated / sampled;
          return (
            <g key={after}>
              <rect class="bar" x={4} y={y(after - 1) + 4} width={Math.max(1, share * 22)} height={ROW - 8} />
              <text x={ODDS_WIDTH - 2} y={y(after - 1) + ROW / 2 + 4} text-anchor="end">
                {Math.round(share * 100)}%
              </text>
            </g>
          );
        })}
      {turn !== undefined && turn > 0 && isWithin(y(turn - 1)) && (
        <path class="no-return" d={`M0 ${places.top(row(turn - 1) + 1) - 1}H${ODDS_WIDTH}`} />
      )}
    </svg>
  );
}
