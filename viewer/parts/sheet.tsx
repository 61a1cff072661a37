import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Desk } from '../model/desk.ts';
import { Layout, ODDS_WIDTH } from '../model/layout.ts';
import type { Side } from '../model/lines.ts';
import type { RowPlaces } from '../model/row-places.ts';
import { windowOf, type Window } from '../model/window.ts';
import { Diagram } from './diagram.tsx';
import { Ending } from './ending.tsx';
import { Heads } from './heads.tsx';
import { Minimap } from './minimap.tsx';
import { Odds } from './odds.tsx';
import { lookOf, Row, rowId } from './row.tsx';
import { textWidths } from './text-widths.ts';

interface Props {
  readonly desk: Desk;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** Rows that stay visible above and below the cursor. */
const AROUND = 2;

/** The list with the diagram beside it. Only rows near the view exist. */
export function Sheet({ desk, onMove }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, scene } = desk;
  const room = useRoom(scroller);
  const widths = useMemo(textWidths, []);
  const layout = useMemo(() => new Layout(desk, room.width, widths), [scene, desk.lanes, room.width]);
  const places = useMemo(() => layout.places(desk), [layout, rows]);
  const window = useWindow(scroller, places, rows.length, room.height);
  useFollowing(scroller, desk, places);
  const found = useMemo(() => new Set(desk.found), [desk.found]);
  const pick = (row: number, side: Side): void => onMove((now) => now.toRow(row, side));
  const open = (line: number): void => onMove((now) => now.open(line).go(now.settings.cursor));
  const drawn = Array.from({ length: Math.max(0, window.last - window.first + 1) }, (_, at) => window.first + at);
  const part = { desk, window, layout, places };
  return (
    <div class="with-map">
      <div class="scroller" ref={scroller}>
        <div class={`sheet ${scene.lines.sides.length === 2 ? 'pair' : 'one'}`} style={columns(layout)}>
          <Heads desk={desk} layout={layout} onMove={onMove} />
          <div
            class="list"
            role="listbox"
            tabIndex={0}
            aria-label="Events"
            aria-activedescendant={rows.length === 0 ? undefined : rowId(rows.lineAt(desk.row))}
            style={{ height: `${places.end}px` }}
          >
            {drawn.map((row) => (
              <Row
                key={rows.lineAt(row)}
                look={lookOf(desk, row, { layout, places, isFound: found.has(rows.lineAt(row)) })}
                onPick={pick}
                onOpen={open}
              />
            ))}
            <div class="drawn" role="presentation" style={{ top: `${places.top(window.first)}px` }}>
              {scene.lines.sides.map((side) => (
                <Diagram key={side} side={side} {...part} onGo={(cursor) => onMove((now) => now.go(cursor))} />
              ))}
              {layout.hasOdds && <Odds {...part} />}
            </div>
          </div>
          <Ending desk={desk} onMove={onMove} />
        </div>
      </div>
      {rows.length > 0 && (
        <Minimap desk={desk} seen={[rows.lineAt(window.first), rows.lineAt(window.last)]} onMove={onMove} />
      )}
    </div>
  );
}

/** List and diagram for each side, the odds at the end; and the columns of a list. */
function columns({ list, sides, hasOdds, sign, number, who }: Layout): Record<string, string> {
  const widths = [...sides.flatMap(({ width }) => [list, width]), ...(hasOdds ? [ODDS_WIDTH] : [])];
  const cell = [sign, number, ...(who === 0 ? [] : [who])].map((width) => `${width}px`).join(' ');
  return { '--columns': widths.map((width) => `${width}px`).join(' '), '--cell': `${cell} minmax(0, 1fr)` };
}

interface Room {
  readonly width: number;
  readonly height: number;
}

interface Scroller {
  readonly current: HTMLDivElement | null;
}

/** The visible size of the sheet. */
function useRoom(scroller: Scroller): Room {
  const [room, setRoom] = useState<Room>({ width: 900, height: 1_000 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = (): void => {
      const [width, height] = [box.clientWidth, box.clientHeight];
      setRoom((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => resized.disconnect();
  }, []);
  return room;
}

/** The rows to draw. Changes only when another range comes near, so that most scrolling is free. */
function useWindow(scroller: Scroller, places: RowPlaces, rows: number, height: number) {
  const [top, setTop] = useState(0);
  const windowAt = (y: number): Window => windowOf(places.rowAt(y), places.rowAt(y + height), rows);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = (): void =>
      setTop((before) => {
        const [one, two] = [before, box.scrollTop].map(windowAt);
        return one?.first === two?.first && one?.last === two?.last ? before : box.scrollTop;
      });
    look();
    box.addEventListener('scroll', look, { passive: true });
    return () => box.removeEventListener('scroll', look);
  }, [places, height]);
  return windowAt(top);
}

/** Keeps the row at the cursor in view when it moves. */
function useFollowing(scroller: Scroller, desk: Desk, places: RowPlaces): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null || desk.rows.length === 0) return;
    const heads = box.querySelector('.heads')?.clientHeight ?? 0;
    const [top, row] = [places.top(desk.row), places.height(desk.row)];
    const room = box.clientHeight - heads - row;
    const around = AROUND * row;
    // A jump puts the event in the middle; a step scrolls no more than necessary.
    const isFar = isFirst.current || top < box.scrollTop - room || top > box.scrollTop + 2 * room;
    isFirst.current = false;
    if (isFar) box.scrollTop = top - room / 2;
    else if (top < box.scrollTop + around) box.scrollTop = top - around;
    else if (top > box.scrollTop + room - around) box.scrollTop = top - room + around;
  }, [desk.row, places, desk.settings.cursor]);
}
