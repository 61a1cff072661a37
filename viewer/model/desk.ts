import type { Execution, Standing } from './execution.ts';
import { NONE, type Side } from './lines.ts';
import { matchesIn } from './matches.ts';
import { Rows } from './rows.ts';
import type { Scene } from './scene.ts';
import { sortOf } from './sort.ts';

/** The selected event. */
export interface Cursor {
  readonly side: Side;
  readonly event: number;
}

/** The choices of a reader. Empty sets mean no filter. */
export interface Settings {
  readonly cursor: Cursor;
  /** Until the reader moves, no event is paler than another. */
  readonly hasMoved: boolean;
  readonly isFolding: boolean;
  /** Whether only events before and after the one at the cursor are shown. */
  readonly isCone: boolean;
  /** Lines of opened folds. */
  readonly opened: ReadonlySet<number>;
  readonly processes: ReadonlySet<string>;
  /** Processes without a line and without events. */
  readonly hidden: ReadonlySet<string>;
  /** The processes in the order of the reader; others follow as they were recorded. */
  readonly order: readonly string[];
  readonly sorts: ReadonlySet<string>;
  readonly query: string;
  /** Whether only events that match the search are shown. */
  readonly isOnlyFound: boolean;
  /** The event whose states are compared with those at the cursor; undefined for the event before. */
  readonly base: Cursor | undefined;
  /** Events of the first execution that a counterfactual names. */
  readonly marked: readonly number[];
  readonly isTopology: boolean;
  /** The node whose flow table is shown; undefined for the one at the cursor. */
  readonly node: string | undefined;
}

/** Shorter executions have no folds by default. */
const WHOLE_MAX = 120;

/** A scene with the choices of a reader, and the moves from there. Immutable: each move returns a new desk. */
export class Desk {
  readonly rows: Rows;
  readonly standings: readonly Standing[];
  /** The visible processes of each side, from left to right. */
  readonly lanes: readonly (readonly string[])[];
  /** Lines that match the search, ascending. */
  readonly found: readonly number[];

  private constructor(
    readonly scene: Scene,
    readonly settings: Settings,
    before?: Desk,
  ) {
    const kept = before?.scene === scene ? before : undefined;
    const isMoved = kept?.settings.cursor !== settings.cursor;
    const { side, event } = settings.cursor;
    this.standings = kept === undefined || isMoved ? scene.execution(side).standings(event) : kept.standings;
    this.lanes = this.lanesSince(kept);
    const isSought = kept?.settings.query !== settings.query;
    this.found = kept === undefined || isSought ? this.search() : kept.found;
    // The cursor changes the rows only if they are filtered by its past and future, the search only if they are filtered by it.
    const isFiltered = (isMoved && settings.isCone) || (isSought && settings.isOnlyFound);
    this.rows = kept !== undefined && !isFiltered && hasSameRows(kept.settings, settings) ? kept.rows : this.makeRows();
  }

  private lanesSince(kept: Desk | undefined): readonly (readonly string[])[] {
    const { scene, settings } = this;
    if (kept !== undefined && hasSameLanes(kept.settings, settings)) return kept.lanes;
    return scene.executions.map(({ lanes }) => arranged(lanes, settings));
  }

  static at(scene: Scene): Desk {
    return new Desk(scene, Desk.freshSettings(scene));
  }

  /** The choices before the reader has made any. */
  static freshSettings(scene: Scene): Settings {
    return {
      cursor: scene.start,
      hasMoved: false,
      isFolding: scene.lines.length > WHOLE_MAX && !isMinimal(scene),
      isCone: false,
      opened: new Set(),
      processes: new Set(),
      hidden: new Set(),
      order: [],
      sorts: new Set(),
      query: '',
      isOnlyFound: false,
      base: undefined,
      marked: [],
      isTopology: true,
      node: undefined,
    };
  }

  change(settings: Partial<Settings>): Desk {
    const isMove = settings.cursor !== undefined;
    return new Desk(this.scene, { ...this.settings, ...(isMove ? { hasMoved: true } : {}), ...settings }, this);
  }

  /** The relation of an event to the one at the cursor: undefined on the other side, and until the reader moves. */
  standing(side: Side, event: number): Standing | undefined {
    const { cursor, hasMoved } = this.settings;
    if (cursor.side !== side) return undefined;
    return hasMoved || cursor.event === event ? this.standings[event] : undefined;
  }

  get execution(): Execution {
    return this.scene.execution(this.settings.cursor.side);
  }

  get line(): number {
    const { side, event } = this.settings.cursor;
    return this.scene.lines.lineOf(side, event);
  }

  get row(): number {
    return Math.min(this.rows.rowOf(this.line), this.rows.length - 1);
  }

  /** The number of folded events at the cursor. */
  get folded(): number {
    return this.rows.length === 0 ? 0 : this.rows.foldedAt(this.row);
  }

  /** Moves by this many rows. A fold counts as one row. */
  step(by: number): Desk {
    if (this.rows.length === 0) return this;
    // From a hidden line, the next row is already one step ahead.
    const from = this.rows.isHidden(this.line) && by > 0 ? this.rows.rowOf(this.line) - 1 : this.rows.rowOf(this.line);
    return this.toRow(from + by);
  }

  toRow(row: number, side: Side = this.settings.cursor.side): Desk {
    if (this.rows.length === 0) return this;
    const line = this.rows.lineAt(Math.max(0, Math.min(row, this.rows.length - 1)));
    return this.change({ cursor: this.cursorOn(line, side) });
  }

