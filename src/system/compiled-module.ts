import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cacheFolder, modulesAbove } from '../files/cache-folder.ts';
import { FileProblem } from '../files/file-problem.ts';
import { packageFolder } from '../files/module-path.ts';
import { attempt, clearStale, clearThread, removeTemporary, temporaryName } from '../files/temporary.ts';

/** A name that fits onto every disk. */
const NAME_MAX = 80;

/**
 * What a module of the user is compiled to, while it is imported. It lies among the packages, where imports of them can be resolved and
 * nobody looks for files of their own; where nothing can be written there, in the temporary folder, with links to the packages.
 */
export class CompiledModule {
  readonly path: string;

  private constructor(
    private readonly file: string,
    private readonly folder: string,
    private readonly isAmongPackages: boolean,
  ) {
    // Packages of folders further up are found further up.
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

  /** `packages` is what it imports by name. */
  write(text: string, packages: readonly string[]): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      this.linkPackages(packages);
      writeFileSync(this.path, text);
    } catch (error) {
      throw new FileProblem(this.path, 'written', error, ROOM);
    }
  }

  /** Packages that are imported only later have to be found then, too: links stay until the process ends. */
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
    // A package may import itself by its name, as long as it is not among its own packages.
    const name = nameOf(home);
    if (name === undefined || !packages.some((one) => one === name || one.startsWith(`${name}/`))) return;
    const link = join(this.folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(home, link, 'junction');
  }
}

const ROOM = 'Free some space there, or set TMPDIR to another folder.';

/** Clears away what a thread of ours leaves that is ended while it loads a module. */
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

/** Of this process alone: others may write to the temporary folder, too. */
function temporaryFolder(): string {
  clearStale(tmpdir());
  try {
    // Source maps lead from where a file really is.
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
    // Nothing can be imported by a name that cannot be read.
    return undefined;
  }
}
