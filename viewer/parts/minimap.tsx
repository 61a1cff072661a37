import { useMemo } from 'preact/hooks';
import type { Desk } from '../model/desk.ts';
import type { Side } from '../model/lines.ts';
import { DEGREES, overviewOf, sliceOf, SLICES, type Overview } from '../model/overview.ts';

/** The width of an execution; its first part has the marks of faults. */
const WIDTH = 34;
const MARKS = 6;

/** Shorter executions need no overview. */
const LINES_MIN = 100;

interface Props {
  readonly desk: Desk;
  /** The first and the last visible line. */
  readonly seen: readonly [first: number, last: number];
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** All events at a glance, beside the list: how busy each process is, faults, the violation, matches, the cursor. */
export function Minimap({ desk, seen, onMove }: Props) {
  const { scene, found, line } = desk;
  const { lines } = scene;
  if (lines.length < LINES_MIN) return null;
  const y = (at: number): number => sliceOf(at, lines.length);
  const width = WIDTH * lines.sides.length;
  const go = (press: PointerEvent & { readonly currentTarget: Element }): void => {
    if (press.buttons !== 1) return;
    const { top, height } = press.currentTarget.getBoundingClientRect();
    const at = Math.floor(((press.clientY - top) / height) * lines.length);
    onMove((now) => now.toLine(Math.max(0, Math.min(at, lines.length - 1))));
  };
  return (
    <svg
      class="minimap"
      width={width}
      viewBox={`0 0 ${width} ${SLICES}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Overview of all events"
      onPointerDown={go}
      onPointerMove={go}
    >
      <title>All events: click to go there. Red marks are faults, the red line is the violation.</title>
      {lines.sides.map((side) => (
        <Busy key={side} desk={desk} side={side} />
      ))}
      <path class="found" d={[...new Set(found.map(y))].map((at) => `M0 ${at + 0.5}H${MARKS}`).join('')} />
      {lines.divergence !== undefined && <path class="divergence" d={`M0 ${y(lines.divergence)}H${width}`} />}
      <rect class="seen" x={0.5} width={width - 1} y={y(seen[0])} height={Math.max(3, y(seen[1]) - y(seen[0]))} />
      <path class="cursor" d={`M0 ${y(line) + 0.5}H${width}`} />
    </svg>
  );
}

function Busy({ desk, side }: { readonly desk: Desk; readonly side: Side }) {
  const { scene } = desk;
  const execution = scene.execution(side);
  const lanes = desk.lanes[side] ?? [];
  const overview = useMemo(() => overviewOf(execution, lanes, scene.lines, side), [execution, lanes]);
  const { violation } = execution;
  const left = side * WIDTH;
  return (
    <g transform={`translate(${left} 0)`}>
      {Array.from({ length: DEGREES }, (_, at) => (
        <path key={at} class={`busy degree-${at + 1}`} d={busyPath(overview, at + 1)} />
      ))}
      <path class="fault" d={overview.faults.map((slice) => `M0 ${slice + 0.5}H${MARKS}`).join('')} />
      {violation !== undefined && (
        <path class="violation" d={`M0 ${sliceOf(scene.lines.lineOf(side, violation), scene.lines.length)}H${WIDTH}`} />
      )}
    </g>
  );
}

/** The slices in which processes are busy to a degree, one above the other as one line. */
function busyPath({ busy }: Overview, degree: number): string {
  const step = (WIDTH - MARKS) / Math.max(1, busy.length);
  return busy
    .map((slices, lane) => {
      const x = MARKS + (lane + 0.5) * step;
      let path = '';
      for (let at = 0; at < SLICES; at++) {
        const from = at;
        while (at < SLICES && slices[at] === degree) at += 1;
        if (at > from) path += `M${x.toFixed(1)} ${from}V${at}`;
      }
      return path;
    })
    .join('');
}
