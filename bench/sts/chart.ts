/** Line charts as SVG text, for figures that a bench writes. */

export interface Axis {
  readonly label: string;
  /** Powers of ten instead of equal steps. */
  readonly isLog?: boolean;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
  /** A value holds until the next point. */
  readonly isStepped?: boolean;
}

export type Point = readonly [x: number, y: number];

export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const PANEL = { width: 300, height: 200, left: 46, right: 14, top: 28, bottom: 40 } as const;

/** Told apart without color vision, too, and readable on white and on black. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#7f7f7f', '#b58900'] as const;

/** Charts beside each other, so many in a row. */
export function chartsInRows(charts: readonly Chart[], perRow: number): string {
  const width = PANEL.width * Math.min(perRow, charts.length);
  const height = PANEL.height * Math.ceil(charts.length / perRow);
  const panels = charts.map((chart, at) => {
    const [x, y] = [(at % perRow) * PANEL.width, Math.floor(at / perRow) * PANEL.height];
    return `<g transform="translate(${x} ${y})">\n${panel(chart)}\n</g>`;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `${head} font-family="sans-serif" font-size="10" fill="#7f7f7f">\n${panels.join('\n')}\n</svg>\n`;
}

function panel({ title, x, y, series }: Chart): string {
  const points = series.flatMap((one) => one.points);
  const across = scale(
    x,
    points.map(([at]) => at),
    PANEL.left,
    PANEL.width - PANEL.right,
  );
  const up = scale(
    y,
    points.map(([, at]) => at),
    PANEL.height - PANEL.bottom,
    PANEL.top,
  );
  const bottom = PANEL.height - PANEL.bottom;
  const middle = (PANEL.left + PANEL.width - PANEL.right) / 2;
  return [
    text(PANEL.left, 16, title, 'font-size="11" font-weight="bold"'),
    ...across.ticks.map((tick) => text(across.at(tick), bottom + 13, short(tick), 'text-anchor="middle"')),
    ...up.ticks.map(
      (tick) => gridLine(up.at(tick)) + text(PANEL.left - 4, up.at(tick) + 3, short(tick), 'text-anchor="end"'),
    ),
    text(middle, bottom + 28, x.label, 'text-anchor="middle"'),
    `<g transform="rotate(-90)">${text(-(PANEL.top + bottom) / 2, 11, y.label, 'text-anchor="middle"')}</g>`,
    ...series.map((one, at) => line(one, across.at, up.at, colorOf(at))),
    ...(series.length > 1 ? series.map(({ name }, at) => legend(name, at)) : []),
  ].join('\n');
}

interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

function scale({ isLog = false }: Axis, values: readonly number[], from: number, to: number): Scale {
  const ticks = isLog ? powersOfTen(values) : roundSteps(values);
  const measure = isLog ? Math.log10 : (value: number): number => value;
  const [low, high] = [measure(ticks[0] as number), measure(ticks.at(-1) as number)];
  return { ticks, at: (value) => rounded(from + ((measure(value) - low) / (high - low)) * (to - from)) };
}

/** From the power below the smallest value to the one above the largest. */
function powersOfTen(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
}

const STEPS = 4;

/** From 0 in about four steps, each 1, 2 or 5 times a power of ten. */
function roundSteps(values: readonly number[]): number[] {
  const largest = Math.max(...values, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(largest / STEPS));
  const step = ([1, 2, 5].find((times) => times * power * STEPS >= largest) ?? 10) * power;
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

function line({ points, isStepped = false }: Series, x: Scale['at'], y: Scale['at'], color: string): string {
  const corners = points.map(([at, value], nth) => {
    const place = `${x(at)} ${y(value)}`;
    return nth === 0 ? `M${place}` : isStepped ? `H${x(at)}V${y(value)}` : `L${place}`;
  });
  const dots = isStepped
    ? []
    : points.map(([at, value]) => `<circle cx="${x(at)}" cy="${y(value)}" r="2" fill="${color}"/>`);
  return [`<path d="${corners.join('')}" fill="none" stroke="${color}" stroke-width="1.5"/>`, ...dots].join('\n');
}

const gridLine = (y: number): string =>
  `<path d="M${PANEL.left} ${y}H${PANEL.width - PANEL.right}" stroke="#7f7f7f" stroke-opacity="0.3" stroke-width="0.5"/>`;

function legend(name: string, nth: number): string {
  const y = PANEL.top + 8 + 12 * nth;
  const x = PANEL.width - PANEL.right - 6;
  return text(x, y, name, `text-anchor="end" fill="${colorOf(nth)}"`);
}

const colorOf = (nth: number): string => COLORS[nth % COLORS.length] as string;

const text = (x: number, y: number, words: string, attributes: string): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`;

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `10k` for ten thousand. */
const short = (value: number): string => (value >= 1_000 ? `${rounded(value / 1_000)}k` : String(rounded(value)));

const rounded = (value: number): number => Number(value.toPrecision(4));