  /** Moves to any event, and removes the filters and folds that hide it. */
  go(cursor: Cursor): Desk {
    const { lines } = this.scene;
    const events = this.scene.execution(cursor.side).events.length;
    const event = Math.max(0, Math.min(cursor.event, events - 1));
    const line = lines.lineOf(cursor.side, event);
    const moved = this.change({ cursor: { side: cursor.side, event } });
    if (moved.rows.isHidden(line)) return moved.change(EVERYTHING).go(cursor);
    return moved.rows.foldedAt(moved.rows.rowOf(line)) > 0 ? moved.open(line) : moved;
  }

  /** Moves to the event on a line, on the side of the cursor if it has one. */
  toLine(line: number): Desk {
    return this.go(this.cursorOn(line, this.settings.cursor.side));
  }

  open(line: number): Desk {
    return this.change({ opened: new Set([...this.settings.opened, line]) });
  }

  /** Puts the line of a process before that of another one; at the end without another one. */
  moveLane(name: string, before: string | undefined): Desk {
    const names = [...new Set(this.lanes.flat())].filter((other) => other !== name);
    const at = before === undefined ? names.length : names.indexOf(before);
    return at < 0 || name === before ? this : this.change({ order: names.toSpliced(at, 0, name) });
  }

  /** Moves to the next visible event of the same process in this direction. */
  alongProcess(direction: 1 | -1): Desk {
    const { side, event } = this.settings.cursor;
    const { events } = this.execution;
    const process = events[event]?.process;
    for (let at = event + direction; at >= 0 && at < events.length; at += direction) {
      if (events[at]?.process !== process || this.rows.isHidden(this.scene.lines.lineOf(side, at))) continue;
      return this.go({ side, event: at });
    }
    return this;
  }

  /** Moves to the next match of the search, and from the last to the first. */
  find(direction: 1 | -1): Desk {
    const { found, line } = this;
    const next =
      direction > 0 ? (found.find((at) => at > line) ?? found[0]) : (found.findLast((at) => at < line) ?? found.at(-1));
    return next === undefined ? this : this.toLine(next);
  }

  /** Replaces the exhibit: the cursor stays at the same event if it still exists, and otherwise moves to the end. */
  replace(scene: Scene): Desk {
    if (scene.focus !== undefined) return this.replacedAt(scene, scene.focus);
    const { side: wanted, event } = this.settings.cursor;
    const side: Side = scene.executions.length > wanted ? wanted : 0;
    const { events } = scene.execution(side);
    const isAtEnd = event === this.execution.events.length - 1;
    const same = isAtEnd ? NONE : events.findIndex(({ id }) => id === this.execution.events[event]?.id);
    const at = same === NONE ? events.length - 1 : same;
    return this.replacedAt(scene, { side, event: at });
  }

  private replacedAt(scene: Scene, cursor: Cursor): Desk {
    return new Desk(scene, { ...this.settings, cursor, opened: new Set(), marked: [], base: undefined });
  }

  private cursorOn(line: number, side: Side): Cursor {
    const { lines } = this.scene;
    const at: Side = lines.eventOn(line, side) === NONE ? ((1 - side) as Side) : side;
    return { side: at, event: lines.eventOn(line, at) };
  }

  private search(): readonly number[] {
    const { query } = this.settings;
    if (query.trim() === '') return [];
    const lines = this.scene.lines.sides.flatMap((side) =>
      matchesIn(this.scene.execution(side), query).map((event) => this.scene.lines.lineOf(side, event)),
    );
    return [...new Set(lines)].sort((a, b) => a - b);
  }

  private makeRows(): Rows {
    const { lines } = this.scene;
    const { isFolding, opened, isOnlyFound, query } = this.settings;
    const found = isOnlyFound && query.trim() !== '' ? new Set(this.found) : undefined;
    return new Rows(lines.length, {
      isShown: (line) =>
        this.isInCone(line) &&
        (found === undefined || found.has(line)) &&
        lines.sides.some((side) => this.isChosen(line, side)),
      ...(isFolding ? { foldOf: (line: number) => this.scene.foldOf(line) } : {}),
      opened,
    });
  }

  private isInCone(line: number): boolean {
    const { isCone, cursor } = this.settings;
    const event = this.scene.lines.eventOn(line, cursor.side);
    return !isCone || (event !== NONE && this.standings[event] !== 'concurrent');
  }

  private isChosen(line: number, side: Side): boolean {
    const { processes, sorts, hidden } = this.settings;
    const event = this.scene.execution(side).events[this.scene.lines.eventOn(line, side)];
    if (event === undefined || hidden.has(event.process)) return false;
    return (processes.size === 0 || processes.has(event.process)) && (sorts.size === 0 || sorts.has(sortOf(event)));
  }
}

/** A minimized execution is shown whole: all its events are needed. */
const isMinimal = ({ executions }: Scene): boolean => executions.every(({ header }) => header.minimized !== undefined);

/** Without the hidden ones, those that the reader has moved first. */
function arranged(lanes: readonly string[], { hidden, order }: Settings): readonly string[] {
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return lanes.filter((name) => !hidden.has(name)).toSorted((a, b) => place(a) - place(b));
}

const EVERYTHING = {
  isCone: false,
  isOnlyFound: false,
  processes: new Set<string>(),
  hidden: new Set<string>(),
  sorts: new Set<string>(),
};

const hasSameLanes = (one: Settings, two: Settings): boolean => one.hidden === two.hidden && one.order === two.order;

const hasSameRows = (one: Settings, two: Settings): boolean =>
  one.isFolding === two.isFolding &&
  one.isCone === two.isCone &&
  one.isOnlyFound === two.isOnlyFound &&
  one.opened === two.opened &&
  one.processes === two.processes &&
  one.hidden === two.hidden &&
  one.sorts === two.sorts;
