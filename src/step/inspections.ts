import { brief } from '../explain/brief.ts';
import { prettyLines, partAt } from '../explain/pretty-data.ts';
import { sentenceOf } from '../explain/story.ts';
import { storyLines } from '../explain/table.ts';
import { Causality } from '../trace/causality.ts';
import type { EventLine } from '../trace/format.ts';
import { toPortable } from '../trace/json-encoding.ts';
import { BadCommand } from './bad-command.ts';
import type { Choice } from './choices.ts';
import { namesIn } from './names.ts';
import { aligned } from '../text/aligned.ts';
import { labeled } from './rows.ts';
import type { Track } from './track.ts';
import { lastInWords } from './worded.ts';
import { split } from './words.ts';

/** The default width. */
const WIDTH = 100;

/** Every process on a line, or one process: its whole state, or the part at a path. */
export function stateLines(rest: string, track: Track, width = WIDTH): string[] {
  const [name, path] = split(rest);
  if (name === '') return aligned(namesIn(track).map((one) => [one, inBrief(one, track)])).map((line) => `  ${line}`);
  if (path === '') return wholeProcess(name, track, width);
  const part = partAt(portableState(name, track), path);
  if ('found' in part) return labeled(name, prettyLines(part.found, width - 10));
  throw new BadCommand(
    `${name} has no ${path} in its state: ${part.missing}.`,
    `Such as: state ${name}, or with a path like log.0.term.`,
  );
}

function inBrief(name: string, { session: { world } }: Track): string {
  const { up, state, restarts } = viewOf(world, name);
  const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
  return up ? `${brief(toPortable(state, name))}${again}` : `not up${again}`;
}

function wholeProcess(name: string, track: Track, width: number): string[] {
  const { up, state, restarts, disk } = viewOf(track.session.world, name);
  const lines = (value: unknown): string[] => prettyLines(toPortable(value, name), width - 10);
  return [
    ...labeled('state', up ? lines(state) : ['not up']),
    ...(disk.size === 0 ? [] : labeled('disk', lines(disk))),
    ...(restarts === 0 ? [] : labeled('restarts', [String(restarts)])),
  ];
}

const portableState = (name: string, { session: { world } }: Track): unknown =>
  toPortable(viewOf(world, name).state, name);

const viewOf = (world: Track['session']['world'], name: string): ReturnType<typeof world.process> =>
  world.process(name);

/** All pending events, with the numbers by which they can be chosen, lost or duplicated. */
export function pendingLines(shown: readonly Choice[]): string[] {
  const rows = shown.flatMap(({ event, who, what, note }, at) =>
    'hi' in event ? [[String(at + 1), who, what, note]] : [],
  );
  return labeled('pending', rows.length === 0 ? ['nothing'] : numbers(rows));
}

/** The first events that can happen next. */
export function choiceLines(choices: readonly Choice[], most: number): string[] {
  const rows = choices.map(({ who, what, note }, at) => [String(at + 1), who, what, note]);
  if (rows.length <= most) return labeled('choose', numbers(rows));
  const left = rows.length - most + 1;
  return labeled('choose', [...numbers(rows.slice(0, most - 1)), `… ${left} more: \`list\` shows them`]);
}

/** Aligns the first column to the right. */
function numbers(rows: readonly (readonly string[])[]): string[] {
  const widest = Math.max(...rows.map(([number = '']) => number.length));
  return aligned(rows.map(([number = '', ...cells]) => [number.padStart(widest), ...cells]));
}

/** One event: its content, its consequences and its changes. */
export function eventLines(rest: string, track: Track, width = WIDTH): string[] {
  const lines = lastInWords(track.lines, track.lines.length, track.origin);
  const line = eventCalled(rest, lines);
  const { who, what, changes } = sentenceOf(line);
  const message = 'message' in line ? prettyLines(line.message, width - 10) : [];
  return [
    ...labeled(`event ${line.event}`, [`${who} ${what}`]),
    ...labeled('cause', [line.cause === 0 ? 'none: the environment did it' : causeOf(line.cause, lines)]),
    ...(message.length === 0 ? [] : labeled('message', message)),
    ...labeled('changed', changes.length === 0 ? ['nothing'] : changes),
  ];
}

function causeOf(number: number, lines: readonly EventLine[]): string {
  const line = lines[number - 1];
  const shown = line && sentenceOf(line);
  return `event ${number}${shown === undefined ? '' : `: ${shown.who} ${shown.what}`}`;
}

/** The last events, or all of them. */
export const lastEventLines = (lines: readonly EventLine[], most: number, width?: number): string[] =>
  storyLines(lines, { linesMax: most, ...(width === undefined ? {} : { width }) });

/** All events that happened before an event, and the event itself. */
export function pastLines(rest: string, track: Track, width?: number): string[] {
  const lines = lastInWords(track.lines, track.lines.length, track.origin);
  const { event } = eventCalled(rest, lines);
  const past = new Set(new Causality(track.events).past(event - 1));
  const shown = lines.filter((_line, at) => past.has(at) || at === event - 1);
  return storyLines(shown, { linesMax: shown.length, ...(width === undefined ? {} : { width }) });
}

/** The event with this number, or the last one. */
function eventCalled(rest: string, lines: readonly EventLine[]): EventLine {
  const found = rest === '' ? lines.at(-1) : /^\d+$/.test(rest) ? lines[Number(rest) - 1] : undefined;
  if (found !== undefined) return found;
  throw new BadCommand(
    lines.length === 0 ? 'nothing has happened yet.' : `there is no event ${rest}: there are ${lines.length}.`,
    '`story` shows the events with their numbers.',
  );
}
