import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cacheFolder, modulesAbove } from '../files/cache-folder.ts';
import { FileProblem } from '../files/file-problem.ts';
import { packageFolder } from '../files/module-path.ts';
import { attempt, clearStale, clearThread, removeTemporary, temporaryName } from '../files/temporary.ts';

/** Maximum length of the file name, short enough for every file system. */
const NAME_MAX = 80;

/**
 * The compiled form of a user's module, while it is imported. It lies in `node_modules/.cache`, where its imports of
 * packages resolve and no tool looks for sources. If that folder is not writable, it lies in the temporary folder, with
 * links to the packages.
 */
export class CompiledModule {
  readonly path: string;

  private constructor(
    private readonly file: string,
    private readonly folder: string,
    private readonly isAmongPackages: boolean,
  ) {
    // Node finds the packages of parent folders by itself.
    const depth = isAmongPackages ? [] : modulesAbove(packageFolder(file)).map(() => 'above');
    this.path = join(folder, ...depth, `${basename(file).slice(0, NAME_MAX)}.mjs`);
  }

  static amongPackages(file: string): CompiledModule {
    const cache = cacheFolder(packageFolder(file));
    return cache === undefined ? CompiledModule.elsewhere(file) : new CompiledModule(file, folderIn(cache), true);
  }

  static elsewhere(file: string): CompiledModule {
    return new CompiledModule(file, temporaryFolder(), false);
  }

  /** `packages`: the packages that the module imports by name. */
  write(text: string, packages: readonly string[]): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      this.linkPackages(packages);
      writeFileSync(this.path, text);
    } catch (error) {
      throw new FileProblem(this.path, 'written', error, ROOM);
    }
  }

  /** The links stay until the process ends, because the module may import packages later. */
  remove(): void {
    if (this.isAmongPackages) attempt(() => removeTemporary(this.folder));
    else leaving.add(this.folder);
  }

  private linkPackages(packages: readonly string[]): void {
    const home = packageFolder(this.file);
    if (!this.isAmongPackages) {
      const above = modulesAbove(home);
      let at = dirname(this.path);
      for (const modules of above) {
        symlinkSync(modules, join(at, 'node_modules'), 'junction');
        at = dirname(at);
      }
    }
    // A package may import itself by name; from here, that takes a link.
    const name = nameOf(home);
    if (name === undefined || !packages.some((one) => one === name || one.startsWith(`${name}/`))) return;
    const link = join(this.folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(home, link, 'junction');
  }
}

const ROOM = 'Free some space there, or set TMPDIR to another folder.';

/** Removes the files of a worker thread that was terminated while it loaded a module. */
export function clearAfter(file: string, thread: number): void {
  for (const folder of [cacheFolder(packageFolder(file)), tmpdir()])
    if (folder !== undefined) clearThread(folder, thread);
}

function folderIn(cache: string): string {
  const folder = join(cache, temporaryName(''));
  try {
    mkdirSync(folder);
  } catch (error) {
    throw new FileProblem(folder, 'written', error, ROOM);
  }
  return folder;
}

/** A folder that only this process writes to: others share the temporary folder. */
function temporaryFolder(): string {
  clearStale(tmpdir());
  try {
    // Source maps contain real paths.
    return mkdtempSync(join(realpathSync(tmpdir()), temporaryName('-')));
  } catch (error) {
    throw new FileProblem(tmpdir(), 'written', error, ROOM);
  }
}

const leaving = new Set<string>();
process.once('exit', () => {
  for (const folder of leaving) attempt(() => removeTemporary(folder));
});

function nameOf(home: string): string | undefined {
  const manifest = join(home, 'package.json');
  if (!existsSync(manifest)) return undefined;
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: string }).name;
  } catch {
    // A package without a readable name cannot be imported by name.
    return undefined;
  }
}
