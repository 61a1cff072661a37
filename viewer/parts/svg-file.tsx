import { render } from 'preact';
import type { Desk } from '../model/desk.ts';
import { Layout } from '../model/layout.ts';
import { NONE } from '../model/lines.ts';
import { LINE, type RowPlaces } from '../model/row-places.ts';
import { wrapped } from '../model/text-fit.ts';
import { Diagram } from './diagram.tsx';
import { textWidths } from './text-widths.ts';

/** The width of a picture, and the most rows in one: a longer one is of no use in a document. */
const WIDTH = 1_100;
const ROWS_MAX = 1_000;
const HEAD = 40;
/** The end of the heads above the first row. */
const NAMES_BASE = 24;

/** The properties that a drawing needs outside of the page, which has them in its style sheet. */
const PROPERTIES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-weight',
] as const;

/** Saves the visible events and their diagram as a picture, as the reader has filtered and arranged them. */
export function saveSvg(desk: Desk): void {
  const host = document.createElement('div');
  host.className = 'picture';
  document.body.append(host);
  try {
    render(<Picture desk={desk} />, host);
    const svg = host.querySelector('svg');
    if (svg !== null) download(standalone(svg), `${desk.execution.file.replace(/\.trace$/, '')}.svg`);
  } finally {
    render(null, host);
    host.remove();
  }
}

/** Writes the computed style of every element into it. */
function standalone(svg: SVGSVGElement): string {
  for (const element of svg.querySelectorAll('.hit')) element.remove();
  for (const element of svg.querySelectorAll<SVGElement>('*')) {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) element.setAttribute(name, style.getPropertyValue(name));
  }
  return new XMLSerializer().serializeToString(svg);
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** List and diagram of each side, as on the page. */
function Picture({ desk }: { readonly desk: Desk }) {
  const layout = new Layout(desk, WIDTH, textWidths());
  const places = layout.places(desk);
  const window = { first: 0, last: Math.min(desk.rows.length, ROWS_MAX) - 1 };
  const height = places.top(window.last + 1) + HEAD;
  const family = getComputedStyle(document.body).fontFamily;
  let left = 0;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="picture"
      width={WIDTH}
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      font-family={family}
    >
      <rect class="paper" width={WIDTH} height={height} />
      {layout.sides.map((lanes, at) => {
        const side = at === 0 ? 0 : 1;
        const start = left;
        left += layout.list + lanes.width;
        return (
          <g key={side} transform={`translate(${start} 0)`}>
            {lanes.names.map((name) => (
              <text key={name} class="lane-name" x={layout.list + lanes.x(name)} y={NAMES_BASE} text-anchor="middle">
                {name}
              </text>
            ))}
            <g transform={`translate(0 ${HEAD})`}>
              <Sentences desk={desk} side={side} rows={window.last + 1} places={places} layout={layout} />
              <svg x={layout.list} y={0} width={lanes.width} height={height - HEAD}>
                <Diagram
                  desk={desk}
                  side={side}
                  window={window}
                  layout={layout}
                  places={places}
                  onGo={() => undefined}
                />
              </svg>
            </g>
          </g>
        );
      })}
    </svg>
  );
}

interface SentencesProps {
  readonly desk: Desk;
  readonly side: 0 | 1;
  readonly rows: number;
  readonly places: RowPlaces;
  readonly layout: Layout;
}

function Sentences({ desk, side, rows, places, layout }: SentencesProps) {
  const { scene } = desk;
  const { events, sentences } = scene.execution(side);
  const { words } = textWidths();
  const x = layout.number + 10;
  return Array.from({ length: rows }, (_, row) => {
    const line = desk.rows.lineAt(row);
    const event = scene.lines.eventOn(line, side);
    if (event === NONE || desk.rows.foldedAt(row) > 0) return null;
    const y = places.placeOf(line) + 4;
    const [process = '', what = ''] = [events[event]?.process, sentences[event]?.what];
    const [first = '', ...rest] = wrapped(`${process} ${what}`, layout.list - x - 20, words);
    return (
      <g key={row}>
        <text class="event-number" x={layout.number} y={y} text-anchor="end">
          {event + 1}
        </text>
        <text class="event-text" x={x} y={y}>
          {first}
          {rest.map((part, at) => (
            <tspan key={at} x={x} dy={LINE}>
              {part}
            </tspan>
          ))}
        </text>
      </g>
    );
  });
}
