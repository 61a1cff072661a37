import { amount, callback, countOrEndless, field, list } from '../kernel/options/fields.ts';
import { optionsOf } from '../kernel/options/options.ts';
import type { Trace, EventLine } from '../trace/format.ts';
import { paddedEnd, paddedStart, widthOf } from '../text/width.ts';
import { wrap, wrapLines, wrapList } from '../text/wrap.ts';
import { Causality } from '../trace/causality.ts';
import { eventOf } from '../trace/codec.ts';
import { relevanceOf } from '../trace/relevance.ts';
import { stepsOf } from './steps.ts';
import { verdictLines } from './verdict-lines.ts';
import { printable } from '../text/printable.ts';
import { withCommas } from '../text/with-commas.ts';

/** The role of a piece of text: the painter decides how it looks. */
export type Role = 'bad' | 'number' | 'state' | 'change' | 'place' | { readonly process: string };

/** Adds color to a piece of text without changing its width. */
export type Paint = (text: string, role: Role) => string;

/** The place of the code that handled each event, as `lock.ts:31`; null or undefined if unknown. */
type EventPlaces = readonly (string | null | undefined)[];

/** How the story of an execution is printed. */
export interface ExplainOptions {
  /** The number of columns: longer lines are wrapped. Unlimited by default. */
  readonly width?: number | undefined;
  /** The maximum number of steps, of which the last ones are shown. All of them by default. */
  readonly stepsMax?: number | undefined;
  /** The place of the code that handled each event, as `lock.ts:31`, shown below the steps. None by default. */
  readonly places?: EventPlaces;
  /** Plain text by default. */
  readonly paint?: Paint;
}

const placeField = field(
  'a text, or null',
  (value) => typeof value === 'string' || value === null || value === undefined,
);

export const explainOptions = optionsOf<ExplainOptions>('explainLines', {
  width: amount,
  stepsMax: countOrEndless(0),
  places: list('a list of texts, one for each event', placeField),
  paint: callback,
});

/** The verdict, then the execution step by step. */
export function explainLines(trace: Trace, given: ExplainOptions = {}): string[] {
  const options = explainOptions.checked(given);
  const { paint = plain } = options;
  const [verdict = '', ...rest] = wrapLines(verdictLines(trace), options.width);
  return [verdict.replace(/^violated/, (word) => paint(word, 'bad')), ...rest, '', ...stepLines(trace, options)];
}

export const plain: Paint = (text) => text;

/** The steps as aligned lines: number, process, event, changes. If their number is limited, those that did not lead to a violation are one. */
export function stepLines(trace: Trace, options: ExplainOptions = {}): string[] {
  const { width = Number.POSITIVE_INFINITY, stepsMax = Number.POSITIVE_INFINITY, paint = plain } = options;
  const rows = rowsOf(trace.events, options);
  const all = Number.isFinite(stepsMax) ? withFolds(rows, trace) : rows;
  const shown = all.slice(Math.max(0, all.length - stepsMax));
  const columns = columnsFor(shown, width);
  const left = (shown[0]?.first ?? 1) - 1;
  return [
    ...(left === 0 ? [] : [paint(`  … ${withCommas(left)} earlier events`, 'number')]),
    ...shown.flatMap((row) => linesOf(row, columns, paint)),
  ];
}

/** A step as a row of text. */
interface StoryRow {
  readonly first: number;
  readonly last: number;
  readonly number: string;
  readonly who: readonly string[];
  readonly what: string;
  /** The state label, if it differs from the last one shown for this process. */
  readonly stateLabel: string;
  readonly changes: string;
  /** The places of the code that handled its events. */
  readonly places: string;
}

/** Several steps in a row that did not lead to the violation are one row. All that is left in a minimized execution did. */
function withFolds(rows: readonly StoryRow[], trace: Trace): readonly StoryRow[] {
  const { events, header } = trace;
  const marks =
    header.minimized === undefined ? relevanceOf(trace, new Causality(events.map((line) => eventOf(line)))) : undefined;
  if (marks === undefined) return rows;
  const isIdle = ({ first, last }: StoryRow): boolean => marks.subarray(first - 1, last).every((mark) => mark === 0);
  const folded: StoryRow[] = [];
  for (const [at, row] of rows.entries()) {
    const before = folded.at(-1);
    const isNext = before !== undefined && isIdle(row) && isIdle(rows[at - 1] as StoryRow);
    if (isNext) folded[folded.length - 1] = foldOf(before.first, row.last);
    else folded.push(row);
  }
  return folded;
}

