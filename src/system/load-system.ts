import { createHash } from 'node:crypto';
import { lstatSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, Plugin } from 'esbuild';
import { mustHaveBuiltins } from './builtins.ts';
import { CompiledModule } from './compiled-module.ts';
import { CulpritError, isOf, stackOf } from '../error.ts';
import { FileProblem } from '../files/file-problem.ts';
import { LOAD_LIMITS, loadedWithin, type LoadLimits } from './load-limits.ts';
import { modulePath } from '../files/module-path.ts';
import { attempt } from '../files/temporary.ts';
import type { System } from './definition.ts';

/** A module from which no system can be had. */
export class BadModule extends CulpritError {
  readonly code = 'BAD_MODULE';
}

export interface LoadedSystem {
  readonly system: System;
  /** The file, from the folder of its package, with `/` between folders on every machine. */
  readonly module: string;
  /** A digest of what it and all that it imports by path were compiled to. */
  readonly code: string;
}

/** Loads the system that a module exports by default. */
export async function loadSystem(path: string, limits = LOAD_LIMITS): Promise<LoadedSystem> {
  const file = existingFile(path);
  const { exported, text } = await importCompiled(path, file, limits);
  const code = createHash('sha256').update(withoutMap(text)).digest('hex');
  // The loader knows where the system comes from, whatever the stack said.
  return { system: { ...systemIn(path, exported), file }, module: modulePath(file), code };
}

interface Imported {
  readonly exported: Record<string, unknown>;
  readonly text: string;
}

/** Compiles a module and imports what comes out: among the packages, or elsewhere where nothing more can be written there. */
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
    const { text, packages } = await compiled(path, file, place.path);
    place.write(text, packages);
    return { text, exported: await imported(path, place.path, limits) };
  } finally {
    place.remove();
  }
}

/** The source map names the file that is written and removed again, which is another every time. */
const withoutMap = (text: string): string => text.replace(/^\/\/# sourceMappingURL=.*$/m, '');

/** The whole path of a file, provided that it is there. */
export function existingFile(path: string): string {
  const file = resolve(path);
  const next = 'Give the path of a module that exports a system by default.';
  const found = foundAt(file, path, next);
  if (found?.isFile() === true) return file;
  const problem = found?.isDirectory() === true ? 'is a folder' : 'is neither a file nor a folder';
  throw new BadModule(found === undefined ? `there is no file ${path}.` : `${path} ${problem}, and no module.`, next);
}

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

/** The module and what it imports by path, as one JavaScript text: Node 20 runs no TypeScript. */
async function compiled(path: string, file: string, output: string): Promise<{ text: string; packages: string[] }> {
  // Loaded only now: it takes longer than everything else that a command needs.
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [file],
      // Not written there, but the source map leads from there to the sources.
      outfile: output,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [thisCulprit],
    });
    const imports = Object.values(metafile.outputs).flatMap((made) => made.imports);
    return { text: outputFiles[0]?.text ?? '', packages: imports.map((made) => made.path) };
  } catch (error) {
    const first = (error as Partial<BuildFailure>).errors?.[0];
    const where = first?.location ? `${first.location.file}:${first.location.line}: ` : '';
    throw new BadModule(
      `${path} cannot be compiled: ${where}${first?.text ?? String(error)}.`,
      'Fix the module; your compiler may say more.',
      { cause: error },
    );
  } finally {
    // It is a process of its own, and every worker has one.
    await stop();
  }
}

/** `culprit` means the one that runs, wherever the module lies and whatever else is installed there. */
const thisCulprit: Plugin = {
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
    const thrown = stackOf(error);
    throw new BadModule(
      `${path} threw while it was loaded: ${thrown}`,
      'Fix the module: importing it must only define the system.',
      { cause: error },
    );
  }
}

function systemIn(path: string, exported: Record<string, unknown>): System {
  const found = exported['default'];
  if (isSystem(path, found)) return found;
  const names = Object.keys(exported).join(', ') || 'nothing';
  throw new BadModule(
    `${path} exports no system by default (it exports ${names}).`,
    'End it with: export default defineSystem({ … })',
  );
}

/** What is exported may be a Proxy, or have a getter that throws. */
function isSystem(path: string, found: unknown): found is System {
  try {
    return typeof found === 'object' && found !== null && 'culprit' in found && found.culprit === 'system';
  } catch (error) {
    throw new BadModule(
      `${path} has a default export that throws on access: ${stackOf(error)}`,
      'End it with: export default defineSystem({ … })',
      { cause: error },
    );
  }
}
