import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/**
 * Makes `culprit` mean the sources, so that a tool never runs a stale build.
 *
 * @type {import('node:module').ResolveHook}
 */
export const resolve = (specifier, context, next) =>
  next(specifier, { ...context, conditions: [...context.conditions, 'culprit-source'] });

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const text = await readFile(sourcefile, 'utf8');
  const { code } = await transform(text, { loader: 'ts', format: 'esm', sourcefile, sourcemap: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
};
