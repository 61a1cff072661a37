import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform, version } from 'esbuild';

/**
 * Resolves `culprit` to the sources, so that a tool never runs a stale build.
 *
 * @type {import('node:module').ResolveHook}
 */
export const resolve = (specifier, context, next) =>
  next(specifier, { ...context, conditions: [...context.conditions, 'culprit-source'] });

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  return { format: 'module', source: await compiled(path, await readFile(path, 'utf8')), shortCircuit: true };
};

/** Caches compiled files: tests start dozens of workers, and each of them loads everything. */
const kept = fileURLToPath(new URL('../../node_modules/.cache/culprit-source/', import.meta.url));

/** @type {(path: string, text: string) => Promise<string>} */
async function compiled(path, text) {
  const file = `${kept}${createHash('sha256').update(`${version} ${path}\n${text}`).digest('hex')}.js`;
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  const { code } = await transform(text, { loader: 'ts', format: 'esm', sourcefile: path, sourcemap: 'inline' });
  await keep(file, code);
  return code;
}

/**
 * Writes atomically, as other processes may be reading.
 *
 * @type {(file: string, code: string) => Promise<void>}
 */
async function keep(file, code) {
  const draft = `${file}.${process.pid}.${Math.random()}`;
  await mkdir(kept, { recursive: true });
  await writeFile(draft, code);
  await rename(draft, file);
}
