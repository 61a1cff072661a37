import { NONE, type Side } from './lines.ts';
import { RowPlaces, heightOfRow } from './row-places.ts';
import type { Desk } from './desk.ts';
import { fitOf, type TextFit, type TextWidths } from './text-fit.ts';

/** The lines of processes from left to right, as narrow as their names allow. */
export class LanePlaces {
  private readonly centers = new Map<string, number>();
  readonly width: number;

  constructor(
    readonly names: readonly string[],
    private readonly widthOf: (name: string) => number,
  ) {
    let width = 0;
    for (const name of names) {
      this.centers.set(name, width + widthOf(name) / 2);
      width += widthOf(name);
    }
    this.width = width;
  }

  has(name: string): boolean {
    return this.centers.has(name);
  }

  x(name: string): number {
    return this.centers.get(name) ?? 0;
  }

  laneWidth(name: string): number {
    return this.widthOf(name);
  }
}

/** Space beside a name above its line, and for the mark of a witness. */
const NAME_SPACE = 14;
const WITNESS_SPACE = 14;
const LANE_MIN = 36;
/** The width of a line whose name is vertical. */
const VERTICAL = { most: 26, least: 14 };
/** The share of a side that lines of processes may take with horizontal names, and with vertical ones. */
const SHARE = { horizontal: 0.48, vertical: 0.42 };
/** In a narrower list, the name of a process is part of the sentence. */
const WHO_ROOM = 640;
const WHO_MAX = 150;
const LIST_MIN = 140;
/** Two narrower sides have no room for diagrams. */
const DIAGRAM_MIN = 360;
/** A narrower sheet has no room for the odds. */
const ODDS_MIN = 700;
export const ODDS_WIDTH = 64;
/** The sign before the number of an event, and the spaces between the columns of a list. */
const SIGN = { one: 14, two: 22 };
const SPACES = 3 * 8 + 14;

/** The columns of the sheet in pixels, for one width of the window. */
export class Layout {
  readonly sides: readonly LanePlaces[];
  readonly hasVerticalNames: boolean;
  readonly hasOdds: boolean;
  /** The width of a list, and of its columns; the column of processes has none if it is part of the text. */
  readonly list: number;
  readonly sign: number;
  readonly number: number;
  readonly who: number;
  readonly text: number;

  constructor(
    { scene, lanes }: Desk,
    room: number,
    private readonly widths: TextWidths,
  ) {
    const isPair = scene.lines.sides.length === 2;
    this.hasOdds = !isPair && (scene.why?.odds.length ?? 0) > 0 && room >= ODDS_MIN;
    const side = (room - (this.hasOdds ? ODDS_WIDTH : 0)) / lanes.length;
    const witnesses = new Set(scene.executions.flatMap(({ witnesses: names }) => names));
    const named = (name: string): number =>
      Math.max(LANE_MIN, Math.ceil(widths.words(name)) + NAME_SPACE + (witnesses.has(name) ? WITNESS_SPACE : 0));
    const widest = Math.max(...lanes.map((names) => names.reduce((sum, name) => sum + named(name), 0)));
    this.hasVerticalNames = widest > side * SHARE.horizontal;
    const most = Math.max(1, ...lanes.map((names) => names.length));
    const narrow = Math.max(VERTICAL.least, Math.min(VERTICAL.most, Math.floor((side * SHARE.vertical) / most)));
    const isDrawn = !isPair || side >= DIAGRAM_MIN;
    const widthOf = !isDrawn ? () => 0 : this.hasVerticalNames ? () => narrow : named;
    this.sides = lanes.map((names) => new LanePlaces(names, widthOf));
    this.list = Math.max(LIST_MIN, Math.floor(side - Math.max(...this.sides.map(({ width }) => width))));
    this.sign = isPair && isDrawn ? SIGN.two : SIGN.one;
    this.number = Math.ceil(widths.words(String(Math.max(...scene.executions.map(({ events }) => events.length))))) + 6;
    const names = Math.ceil(Math.max(0, ...lanes.flat().map((name) => widths.words(name) * BOLD)));
    this.who = this.list < WHO_ROOM ? 0 : Math.min(names, WHO_MAX);
    this.text = this.list - this.sign - this.number - this.who - SPACES;
  }

  /** How the text of an event fits on its side. Two sides have no room for changes: the panel shows them. */
  fit({ scene }: Desk, side: Side, event: number): TextFit {
    const { events, sentences } = scene.execution(side);
    const { what = '', changes = [] } = sentences[event] ?? {};
    const process = events[event]?.process ?? '';
    const shown = this.sides.length === 2 ? [] : changes;
    if (this.who > 0) return fitOf({ what, changes: shown }, this.text, this.widths);
    const column = this.text - this.widths.words(process) * (BOLD - 1);
    return fitOf({ what: `${process} ${what}`, changes: shown }, column, this.widths);
  }

  /** Where the rows are: as high as the higher side. */
  places(desk: Desk): RowPlaces {
    const { rows, scene } = desk;
    const linesOf = (row: number): number => {
      if (rows.foldedAt(row) > 0) return 1;
      const lines = scene.lines.sides.map((side) => {
        const event = scene.lines.eventOn(rows.lineAt(row), side);
        return event === NONE ? 1 : this.fit(desk, side, event).lines;
      });
      return Math.max(...lines);
    };
    return new RowPlaces(rows, (row) => heightOfRow(linesOf(row)));
  }
}

/** How much wider names are in bold. */
const BOLD = 1.15;
