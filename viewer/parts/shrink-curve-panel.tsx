import type { Desk } from '../model/desk.ts';
import { shrinkCurveOf, type ShrinkCurve } from '../model/shrink-curve.ts';
import { summaryOf } from '../model/summary.ts';

const [WIDTH, HEIGHT] = [300, 72];

/** The shrink curve: events left, by schedules executed. */
export function ShrinkCurvePanel({ desk }: { readonly desk: Desk }) {
  const { header } = desk.execution;
  if (header.minimized === undefined) return null;
  const curve = shrinkCurveOf(header);
  return (
    <section class="shrink-curve" aria-label="Minimized">
      <h2>Minimized</h2>
      <p>{summaryOf(header)}</p>
      {curve.length > 1 && <Chart curve={curve} />}
    </section>
  );
}

/** Events on a logarithmic scale: the last ten take as long as the first thousand. */
function Chart({ curve }: { readonly curve: ShrinkCurve }) {
  const schedules = Math.max(1, ...curve.map(([at]) => at));
  const most = Math.log(1 + Math.max(1, ...curve.map(([, events]) => events)));
  const x = (at: number): number => (at / schedules) * WIDTH;
  const y = (events: number): number => HEIGHT - (Math.log(1 + events) / most) * (HEIGHT - 6);
  const [first] = curve;
  const path = curve.map(([at, events]) => `H${x(at)}V${y(events)}`).join('');
  return (
    <figure class="chart">
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} role="img" aria-label="Events left, by schedules executed">
        <path class="axis" d={`M0 ${HEIGHT}H${WIDTH}`} />
        <path class="curve" d={`M0 ${y(first?.[1] ?? 0)}${path}`} />
      </svg>
      <figcaption>
        From {first?.[1].toLocaleString('en')} to {curve.at(-1)?.[1].toLocaleString('en')} events in{' '}
        {schedules.toLocaleString('en')} schedules (logarithmic).
      </figcaption>
    </figure>
  );
}
