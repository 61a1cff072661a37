import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Desk } from '../model/desk.ts';
import type { Side } from '../model/lines.ts';
import { windowOf } from '../model/window.ts';
import { Diagram } from './diagram.tsx';
import { Ending } from './ending.tsx';
import { Heads } from './heads.tsx';
import { laneWidth, ROW } from './measures.ts';
import { Odds, ODDS_WIDTH } from './odds.tsx';
import { lookOf, Row, rowId } from './row.tsx';

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
  const window = useWindow(scroller, rows.length);
  useFollowing(scroller, desk);
  const found = useMemo(() => new Set(desk.found), [desk.found]);
  const pick = (row: number, side: Side): void => onMove((now) => now.toRow(row, side));
  const open = (line: number): void => onMove((now) => now.open(line).go(now.settings.cursor));
  const drawn = Array.from({ length: Math.max(0, window.last - window.first + 1) }, (_, at) => window.first + at);
  const hasOdds = scene.lines.sides.length === 1 && (scene.why?.odds.length ?? 0) > 0;
  return (
    <div class="scroller" ref={scroller}>
      <div
        class={`sheet ${scene.lines.sides.length === 2 ? 'pair' : 'one'}`}
        style={{ '--columns': columns(desk, hasOdds) }}
      >
        <Heads desk={desk} hasOdds={hasOdds} onMove={onMove} />
        <div
          class="list"
          role="listbox"
          tabIndex={0}
          aria-label="Events"
          aria-activedescendant={rows.length === 0 ? undefined : rowId(rows.lineAt(desk.row))}
          style={{ height: `${rows.length * ROW}px` }}
        >
          {drawn.map((row) => (
            <Row
              key={rows.lineAt(row)}
              look={lookOf(desk, row, found.has(rows.lineAt(row)))}
              onPick={pick}
              onOpen={open}
            />
          ))}
          <div class="drawn" role="presentation" style={{ top: `${window.first * ROW}px` }}>
            {scene.lines.sides.map((side) => (
              <Diagram key={side} desk={desk} side={side} window={window} />
            ))}
            {hasOdds && <Odds desk={desk} window={window} />}
          </div>
        </div>
        <Ending desk={desk} />
      </div>
    </div>
  );
}

/** List and diagram for each side; the odds at the end. */
function columns({ scene }: Desk, hasOdds: boolean): string {
  const list = scene.lines.sides.length === 2 ? 'minmax(220px, 1fr)' : 'minmax(300px, 1fr)';
  const sides = scene.lines.sides.map((side) => `${list} ${scene.execution(side).lanes.length * laneWidth(scene)}px`);
  return [...sides, ...(hasOdds ? [`${ODDS_WIDTH}px`] : [])].join(' ');
}

/** The rows to draw. Changes only when another range comes near, so that most scrolling is free. */
function useWindow(scroller: { readonly current: HTMLDivElement | null }, rows: number) {
  const [place, setPlace] = useState({ top: 0, height: 1_000 });
  const window = windowOf(place.top, place.height, ROW, rows);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = (): void =>
      setPlace((before) => {
        const now = { top: box.scrollTop, height: box.clientHeight };
        const [one, two] = [before, now].map(({ top, height }) => windowOf(top, height, ROW, rows));
        return one?.first === two?.first && one?.last === two?.last ? before : now;
      });
    look();
    box.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [rows]);
  return window;
}

/** Keeps the row at the cursor in view when it moves. */
function useFollowing(scroller: { readonly current: HTMLDivElement | null }, desk: Desk): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null || desk.rows.length === 0) return;
    const heads = box.querySelector('.heads')?.clientHeight ?? 0;
    const top = desk.row * ROW;
    const room = box.clientHeight - heads - ROW;
    // A jump puts the event in the middle; a step scrolls no more than necessary.
    const isFar = isFirst.current || top < box.scrollTop - room || top > box.scrollTop + 2 * room;
    isFirst.current = false;
    if (isFar) box.scrollTop = top - room / 2;
    else if (top < box.scrollTop + AROUND * ROW) box.scrollTop = top - AROUND * ROW;
    else if (top > box.scrollTop + room - AROUND * ROW) box.scrollTop = top - room + AROUND * ROW;
  }, [desk.row, desk.rows, desk.settings.cursor]);
}
