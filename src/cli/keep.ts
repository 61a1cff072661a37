import { mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { FileProblem } from '../files/file-problem.ts';
import { FOLDER, KEEP } from '../hosts/live/session/live-session.ts';
import { plural } from '../text/plural.ts';
import { shownPath } from '../text/shown-path.ts';
import { printErrorLines } from './output/lines.ts';

/**
 * Keeps the folders of real programs, and says at the end where they are. The variable reaches worker threads, too: they get a copy of
 * the environment. The line goes to standard error, because standard output may be one JSON object.
 */
export function keepFolders(folder: string): void {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new FileProblem(folder, 'written', error, 'Give another folder: --keep <folder>');
  }
  process.env[KEEP] = path;
  const before = new Set(readdirSync(path));
  process.once('exit', () => {
    const kept = readdirSync(path).filter((name) => name.startsWith(FOLDER) && !before.has(name));
    const what = kept.length === 0 ? 'nothing: no real program ran' : plural(kept.length, 'folder');
    printErrorLines([`kept      ${what} in ${shownPath(path)}`]);
  });
}
