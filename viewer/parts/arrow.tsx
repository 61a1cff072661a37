import type { Arrow } from '../model/arrows.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The distance that an arrow without a second end goes down. */
const ARROW_DROP = 24;
/** Space between the end of an arrow and the center of its target. */
const GAP = 5;

/** An arrow between two places of the diagram. Its end shows the outcome: a head, a cross, or an open circle. */
export function ArrowPath({ arrow, from, to, class: more }: Drawn) {
  switch (arrow.fate) {
    case 'lost':
      return <Lost arrow={arrow} from={from} to={to} class={more} />;
    case 'pending': {
      const end = between(from, { x: to.x, y: from.y + ARROW_DROP }, 0.5);
      return (
        <g class={`arrow pending ${more}`}>
          <Way d={line(from, end)} />
          <circle cx={end.x} cy={end.y} r={2.5} />
        </g>
      );
    }
    case 'returned': {
      const turn = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      return (
        <g class={`arrow returned ${more}`}>
          <Way d={`M${to.x} ${from.y}L${turn.x} ${turn.y}L${to.x} ${to.y}`} />
          <path class="head" d={head(turn, to)} />
        </g>
      );
    }
    default:
      return from.x === to.x ? (
        <Loop arrow={arrow} from={from} to={to} class={more} />
      ) : (
        <Straight {...{ arrow, from, to }} class={more} />
      );
  }
}

interface Drawn {
  readonly arrow: Arrow;
  readonly from: Point;
  readonly to: Point;
  readonly class: string;
}

/** A line, and a wider one that cannot be seen but is easier to point at. */
const Way = ({ d }: { readonly d: string }) => (
  <>
    <path class="hit" d={d} />
    <path d={d} />
  </>
);

const Straight = ({ arrow, from, to, class: more }: Drawn) => (
  <g class={`arrow ${arrow.fate} ${more}`}>
    <Way d={line(from, to)} />
    <path class="head" d={head(from, to)} />
  </g>
);

/** A message of a process to itself. */
function Loop({ arrow, from, to, class: more }: Drawn) {
  const side = { x: from.x + 14, y: (from.y + to.y) / 2 };
  return (
    <g class={`arrow ${arrow.fate} ${more}`}>
      <Way d={`M${from.x} ${from.y}Q${side.x + 8} ${side.y} ${to.x} ${to.y}`} />
      <path class="head" d={head(side, to)} />
    </g>
  );
}

/** A lost message: its known part, and a cross. */
function Lost({ arrow, from, to, class: more }: Drawn) {
  const isKnown = arrow.sender !== undefined;
  const begin = isKnown ? from : { x: to.x - 22, y: to.y - ARROW_DROP * 0.7 };
  const target = isKnown && arrow.from === arrow.to ? { x: to.x, y: from.y + ARROW_DROP } : to;
  const end = isKnown ? between(begin, target, arrow.from === arrow.to ? 0.5 : 0.85) : { x: to.x - 10, y: to.y - 6 };
  return (
    <g class={`arrow lost ${more}`}>
      <Way d={line(begin, end)} />
      <path class="cross" d={`M${end.x - 3.5} ${end.y - 3.5}l7 7m0 -7l-7 7`} />
      {arrow.count > 1 && (
        <text x={end.x + 6} y={end.y + 3}>
          {arrow.count}
        </text>
      )}
    </g>
  );
}

const line = (from: Point, to: Point): string => `M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`;

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** A triangle just before `to`, pointing away from `from`. */
function head(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - dx * GAP, y: to.y - dy * GAP };
  const base = { x: tip.x - dx * 7, y: tip.y - dy * 7 };
  return `M${round(tip.x)} ${round(tip.y)}L${round(base.x - dy * 3)} ${round(base.y + dx * 3)}L${round(base.x + dy * 3)} ${round(base.y - dx * 3)}z`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
