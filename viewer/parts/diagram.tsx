import { ENVIRONMENT, type EventLine } from 'culprit/trace';
import type { Arrow } from '../model/arrows.ts';
import type { Desk } from '../model/desk.ts';
import type { Execution, Standing } from '../model/execution.ts';
import { NONE, type Side } from '../model/lines.ts';
import type { Window } from '../model/window.ts';
import { ArrowPath } from './arrow.tsx';
import { Glyph, shapeOf } from './glyph.tsx';
import { laneWidth, ROW } from './measures.ts';

/** Maximum number of messages that pass through without an end in view: more would only clutter the diagram. */
const PASSING_MAX = 60;

interface Props {
  readonly desk: Desk;
  readonly side: Side;
  readonly window: Window;
}

/** The visible part of the space-time diagram: time runs down, one row per event. */
export function Diagram({ desk, side, window }: Props) {
  const drawing = new Drawing(desk, side, window);
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
  private readonly execution: Execution;
  private readonly lane: number;
  private readonly lanePlace: ReadonlyMap<string, number>;
  /** First and last event of the window, visible or not. */
  private readonly first: number;
  private readonly last: number;

  constructor(
    private readonly desk: Desk,
    private readonly side: Side,
    private readonly window: Window,
  ) {
    const { rows, scene } = desk;
    this.execution = scene.execution(side);
    this.lane = laneWidth(scene);
    this.lanePlace = new Map(this.execution.lanes.map((name, at) => [name, at]));
    this.width = this.execution.lanes.length * this.lane;
    this.height = Math.max(0, window.last - window.first + 1) * ROW;
    this.top = window.first * ROW;
    const before = window.first === 0 ? NONE : rows.lineAt(window.first - 1);
    this.first = before === NONE ? 0 : scene.lines.latestOn(before, side) + 1;
    const isEnd = window.last === rows.length - 1;
    this.last = isEnd ? this.execution.events.length - 1 : scene.lines.latestOn(rows.lineAt(window.last), side);
  }

  /** A line for each process while it is up; dotted while it is down. */
  lanes() {
    return this.execution.lanes.flatMap((name) => {
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
    return [...found].map((arrow) => {
      const { from, to, sender, receiver } = arrow;
      const start = { x: this.x(sender ?? receiver), y: this.y(from) };
      const end = { x: this.x(receiver), y: this.y(to) };
      const key = `${from} ${to} ${receiver} ${arrow.fate}`;
      return <ArrowPath key={key} arrow={arrow} from={start} to={end} class={this.arrowStanding(arrow)} />;
    });
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
    const { verdict } = this.execution;
    const processes = verdict.verdict === 'violated' ? verdict.processes : [];
    return processes
      .filter((name) => this.lanePlace.has(name))
      .map((name) => {
        const x = this.x(name);
        return <path key={name} class="witness" d={`M${x - 11} ${y - 9}H${x + 11}V${y + 9}H${x - 11}z`} />;
      });
  }

  /** The links that are cut or healed; all if none is named. */
  private links({ links, kind }: EventLine & { readonly kind: 'cut' | 'heal' }, y: number) {
    const names = links.length === 0 ? [this.execution.lanes.at(1), this.execution.lanes.at(-1)] : links.flat();
    const places = names.map((name) => this.x(name ?? ENVIRONMENT));
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
    return ((this.lanePlace.get(name) ?? 0) + 0.5) * this.lane;
  }

  private y(event: number): number {
    const line = this.desk.scene.lines.lineOf(this.side, event);
    return this.desk.rows.placeOf(line) * ROW;
  }

  /** On the other side, events have no relation to the cursor. */
  private standing(event: number): Standing {
    return this.desk.settings.cursor.side === this.side ? (this.desk.standings[event] ?? 'concurrent') : 'past';
  }

  private arrowStanding({ from, to }: Arrow): string {
    const [begin, end] = [this.standing(from), this.standing(to)];
    if (end === 'self' || begin === 'self') return 'near';
    return end === 'past' ? 'past' : begin === 'future' ? 'future' : 'concurrent';
  }
}
