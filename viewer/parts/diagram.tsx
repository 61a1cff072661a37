import { ENVIRONMENT, type EventLine } from 'culprit/trace';
import type { Arrow } from '../model/arrows.ts';
import type { Cursor, Desk } from '../model/desk.ts';
import type { Execution, Standing } from '../model/execution.ts';
import type { LanePlaces, Layout } from '../model/layout.ts';
import { NONE, type Side } from '../model/lines.ts';
import type { RowPlaces } from '../model/row-places.ts';
import type { Window } from '../model/window.ts';
import { ArrowPath } from './arrow.tsx';
import { Glyph, shapeOf } from './glyph.tsx';

/** Maximum number of messages that pass through without an end in view: more would only clutter the diagram. */
const PASSING_MAX = 60;

interface Props {
  readonly desk: Desk;
  readonly side: Side;
  readonly window: Window;
  readonly layout: Layout;
  readonly places: RowPlaces;
  readonly onGo: (cursor: Cursor) => void;
}

/** The visible part of the space-time diagram: time runs down, one row per event. */
export function Diagram(props: Props) {
  const drawing = new Drawing(props);
  const { width, height, top } = drawing;
  return (
    <svg class="diagram" width={width} height={height} viewBox={`0 ${top} ${width} ${height}`} aria-hidden="true">
      {drawing.lanes()}
      {drawing.arrows()}
      {drawing.glyphs()}
    </svg>
  );
}

/** Computes positions. Coordinates are pixels from the first row, so scrolling changes none of them. */
class Drawing {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  private readonly desk: Desk;
  private readonly side: Side;
  private readonly window: Window;
  private readonly places: RowPlaces;
  private readonly onGo: (cursor: Cursor) => void;
  private readonly execution: Execution;
  private readonly lanePlaces: LanePlaces;
  /** First and last event of the window, visible or not. */
  private readonly first: number;
  private readonly last: number;

  constructor({ desk, side, window, layout, places, onGo }: Props) {
    const { rows, scene } = desk;
    this.desk = desk;
    this.side = side;
    this.window = window;
    this.places = places;
    this.onGo = onGo;
    this.execution = scene.execution(side);
    this.lanePlaces = layout.sides[side] as LanePlaces;
    this.width = this.lanePlaces.width;
    this.top = places.top(window.first);
    this.height = Math.max(0, places.top(window.last + 1) - this.top);
    const before = window.first === 0 ? NONE : rows.lineAt(window.first - 1);
    this.first = before === NONE ? 0 : scene.lines.latestOn(before, side) + 1;
    const isEnd = window.last === rows.length - 1;
    this.last = isEnd ? this.execution.events.length - 1 : scene.lines.latestOn(rows.lineAt(window.last), side);
  }

  /** A line for each process while it is up; dotted while it is down. */
  lanes() {
    return this.lanePlaces.names.flatMap((name) => {
      const turns = this.execution.lives.between(name, this.first - 1, this.last);
      const x = this.x(name);
      return turns.map(({ event, status }, at) => {
        const next = turns[at + 1];
        const top = at === 0 ? this.top : this.y(event);
        const bottom = next === undefined ? this.top + this.height : this.y(next.event);
        const isOutside = name === ENVIRONMENT ? 'outside' : '';
        return (
          <line key={`${name} ${event}`} class={`lane ${status} ${isOutside}`} x1={x} x2={x} y1={top} y2={bottom} />
        );
      });
    });
  }

  arrows() {
    const found = new Set([
      ...this.shown().flatMap((event) => this.execution.arrows.at(event)),
      ...this.execution.arrows.passing(this.first, this.last, PASSING_MAX).filter((arrow) => this.isDrawn(arrow)),
    ]);
    const isVisible = ({ sender, receiver }: Arrow): boolean =>
      this.lanePlaces.has(receiver) && (sender === undefined || this.lanePlaces.has(sender));
    return [...found].filter(isVisible).map((arrow) => {
      const { from, to, sender, receiver } = arrow;
      const start = { x: this.x(sender ?? receiver), y: this.y(from) };
      const end = { x: this.x(receiver), y: this.y(to) };
      const key = `${from} ${to} ${receiver} ${arrow.fate}`;
      return (
        <g key={key} class="message" onClick={() => this.follow(arrow)}>
          <title>{this.execution.messageWords(arrow)}</title>
          <ArrowPath arrow={arrow} from={start} to={end} class={this.arrowStanding(arrow)} />
        </g>
      );
    });
  }