const foldOf = (first: number, last: number): StoryRow => ({
  first,
  last,
  number: `${first}–${last}`,
  who: [],
  what: `… ${withCommas(last - first + 1)} events that did not lead to it`,
  stateLabel: '',
  changes: '',
  places: '',
});

/** If a state has more changes than this, the rest is only counted. */
const CHANGES_MAX = 8;

function rowsOf(events: Trace['events'], { places = [] }: ExplainOptions): StoryRow[] {
  const known = new Map<string, string>();
  return stepsOf(events).map(({ first, last, who, what, stateLabel = '', changes }) => {
    const isNews = stateLabel !== '' && who.some((name) => known.get(name) !== stateLabel);
    for (const name of who) if (stateLabel !== '') known.set(name, stateLabel);
    const number = first === last ? String(first) : `${first}–${last}`;
    return {
      first,
      last,
      number,
      who,
      what,
      stateLabel: isNews ? stateLabel : '',
      changes: few(changes.filter((change) => !isSaid(change, stateLabel))).join(', '),
      places: stepPlaces(who, events.slice(first - 1, last), places),
    };
  });
}

/**
 * Whether the system's words for the state name the new value of a field: *leader of term 2* says `role: Candidate → Leader` and
 * `term: 1 → 2`. A number alone may be that of another field.
 */
function isSaid(change: string, stateLabel: string): boolean {
  const [, name = '', value] = /^(?:.*\.)?([^.:]+): .* → (.+)$/.exec(change.toLowerCase()) ?? [];
  if (value === undefined || stateLabel === '') return false;
  const words = stateLabel.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return words.includes(value) && (Number.isNaN(Number(value)) || words.includes(name));
}

const few = (changes: readonly string[]): readonly string[] =>
  changes.length <= CHANGES_MAX
    ? changes
    : [...changes.slice(0, CHANGES_MAX - 1), `… ${changes.length - CHANGES_MAX + 1} more`];

interface Columns {
  readonly number: number;
  readonly who: number;
  /** The column of the changes, counted from behind the number. */
  readonly became: number;
  /** The width behind the number. */
  readonly room: number;
}

/** Longer texts do not widen the column. */
const HEAD_MAX = 64;
/** The share of the width for process and event, if the width is limited. */
const HEAD_SHARE = 0.6;

function columnsFor(rows: readonly StoryRow[], width: number): Columns {
  const widest = (lengths: readonly number[]): number => lengths.reduce((most, length) => Math.max(most, length), 0);
  const number = widest(rows.map((row) => widthOf(row.number)));
  const names = rows.flatMap(({ who: [first = '', ...others] }) => (others.length === 0 ? [widthOf(first)] : []));
  const who = widest(names.filter((length) => length <= HEAD_MAX));
  const room = width - number - 4;
  const most = Number.isFinite(room) ? Math.floor(room * HEAD_SHARE) : HEAD_MAX;
  const heads = rows
    .filter((row) => row.who.length === 1 && effectsOf(row) !== '')
    .map((row) => widthOf(head(row, who)));
  return { number, who, room, became: widest(heads.filter((length) => length <= most)) };
}

/** Process and event: in two columns, or as a sentence if there are several processes. */
const head = (row: StoryRow, column: number): string =>
  row.who.length === 1 ? `${nameColumn(row, column)}${row.what}` : `${row.who.join(', ')} ${row.what}`.trimStart();

const nameColumn = ({ who: [name = ''] }: StoryRow, column: number): string => `${paddedEnd(name, column)}  `;

const effectsOf = ({ stateLabel, changes }: StoryRow): string =>
  [stateLabel, changes].filter((part) => part !== '').join('; ');

function linesOf(row: StoryRow, columns: Columns, paint: Paint): string[] {
  const number = `  ${paint(paddedStart(row.number, columns.number), 'number')}  `;
  const indent = ' '.repeat(columns.number + 4);
  const [first = '', ...more] = [...behindNumber(row, columns, paint), ...placeLines(row, columns, paint)];
  return [`${number}${first}`.trimEnd(), ...more.map((line) => `${indent}${line}`)];
}

