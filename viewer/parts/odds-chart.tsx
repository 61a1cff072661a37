import type { Odds } from 'culprit/trace';
import type { Desk } from '../model/desk.ts';

const [WIDTH, HEIGHT] = [300, 64];

interface Props {
  readonly desk: Desk;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** The odds of the violation, event by event, with marks for the point of no return and the cursor. */
export function OddsChart({ desk, onMove }: Props) {
  const { odds = [], noReturn } = desk.scene.why ?? {};
  const known = odds.filter(({ sampled }) => sampled > 0);
  if (known.length === 0) return null;
  const unknown = known.reduce((sum, one) => sum + one.unknown, 0);
  const events = Math.max(1, desk.scene.execution(0).events.length);
  const x = (event: number): number => (event / events) * WIDTH;
  const y = ({ violated, sampled }: Odds): number => HEIGHT - (violated / sampled) * (HEIGHT - 4) - 2;
  const path = known.map((one, at) => `${at === 0 ? 'M' : 'L'}${x(one.after)} ${y(one)}`).join('');
  return (
    <figure class="chart">
      <svg
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        role="img"
        aria-label="How likely the violation was after each event"
      >
        <path class="axis" d={`M0 ${HEIGHT}H${WIDTH}M0 2H${WIDTH}`} />
        {noReturn !== undefined && <path class="no-return" d={`M${x(noReturn)} 0V${HEIGHT}`} />}
        <path class="cursor" d={`M${x(desk.settings.cursor.event + 1)} 0V${HEIGHT}`} />
        <path class="curve" d={path} />
        {known.map((one) => (
          <circle key={one.after} cx={x(one.after)} cy={y(one)} r={2} />
        ))}
      </svg>
      <figcaption>
        Share of continuations that are violated, from the first event to the last
        {unknown > 0 && `; ${unknown.toLocaleString('en')} continuations have an unknown verdict`}.
        {noReturn === 0 && ' From the start, nearly all of them are.'}
        {noReturn !== undefined && noReturn > 0 && (
          <button
            type="button"
            class="event-link"
            onClick={() => onMove((now) => now.go({ side: 0, event: noReturn - 1 }))}
          >
            No return after event {noReturn}
          </button>
        )}
      </figcaption>
    </figure>
  );
}
