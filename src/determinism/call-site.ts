import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The place where code of the system called something. */
export interface Site {
  /** `file:line`, relative to the current folder if it lies below. */
  readonly at: string;
  /** The package that called it on behalf of that line. */
  readonly through: string | undefined;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const ownFolders = ['src', 'dist'].map((folder) => join(root, folder) + sep);

/** The number of stack frames to search: packages call deep. */
const FRAMES_MAX = 40;

/**
 * The place of the current call of `callee`; undefined if culprit calls it, or the place is unknown. For calls from
 * packages, the line of the system that called the package.
 */
export function callSite(callee: (...args: never) => unknown): Site | undefined {
  const places = framesAbove(callee).flatMap((frame) => placeIn(frame) ?? []);
  const ownAt = places.findIndex(({ file }) => ownFolders.some((folder) => file.startsWith(folder)));
  const theirs = ownAt < 0 ? places : places.slice(0, ownAt);
  const [nearest] = theirs;
  if (nearest === undefined) return undefined;
  const { file, line } = theirs.find((place) => packageOf(place.file) === undefined) ?? nearest;
  return { at: `${shown(file)}:${line}`, through: packageOf(nearest.file) };
}

/** The lines of the stack, innermost first. */
function framesAbove(callee: (...args: never) => unknown): string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES_MAX;
  const where: { stack?: string } = {};
  Error.captureStackTrace(where, callee);
  const frames = where.stack?.split('\n') ?? [];
  Error.stackTraceLimit = before;
  return frames;
}

interface CallPlace {
  readonly file: string;
  readonly line: string;
}

function placeIn(frame: string): CallPlace | undefined {
  const found = /[( ](file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?$/.exec(frame);
  if (found === null) return undefined;
  const [, url, path = '', line = ''] = found;
  return { file: url === undefined ? path : decodeURIComponent(path), line };
}

const packageOf = (file: string): string | undefined =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1];

function shown(file: string): string {
  const fromHere = relative('', file);
  return fromHere.startsWith('..') ? file : fromHere;
}