/** The lines below the event. */
function placeLines(row: StoryRow, columns: Columns, paint: Paint): string[] {
  const indent = indentOf(row, columns);
  return wrapList(row.places, columns.room - indent.length).map((line) => `${indent}${paint(line, 'place')}`);
}

const indentOf = ({ who }: StoryRow, columns: Columns): string =>
  ' '.repeat(who.length === 1 ? columns.who + 2 : INDENT);

/** With less room for them, changes begin further to the left, so that a field and its value stay on one line. */
const CHANGES_ROOM = 28;

/** The indentation of changes below an event. */
const belowIndent = (indent: string, { room }: Columns): string =>
  indent.length > INDENT && room - indent.length - 2 < CHANGES_ROOM ? ' '.repeat(INDENT) : `${indent}  `;

/** Puts as much on one line as fits, and the rest below. */
function behindNumber(row: StoryRow, columns: Columns, paint: Paint): string[] {
  const whole = head(row, columns.who);
  const room = columns.room - Math.max(widthOf(whole), columns.became) - 2;
  const beside = (text: string): string => `${paintedHead(paddedEnd(whole, columns.became), row, paint)}  ${text}`;
  const all = effectsOf(row);
  if (all === '' && widthOf(whole) <= columns.room) return [paintedHead(whole, row, paint)];
  if (all !== '' && widthOf(all) <= room) return [beside(paintedBecame(row, paint))];
  const indent = indentOf(row, columns);
  const under = belowIndent(indent, columns);
  const below = (text: string, role: Role): string[] =>
    wrapList(text, columns.room - under.length).map((line) => `${under}${paint(line, role)}`);
  if (row.stateLabel !== '' && widthOf(row.stateLabel) <= room)
    return [beside(paint(row.stateLabel, 'state')), ...below(row.changes, 'change')];
  const name = row.who.length === 1 ? nameColumn(row, columns.who) : '';
  const [first = '', ...rest] = wrap(whole.slice(name.length), columns.room - indent.length);
  return [
    paintedHead(`${name}${first}`, row, paint),
    ...rest.map((line) => `${indent}${line}`),
    ...(all !== '' && widthOf(all) <= columns.room - under.length
      ? [`${under}${paintedBecame(row, paint)}`]
      : [...below(row.stateLabel, 'state'), ...below(row.changes, 'change')]),
  ];
}

/** The indentation of wrapped lines if a step has several processes. */
const INDENT = 4;

function paintedBecame({ stateLabel, changes }: StoryRow, paint: Paint): string {
  if (stateLabel === '') return paint(changes, 'change');
  return changes === ''
    ? paint(stateLabel, 'state')
    : `${paint(stateLabel, 'state')}${paint(`; ${changes}`, 'change')}`;
}

/** Paints each name that the first line of the text begins with. */
function paintedHead(text: string, { who }: StoryRow, paint: Paint): string {
  let painted = '';
  let rest = text;
  for (const name of who) {
    if (!rest.startsWith(name)) break;
    painted += paint(name, { process: name });
    rest = rest.slice(name.length);
    const separator = rest.startsWith(', ') ? ', ' : '';
    painted += separator;
    rest = rest.slice(separator.length);
  }
  return painted + rest;
}

/** At most this many processes are named beside a place. */
const NAMES_MAX = 3;

/**
 * The places of a step. If its processes have different places, each place is followed by their names. Empty if no
 * place is known.
 */
function stepPlaces(who: readonly string[], lines: readonly EventLine[], places: EventPlaces): string {
  const byPlace = new Map<string, Set<string>>();
  for (const { event, process } of lines) {
    const place = places[event - 1];
    if (typeof place !== 'string') continue;
    byPlace.set(place, (byPlace.get(place) ?? new Set()).add(printable(process)));
  }
  if (byPlace.size === 0) return '';
  const isCommon = ({ size }: ReadonlySet<string>): boolean => who.length === 1 || size === who.length;
  const shown = [...byPlace].map(([place, names]) =>
    isCommon(names) ? printable(place) : `${printable(place)} (${fewNames([...names])})`,
  );
  return `at ${shown.join(', ')}`;
}

const fewNames = (names: readonly string[]): string =>
  names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX - 1).join(', ')}, … ${names.length - NAMES_MAX + 1} more`;
