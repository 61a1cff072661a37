import { fileURLToPath } from 'node:url';

/** Where a system was defined, as read from the stack. */
export interface DefinitionSite {
  /**
   * The module whose code led to the definition: the module under evaluation, or the test that called a function which
   * defines systems. The trace of a hunt in a test names this file, so that it can be replayed. If it is undefined, the
   * user passes the module.
   */
  readonly file: string | undefined;
  /**
   * The number of systems that this file has defined so far, this one included: distinguishes the systems of one file.
   */
  readonly nth: number;
}

/** The number of stack frames to read: a module may call several functions of its own before it defines a system. */
const FRAMES_MAX = 50;

/** The site of the code that called our caller. */
export function definitionSite(): DefinitionSite {
  const file = fileAbove();
  const nth = (definedSoFar.get(file) ?? 0) + 1;
  definedSoFar.set(file, nth);
  return { file, nth };
}

const definedSoFar = new Map<string | undefined, number>();

function fileAbove(): string | undefined {
  const frames = stackLines();
  const theirs = frames.slice(frames.findIndex((frame) => !isOurs(frame)));
  const foreign = theirs.findIndex(isForeign);
  return theirs
    .slice(0, foreign < 0 ? undefined : foreign)
    .map(pathIn)
    .findLast((path) => path !== undefined);
}

function stackLines(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES_MAX;
  const [, ...lines] = new Error('where').stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  return lines;
}

/** A frame of Node, of a package such as a test runner, or of culprit. */
const isForeign = (frame: string): boolean => isOurs(frame) || /[ (]node:|[\\/]node_modules[\\/]/.test(frame);

const isOurs = (frame: string): boolean => ourselves.some((folder) => pathIn(frame)?.startsWith(folder) === true);

/** The folders of culprit: the built code, and the sources that source maps name. */
const ourselves = ['src/', 'dist/'].map((folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)));

/** `at name (place:1:2)` or `at place:1:2`. A folder may have parentheses in its name too. */
function pathIn(frame: string): string | undefined {
  const place = /(?:^ *at (?:async )?|\()((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):\d+:\d+\)?$/.exec(frame)?.[1];
  return place?.startsWith('file:') === true ? fileURLToPath(place) : place;
}
