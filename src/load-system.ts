import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import type { BuildFailure, Plugin } from 'esbuild';
import { CulpritError, isOf, stackOf } from './error.ts';
import { LOAD_LIMITS, loadedWithin, type LoadLimits } from './loading.ts';
import { foldersAbove, modulePath, packageFolder } from './module-path.ts';
import type { System } from './targets/actors/system.ts';
import type { Trace } from './trace/format.ts';

/** A module from which no system can be had. */
class BadModule extends CulpritError {
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
  const output = outputOf(file, threadId, ++compilations);
  const text = await compiled(path, file, output);
  const exported = await importText(path, output, text, limits);
  const code = createHash('sha256').update(withoutMap(text)).digest('hex');
  // The loader knows where the system comes from, whatever the stack said.
  return { system: { ...systemIn(path, exported), file }, module: modulePath(file), code };
}

/** The source map names the file that is written and removed again, which is another every time. */
const withoutMap = (text: string): string => text.replace(/^\/\/# sourceMappingURL=.*$/m, '');

/** The whole path of a file, provided that it is there. */
export function existingFile(path: string): string {
  const file = resolve(path);
  if (existsSync(file) && statSync(file).isFile()) return file;
  throw new BadModule(`there is no file ${path}.`, 'Give the path of a module that exports a system by default.');
}

/**
 * Where the module lies that a trace was made from: the folders above the trace, then above here, are tried in turn.
 * Messages name the command that wants to know.
 */
export function moduleOf(
  { header: { module } }: Trace,
  tracePath: string,
  command: 'explain' | 'export' | 'minimize' | 'replay' | 'step' | 'view',
): string {
  if (module === null)
    throw new BadModule(
      `${tracePath} does not say which module its system is in.`,
      `Say it: culprit ${command} ${tracePath} --system path/to/system.ts`,
    );
  const folders = [...foldersAbove(dirname(resolve(tracePath))), ...foldersAbove(process.cwd())];
  const found = isAbsolute(module)
    ? undefined
    : folders.map((folder) => join(folder, module)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new BadModule(
    `the trace was made from ${module}, which is not there.`,
    `Say where it is now: culprit ${command} ${tracePath} --system path/to/${basename(module)}`,
  );
}

let compilations = 0;

/** What is imported instead of the module: it lies where the module's own imports of packages can be resolved. */
const outputOf = (file: string, thread: number, compilation: number): string =>
  join(packageFolder(file), '.culprit', `.${basename(file)}-${process.pid}-${thread}-${compilation}.mjs`);

/** Clears away what a thread of ours leaves that is ended while it loads its first module. */
export const clearAfter = (file: string, thread: number): void => rmSync(outputOf(file, thread, 1), { force: true });

/** The module and what it imports by path, as one JavaScript text: Node 20 runs no TypeScript. */
async function compiled(path: string, file: string, output: string): Promise<string> {
  // Loaded only now: it takes longer than everything else that a command needs.
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [file],
      // Not written there, but the source map leads from there to the sources.
      outfile: output,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [thisCulprit],
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    const first = (error as Partial<BuildFailure>).errors?.[0];
    const where = first?.location ? `${first.location.file}:${first.location.line}: ` : '';
    throw new BadModule(
      `${path} cannot be compiled: ${where}${first?.text ?? String(error)}.`,
      'Mend the module; its own tools may say more.',
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

async function importText(
  path: string,
  output: string,
  text: string,
  limits: LoadLimits,
): Promise<Record<string, unknown>> {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, text);
  process.setSourceMapsEnabled(true);
  try {
    const load = (): Promise<Record<string, unknown>> => import(pathToFileURL(output).href);
    return await loadedWithin(path, limits, load);
  } catch (error) {
    if (isOf(error, CulpritError)) throw error;
    const thrown = stackOf(error);
    throw new BadModule(
      `${path} threw while it was loaded: ${thrown}`,
      'Mend the module so that importing it does nothing but define the system.',
      { cause: error },
    );
  } finally {
    rmSync(output, { force: true });
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
      `${path} exports something by default that throws when it is looked at: ${stackOf(error)}`,
      'End it with: export default defineSystem({ … })',
      { cause: error },
    );
  }
}
