import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Plugin } from 'esbuild';

/** What a module may ask about its own place, and the variable that answers. A bundle lies elsewhere. */
const names = { url: 'culpritModuleUrl', dirname: 'culpritModuleDirname', filename: 'culpritModuleFilename' } as const;

const asked = /\bimport\s*\.\s*meta\s*\.\s*(?:url|dirname|filename)\b/;

/** Replaces the questions by the variables. */
export const placeQuestions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(names).map(([name, variable]) => [`import.meta.${name}`, variable]),
);

/** Declares the variables in each module that asks: `new URL('node.py', import.meta.url)` then names the file beside it. */
export const modulePlaces: Plugin = {
  name: 'module-places',
  setup(hooks) {
    hooks.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!asked.test(text)) return undefined;
      const places = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const declared = Object.entries(names).map(
        ([name, variable]) => `${variable} = ${JSON.stringify(places[name as keyof typeof places])}`,
      );
      // On the first line of code, so that line numbers stay as they are.
      const hashbang = /^#!.*\n/.exec(text)?.[0] ?? '';
      const contents = `${hashbang}const ${declared.join(', ')};${text.slice(hashbang.length)}`;
      return { contents, loader: extname(path).replace(/^\.[cm]?/, '') as Loader };
    });
  },
};
