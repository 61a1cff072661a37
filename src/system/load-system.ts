import { createHash } from 'node:crypto';
import { lstatSync, statSync, type Stats } from 'node:fs';
import { resolve as absolutePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { mustHaveBuiltins } from './builtins.ts';
import { CompiledModule } from './compiled-module.ts';
import { CulpritError, isOf, usersStackOf } from '../error.ts';
import { BadModule, bundled, type Bundle } from './bundle.ts';
import { importMeta } from './import-meta.ts';
import { FileProblem } from '../files/file-problem.ts';
import { didYouMeanFile, filesToChoose } from '../files/files-nearby.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { watchForHangs } from '../kernel/user-code/watchdog.ts';
import { modulePath } from '../files/module-path.ts';
import { attempt } from '../files/temporary.ts';
import type { System } from './definition.ts';

export interface LoadedSystem {
  readonly system: System;
  /** The path from the folder of its package, with `/` as separator on every platform. */
  readonly module: string;
  /** A digest of the compiled code of the module and of everything that it imports by path. */
  readonly code: string;
}

/** How long a module may take to load. */
interface LoadLimits {
  /** Maximum CPU time between two pauses. */
  readonly cpuMs: number;
  /** Maximum total time. */
  readonly wallMs: number;
}

/** Far more than large packages need, even on a busy machine. */
const LOAD_LIMITS: LoadLimits = { cpuMs: 10_000, wallMs: 30_000 };

/** Loads the system that a module exports by default. */
export async function loadSystem(path: string, limits = LOAD_LIMITS): Promise<LoadedSystem> {
  const file = existingFile(path);
  const { exported, text } = await importCompiled(path, file, limits);
  const code = createHash('sha256').update(withoutMap(text)).digest('hex');
  // The loader knows the file; the stack may name another one.
  return { system: { ...systemIn(path, exported), file }, module: modulePath(file), code };
}

interface Imported {
  readonly exported: Record<string, unknown>;
  readonly text: string;
}

/**
 * Compiles a module and imports the result: from `node_modules/.cache`, or from the temporary folder if the first is
 * not writable.
 */
async function importCompiled(path: string, file: string, limits: LoadLimits): Promise<Imported> {
  try {
    return await importFrom(CompiledModule.amongPackages(file), path, file, limits);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return await importFrom(CompiledModule.elsewhere(file), path, file, limits);
  }
}

async function importFrom(place: CompiledModule, path: string, file: string, limits: LoadLimits): Promise<Imported> {
  try {
    const { text, imports } = await compiled(path, file, place.path);
    place.write(text, imports);
    return { text, exported: await imported(path, place.path, limits) };
  } finally {
    place.remove();
  }
}

/** The source map contains the path of the temporary file, which differs every time. */
const withoutMap = (text: string): string => text.replace(/^\/\/# sourceMappingURL=.*$/m, '');

/** The absolute path of an existing file. */
export function existingFile(path: string): string {
  const file = absolutePath(path);
  const next = 'Give the path of a module that exports a system by default.';
  const found = foundAt(file, path, next);
  if (found?.isFile() === true) return file;
  if (found === undefined) throw new BadModule(`there is no file ${path}${didYouMeanFile(path)}`, next);
  if (!found.isDirectory()) throw new BadModule(`${path} is neither a file nor a folder, not a module.`, next);
  const systems = filesToChoose(path, SYSTEM_FILE);
  throw new BadModule(
    `${path} is a folder, not a module.`,
    systems === undefined ? next : `Give a system in it: ${systems}`,
  );
}

/** What files with systems are called by convention. */
const SYSTEM_FILE = /\.system\.[cm]?[jt]s$/;

/** Undefined where nothing is there. */
function foundAt(file: string, path: string, next: string): Stats | undefined {
  try {
    return statSync(file);
  } catch (error) {
    const isThere = attempt(() => void lstatSync(file));
    if (isThere || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw new FileProblem(path, 'read', error, next);
    return undefined;
  }
}

/** The module and its imports by path, as JavaScript: Node 20 runs no TypeScript. */
const compiled = (path: string, file: string, output: string): Promise<Bundle> =>
  // The bundle is not written here, but its source map is relative to this path.
  bundled(path, file, { outfile: output, packages: 'external', plugins: [thisCulprit, importMeta] });

/** Resolves `culprit` to the running copy, wherever the module lies and whichever version is installed there. */
const thisCulprit: Esbuild.Plugin = {
  name: 'this-culprit',
  setup(hooks) {
    hooks.onResolve({ filter: /^culprit(\/.*)?$/ }, ({ path }) => ({
      path: import.meta.resolve(path),
      external: true,
    }));
  },
};

async function imported(path: string, output: string, limits: LoadLimits): Promise<Record<string, unknown>> {
  process.setSourceMapsEnabled(true);
  try {
    const load = (): Promise<Record<string, unknown>> => import(pathToFileURL(output).href);
    const exported = await loadedWithin(path, limits, load);
    mustHaveBuiltins(path);
    return exported;
  } catch (error) {
    mustHaveBuiltins(path);
    if (isOf(error, CulpritError)) throw error;
    const thrown = usersStackOf(error);
    throw new BadModule(
      `${path} threw while it was loaded: ${thrown}`,
      'Fix the module: importing it must only define the system.',
      { cause: error },
    );
  }
}

/** A module whose top level does not finish. */
class NotLoaded extends CulpritError {
  readonly code = 'NOT_LOADED';

  constructor(path: string, why: string) {
    super(`${path} does not finish loading: ${why}.`, 'At its top level, the module must only define the system.');
  }
}

/**
 * Imports a module that may loop forever or await a promise that never settles. A loop is interrupted in the middle,
 * and Node may not recover from that: the process should report it and exit, as commands do.
 */
function loadedWithin<T>(path: string, { cpuMs, wallMs }: LoadLimits, load: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const over = (): void => {
      watch.end();
      clearTimeout(late);
      process.off('beforeExit', abandoned);
    };
    const giveUp = (why: string): void => {
      over();
      reject(new NotLoaded(path, why));
    };
    const hangs = ({ spent }: TimedOut): void =>
      giveUp(`its top level ran for ${Math.round(spent.wallMs)} ms without a pause, and was ended`);
    // No event can settle the promise any more: Node is about to exit.
    const abandoned = (): void => {
      try {
        watch.beat();
        giveUp('it awaits a promise that never settles');
      } catch (error) {
        if (!(error instanceof TimedOut)) throw error;
        hangs(error);
      }
    };
    const late = setTimeout(() => giveUp(`it still awaits a promise after ${wallMs} ms`), wallMs).unref();
    process.once('beforeExit', abandoned);
    const watch = watchForHangs({ limitMs: wallMs, boundMs: cpuMs, isMeasured: true }, hangs);
    watch.unref();
    watch.beat();
    load().finally(over).then(resolve, reject);
  });
}

function systemIn(path: string, exported: Record<string, unknown>): System {
  const found = exported['default'];
  if (isSystem(path, found)) return found;
  if (found instanceof Promise)
    throw new BadModule(`${path} exports a promise by default, not a system.`, 'Await it: export default await …');
  const names = Object.keys(exported).join(', ') || 'nothing';
  throw new BadModule(
    `${path} exports no system by default (it exports ${names}).`,
    'End it with: export default defineSystem({ … })',
  );
}

/** The export may be a Proxy, or have a getter that throws. */
function isSystem(path: string, found: unknown): found is System {
  try {
    return typeof found === 'object' && found !== null && 'culprit' in found && found.culprit === 'system';
  } catch (error) {
    throw new BadModule(
      `${path} has a default export that throws on access: ${usersStackOf(error)}`,
      'End it with: export default defineSystem({ … })',
      { cause: error },
    );
  }
}
