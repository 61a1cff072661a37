import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';
import { CulpritError } from '../error.ts';
import { importMetaNames } from './import-meta.ts';

/** A module that yields no system. */
export class BadModule extends CulpritError {
  readonly code = 'BAD_MODULE';
}

/** Takes a quarter of the time of `import` for esbuild, whose exports Node has to guess from its text otherwise. */
const requireFromHere = createRequire(import.meta.url);

export interface Bundle {
  readonly text: string;
  /** The modules that it imports when it is loaded. */
  readonly imports: readonly string[];
}

/** A module and its imports as one file for Node. `path` is the name of the module in errors. */
export async function bundled(path: string, file: string, options: Esbuild.BuildOptions): Promise<Bundle> {
  // Loaded late, as not every command loads a system.
  const { build, stop } = requireFromHere('esbuild') as typeof Esbuild;
  try {
    const { outputFiles, metafile } = await build({
      ...options,
      entryPoints: [file],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      logLevel: 'silent',
      define: importMetaNames,
    });
    const imports = Object.values(metafile.outputs).flatMap((made) => made.imports);
    return { text: outputFiles[0]?.text ?? '', imports: imports.map((made) => made.path) };
  } catch (error) {
    const first = (error as Partial<Esbuild.BuildFailure>).errors?.[0];
    const where = first?.location ? `${first.location.file}:${first.location.line}: ` : '';
    throw new BadModule(
      `${path} cannot be compiled: ${where}${first?.text ?? String(error)}.`,
      'Fix the module; your compiler may say more.',
      { cause: error },
    );
  } finally {
    // esbuild runs as a child process, one per worker.
    await stop();
  }
}
