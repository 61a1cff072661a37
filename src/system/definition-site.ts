import { fileURLToPath } from 'node:url';

/** Where a system was defined, as far as the stack says. */
export interface DefinitionSite {
  /**
   * The module whose code led to the definition: the one that is being evaluated, or the test that called a function
   * which defines systems. A trace of a system that is hunted from a test names it, to be replayed by it. Undefined is
   * no harm: the module can be given.
   */
  readonly file: string | undefined;
  /** How many systems this file has defined by now: tells one system of a file from another. */
  readonly nth: number;
}

/** How many frames to look at: between a module and what it defines there may be functions of the user's. */
const FRAMES_MAX = 50;

/** Of the code that called our caller. */
export function definitionSite(): DefinitionSite {
  const file = fileAbove();
  const nth = (births.get(file) ?? 0) + 1;
  births.set(file, nth);
  return { file, nth };
}

const births = new Map<string | undefined, number>();

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

/** Not the user's: whatever evaluates modules and calls tests, and ourselves. */
const isForeign = (frame: string): boolean => isOurs(frame) || /[ (]node:|[\\/]node_modules[\\/]/.test(frame);

const isOurs = (frame: string): boolean => ourselves.some((folder) => pathIn(frame)?.startsWith(folder) === true);

/** What runs, and what it was built from: source maps may name either. */
const ourselves = ['src/', 'dist/'].map((folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)));

/** `at name (place:1:2)` or `at place:1:2`. A folder may have parentheses in its name too. */
function pathIn(frame: string): string | undefined {
  const place = /(?:^ *at (?:async )?|\()((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):\d+:\d+\)?$/.exec(frame)?.[1];
  return place?.startsWith('file:') === true ? fileURLToPath(place) : place;
}
