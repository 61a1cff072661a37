import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Plugin } from 'esbuild';

/** What `import.meta` says about a file, and the names that stand for it in a bundle. */
const names = {
  'import.meta.url': 'culpritImportMetaUrl',
  'import.meta.dirname': 'culpritImportMetaDirname',
  'import.meta.filename': 'culpritImportMetaFilename',
} as const;

/** For esbuild's `define`: each file of a user declares these names. */
export const importMetaNames: Readonly<Record<string, string>> = names;

const loaders: Readonly<Record<string, Loader>> = {
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
};

/**
 * In a bundle, `import.meta` would mean the bundle, which lies in another folder. A system that names a program or a file beside itself
 * means its own.
 */
export const importMeta: Plugin = {
  name: 'import-meta',
  setup(hooks) {
    hooks.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      return { contents: withDeclarations(text, path), loader: loaders[extname(path)] ?? 'js' };
    });
  },
};

/** On the first line, so that lines keep their numbers; after a line that names an interpreter. */
function withDeclarations(text: string, path: string): string {
  const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  const declarations = Object.entries(values)
    .map(([name, value]) => `const ${names[`import.meta.${name as keyof typeof values}`]} = ${JSON.stringify(value)};`)
    .join(' ');
  const begin = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0;
  return `${text.slice(0, begin)}${declarations} ${text.slice(begin)}`;
}
