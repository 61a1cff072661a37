import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CulpritError } from '../error.ts';
import { BadModule } from '../system/bundle.ts';
import { foldersAbove } from '../files/module-path.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Trace } from '../trace/format.ts';

/** Commands that execute the system of a trace. All of them take `--system`. */
export type ExecutingCommand = 'explain' | 'export' | 'minimize' | 'replay' | 'step' | 'view';

/** Their help text about it. */
export const executes = (runs = 'Runs'): string => `
${runs} the module that the trace names, and its imports, if the module is in the git repository or
package of the trace or of the current folder. A module elsewhere runs only if --system names it.`;

/** The help text of `--system`. */
export const SYSTEM_OPTION = 'path of the system, if it has moved or is outside of the package';

/** Reading a trace must not run the module that it names: anyone may have written the trace. */
export class ModuleOutside extends CulpritError {
  readonly code = 'MODULE_OUTSIDE';

  constructor(tracePath: string, file: string, command: ExecutingCommand) {
    super(
      `${tracePath} asks to run ${printable(file)}, which is outside of the package of the trace and of the current folder.`,
      `If you trust that file, allow it: culprit ${command} ${shellWord(tracePath)} --system ${shellWord(file)}`,
    );
  }
}

/**
 * Finds the file that exports the system of a trace. Looks in the folder of the trace and the folders above it, then in
 * the current folder and those above it, and never outside of their git repository or package.
 */
export function moduleOf({ header: { module } }: Trace, tracePath: string, command: ExecutingCommand): string {
  if (module === null)
    throw new BadModule(
      `${tracePath} does not name the module of its system.`,
      `Name it: culprit ${command} ${shellWord(tracePath)} --system path/to/system.ts`,
    );
  if (isAbsolute(module) || URL_LIKE.test(module)) throw new ModuleOutside(tracePath, module, command);
  const places = placesOf(tracePath).map(({ folder, root }) => ({ file: join(folder, module), root }));
  const found = places.find(({ file, root }) => isWithin(file, root) && existsSync(file));
  if (found !== undefined) {
    const real = realpathSync(found.file);
    if (!isWithin(real, realpathSync(found.root))) throw new ModuleOutside(tracePath, real, command);
    return found.file;
  }
  const outside = places.filter(({ file, root }) => !isWithin(file, root));
  const refused = outside.find(({ file }) => existsSync(file)) ?? outside[0];
  if (refused !== undefined) throw new ModuleOutside(tracePath, refused.file, command);
  throw new BadModule(
    `the trace names the module ${printable(module)}, which does not exist.`,
    `Give its new path: culprit ${command} ${shellWord(tracePath)} --system ${shellWord(`path/to/${basename(module)}`)}`,
  );
}

/** `file:///x.js`, `data:…`, and `C:` of Windows. */
const URL_LIKE = /^[a-z][a-z\d+.-]*:/i;

/** A folder to start from, and the folder that must not be left. */
interface ModulePlace {
  readonly folder: string;
  readonly root: string;
}

/**
 * Outside of a repository and a package, only the folder itself is searched; then the folder of the trace is not
 * trusted.
 */
function placesOf(tracePath: string): ModulePlace[] {
  const [beside, here] = [dirname(resolve(tracePath)), process.cwd()];
  return [...placesUpTo(rootOf(beside), beside), ...placesUpTo(rootOf(here) ?? here, here)];
}

/** The git repository of a folder, or else its package; undefined if it has neither. */
function rootOf(folder: string): string | undefined {
  const folders = [...foldersAbove(folder)];
  const nearestWith = (name: string): string | undefined => folders.find((at) => existsSync(join(at, name)));
  return nearestWith('.git') ?? nearestWith('package.json');
}

const placesUpTo = (root: string | undefined, folder: string): ModulePlace[] =>
  root === undefined
    ? []
    : [...foldersAbove(folder)].filter((at) => isWithin(at, root)).map((at) => ({ folder: at, root }));

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