  /** To the end of a message, and from there to its beginning. */
  private follow({ from, to }: Arrow): void {
    const { cursor } = this.desk.settings;
    const isThere = cursor.side === this.side && cursor.event === to;
    this.onGo({ side: this.side, event: isThere ? from : to });
  }

  glyphs() {
    return this.shown().map((event) => {
      const line = this.execution.events[event] as EventLine;
      const [x, y] = [this.x(line.process), this.y(event)];
      const { cursor, marked } = this.desk.settings;
      const isAtCursor = cursor.side === this.side && cursor.event === event;
      return (
        <g key={event} class={`mark ${this.standing(event)}`}>
          {(line.kind === 'cut' || line.kind === 'heal') && this.links(line, y)}
          {isAtCursor && <circle class="here" cx={x} cy={y} r={9} />}
          {this.side === 0 && marked.includes(event) && (
            <rect class="marked" x={x - 9} y={y - 9} width={18} height={18} />
          )}
          {event === this.execution.violation && this.witnesses(y)}
          <Glyph shape={shapeOf(line)} x={x} y={y} />
        </g>
      );
    });
  }

  /** Marks the processes of the violation, on its row. */
  private witnesses(y: number) {
    return this.execution.witnesses
      .filter((name) => this.lanePlaces.has(name))
      .map((name) => {
        const x = this.x(name);
        return <path key={name} class="witness" d={`M${x - 11} ${y - 9}H${x + 11}V${y + 9}H${x - 11}z`} />;
      });
  }

  /** The links that are cut or healed; all if none is named. */
  private links({ links, kind }: EventLine & { readonly kind: 'cut' | 'heal' }, y: number) {
    const all = this.lanePlaces.names.filter((name) => name !== ENVIRONMENT);
    const places = (links.length === 0 ? all : links.flat()).map((name) => this.x(name ?? ENVIRONMENT));
    return <line class={`link ${kind}`} x1={Math.min(...places)} x2={Math.max(...places)} y1={y} y2={y} />;
  }

  /** Events with a row of their own in the window. */
  private shown(): number[] {
    const { rows, scene } = this.desk;
    const events: number[] = [];
    for (let row = this.window.first; row <= this.window.last; row++) {
      const event = scene.lines.eventOn(rows.lineAt(row), this.side);
      if (event !== NONE && rows.foldedAt(row) === 0) events.push(event);
    }
    return events;
  }

  /** Whether one of its ends has a row of its own. */
  private isDrawn({ from, to }: Arrow): boolean {
    return this.isShown(from) || this.isShown(to);
  }

  private isShown(event: number): boolean {
    const line = this.desk.scene.lines.lineOf(this.side, event);
    return !this.desk.rows.isHidden(line) && this.desk.rows.foldedAt(this.desk.rows.rowOf(line)) === 0;
  }

  private x(name: string): number {
    return this.lanePlaces.x(name);
  }

  private y(event: number): number {
    return this.places.placeOf(this.desk.scene.lines.lineOf(this.side, event));
  }

  /** Without a relation to the cursor, nothing is pale. */
  private standing(event: number): Standing {
    return this.desk.standing(this.side, event) ?? 'past';
  }

  private arrowStanding({ from, to }: Arrow): string {
    const [begin, end] = [this.standing(from), this.standing(to)];
    if (end === 'self' || begin === 'self') return 'near';
    return end === 'past' ? 'past' : begin === 'future' ? 'future' : 'concurrent';
  }
}
