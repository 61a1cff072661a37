import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

/** The modules of the shim of Node programs, and of its thread. */
const shims = ['node', 'node-socket'].map((name) => `src/hosts/live/inside/shims/${name}.ts`);

/** The modules that are named from outside: the entries of package.json, the command, the thread of a worker, and those that programs load. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly 'culprit-source': string }>>;
  };
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : entry['culprit-source']));
  return [...entries, 'src/cli/main.ts', 'src/worker.ts', ...shims];
}

/**
 * The sources, bundled into few files: Node takes a quarter of a second to load the 400 modules of a command. Code that
 * several entries use is in files that they share, so a system has the same classes and the same state as the command
 * that executes it. Packages are not bundled.
 */
export async function bundlePackage(): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entryPoints(),
    outdir: dist,
    outbase: 'src',
    chunkNames: 'shared/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    // The sources are published, too.
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
  });
  const misplaced = outputFiles.filter(({ path, text }) => dirname(path) === dist && text.includes('import.meta'));
  // Sources find the files of the package from their own place, which is one folder below `src`.
  if (misplaced.length > 0)
    throw new Error(`${misplaced.map(({ path }) => path).join(', ')}: import.meta outside of a folder of dist`);
  return outputFiles;
}
