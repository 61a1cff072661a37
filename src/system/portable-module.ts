import { dirname, join } from 'node:path';
import type * as Esbuild from 'esbuild';
import { packageFolder } from '../files/module-path.ts';
import { shownPath } from '../text/shown-path.ts';
import { bundled } from './bundle.ts';
import { importMeta } from './import-meta.ts';

/**
 * The module of a system and everything that it imports, packages included, as one file for machines without the project. Only
 * `culprit` is not in it: every machine has its own. The text depends on the sources alone.
 */
export async function portableModule(file: string): Promise<string> {
  const { text } = await bundled(shownPath(file), file, {
    absWorkingDir: packageFolder(file),
    outfile: join(dirname(file), 'portable.mjs'),
    banner: { js: REQUIRE },
    sourcesContent: false,
    plugins: [anyCulprit, importMeta],
  });
  return text;
}

/** Packages in the style of CommonJS call it. */
const REQUIRE =
  "import { createRequire as culpritCreateRequire } from 'node:module'; const require = culpritCreateRequire(import.meta.url);";

const anyCulprit: Esbuild.Plugin = {
  name: 'any-culprit',
  setup(hooks) {
    hooks.onResolve({ filter: /^culprit(\/.*)?$/ }, ({ path }) => ({ path, external: true }));
  },
};
