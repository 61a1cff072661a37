import type { Desk } from '../model/desk.ts';
import { paceOf, type Pace } from '../model/pace.ts';
import { summaryOf } from '../model/summary.ts';

const [WIDTH, HEIGHT] = [300, 72];

/** The shrink curve: events left, by schedules executed. */
export function PacePanel({ desk }: { readonly desk: Desk }) {
  const { header } = desk.execution;
  if (header.minimized === undefined) return null;
  const pace = paceOf(header);
  return (
    <section class="pace" aria-label="Minimized">
      <h2>Minimized</h2>
      <p>{summaryOf(header)}</p>
      {pace.length > 1 && <Chart pace={pace} />}
    </section>
  );
}

/** Events on a logarithmic scale: the last ten take as long as the first thousand. */
function Chart({ pace }: { readonly pace: Pace }) {
  const schedules = Math.max(1, ...pace.map(([at]) => at));
  const most = Math.log(1 + Math.max(1, ...pace.map(([, events]) => events)));
  const x = (at: number): number => (at / schedules) * WIDTH;
  const y = (events: number): number => HEIGHT - (Math.log(1 + events) / most) * (HEIGHT - 6);
  const [first] = pace;
  const path = pace.map(([at, events]) => `H${x(at)}V${y(events)}`).join('');
  return (
    <figure class="chart">
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} role="img" aria-label="Events left, by schedules executed">
        <path class="axis" d={`M0 ${HEIGHT}H${WIDTH}`} />
        <path class="curve" d={`M0 ${y(first?.[1] ?? 0)}${path}`} />
      </svg>
      <figcaption>
        From {first?.[1].toLocaleString('en')} to {pace.at(-1)?.[1].toLocaleString('en')} events in{' '}
        {schedules.toLocaleString('en')} schedules (logarithmic).
      </figcaption>
    </figure>
  );
}
