import { Component } from 'preact';
import type { Desk } from '../model/desk.ts';
import type { Execution, Standing } from '../model/execution.ts';
import { foldWords, type Fold } from '../model/folds.ts';
import type { Layout } from '../model/layout.ts';
import { NONE, type Side } from '../model/lines.ts';
import type { RowPlaces } from '../model/row-places.ts';
import type { Scene } from '../model/scene.ts';

/** All inputs of a row's appearance: while they are equal, the row is not drawn again. */
interface Look {
  readonly scene: Scene;
  readonly line: number;
  readonly row: number;
  readonly rows: number;
  readonly top: number;
  readonly height: number;
  readonly folded: number;
  readonly fold: Fold | undefined;
  /** Whether the name of a process is part of the text. */
  readonly isNamedInText: boolean;
  /** The changes that have room behind the sentence. */
  readonly changes: string;
  readonly isHere: boolean;
  readonly isFound: boolean;
  readonly isMarked: boolean;
  /** The relation of its events to the one at the cursor, left and right; only the side of the cursor has one. */
  readonly left: Standing | undefined;
  readonly right: Standing | undefined;
}

export interface Drawn {
  readonly layout: Layout;
  readonly places: RowPlaces;
  readonly isFound: boolean;
}

export function lookOf(desk: Desk, row: number, { layout, places, isFound }: Drawn): Look {
  const { rows, scene, settings } = desk;
  const line = rows.lineAt(row);
  return {
    scene,
    line,
    row,
    rows: rows.length,
    top: places.top(row),
    height: places.height(row),
    folded: rows.foldedAt(row),
    fold: rows.foldAt(row),
    isNamedInText: layout.who === 0,
    changes: layout.fit(desk, 0, scene.lines.eventOn(line, 0)).changes,
    isHere: desk.row === row,
    isFound,
    isMarked: settings.marked.includes(scene.lines.eventOn(line, 0)),
    left: desk.standing(0, scene.lines.eventOn(line, 0)),
    right: desk.standing(1, scene.lines.eventOn(line, 1)),
  };
}

export const rowId = (line: number): string => `row-${line}`;

interface Props {
  readonly look: Look;
  readonly onPick: (row: number, side: Side) => void;
  readonly onOpen: (line: number) => void;
}

/** One row of the list: an event in words on each side, or a fold. The diagram is drawn over it. */
export class Row extends Component<Props> {
  override shouldComponentUpdate({ look }: Props): boolean {
    const before = this.props.look;
    return (Object.keys(look) as (keyof Look)[]).some((key) => look[key] !== before[key]);
  }

  override render({ look, onPick, onOpen }: Props) {
    const { scene, line, row, rows, folded, fold, isHere, top, height } = look;
    return (
      <div
        id={rowId(line)}
        role="option"
        aria-selected={isHere}
        aria-posinset={row + 1}
        aria-setsize={rows}
        class={classOf(look)}
        style={{ top: `${top}px`, height: `${height}px` }}
        onClick={(click) => (folded > 0 ? onOpen(line) : onPick(row, sideOf(click.target)))}
      >
        {fold !== undefined ? (
          <div class="cell folded">
            <span class="sign">▸</span> {foldWords(fold, folded, scene)}
          </div>
        ) : (
          scene.lines.sides.map((side) => <Cell key={side} look={look} side={side} />)
        )}
      </div>
    );
  }
}

function classOf({ scene, line, isHere, isFound, folded }: Look): string {
  const { lines } = scene;
  const classes = ['row', isHere && 'here', isFound && 'found', folded > 0 && 'fold', `how-${lines.how(line)}`];
  return [...classes, lines.divergence === line && 'divergence'].filter(Boolean).join(' ');
}

/** The side of a click: cells name it, anything beside them belongs to the first. */
const sideOf = (target: EventTarget | null): Side =>
  target instanceof Element && target.closest('[data-side="1"]') !== null ? 1 : 0;

function Cell({ look, side }: { readonly look: Look; readonly side: Side }) {
  const { scene, line } = look;
  const execution = scene.execution(side);
  const { events, sentences, violation } = execution;
  const event = scene.lines.eventOn(line, side);
  if (event === NONE) return <div class="cell none" data-side={side} />;
  const { process } = events[event] ?? { process: '' };
  const { what, changes } = sentences[event] ?? { what: '', changes: [] };
  const standing = (side === 0 ? look.left : look.right) ?? 'other';
  return (
    <div class={`cell ${standing} ${classOfCell(execution, event)}`} data-side={side}>
      <span class="sign">{event === violation ? '✗' : side === 0 && look.isMarked ? '◆' : signs[standing]}</span>
      <span class="number">{event + 1}</span>
      {!look.isNamedInText && (
        <span class="who" title={process}>
          {process}
        </span>
      )}
      <div class="text">
        {look.isNamedInText && (
          <>
            <span class="who">{process}</span>{' '}
          </>
        )}
        <span class="what">{what}</span>
        {side === 0 && <Changes shown={look.changes} all={changes} />}
      </div>
    </div>
  );
}

/** Those that have room; all of them for the pointer. */
const Changes = ({ shown, all }: { readonly shown: string; readonly all: readonly string[] }) =>
  shown === '' ? null : (
    <span class="changes" title={all.join('\n')}>
      {shown}
    </span>
  );

function classOfCell(execution: Execution, event: number): string {
  const { sentences, violation } = execution;
  const step = sentences[event]?.step;
  const isNewStep = step !== undefined && event > 0 && sentences[event - 1]?.step !== step;
  return `${event === violation ? 'violation' : ''} ${isNewStep ? 'step' : ''}`;
}

/** The meaning of the colors, as text. */
const signs: Readonly<Partial<Record<Standing | 'other', string>>> = { past: '↑', future: '↓' };
