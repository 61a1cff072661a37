// The program of every controller of these studies: `node controller.js --app paths --bug migrate --listen 127.0.0.1:6653`.
// The controllers are in TypeScript, which Node 20 cannot read. They are bundled when first started, and again after a change.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = `${root}node_modules/.cache/culprit-cases/`;
const manifest = `${cache}controller.json`;

/** @typedef {{ readonly bundle: string, readonly inputs: Readonly<Record<string, number>> }} Made */

/** When a source was last changed; 0 if it is gone. @type {(path: string) => number} */
const changedMs = (path) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The bundle of the sources as they are; undefined if there is none. */
function madeBefore() {
  try {
    const { bundle, inputs } = /** @type {Made} */ (JSON.parse(readFileSync(manifest, 'utf8')));
    const isFresh = Object.entries(inputs).every(([path, ms]) => changedMs(path) === ms);
    return isFresh && statSync(bundle, { throwIfNoEntry: false }) ? bundle : undefined;
  } catch {
    return undefined;
  }
}

async function made() {
  const { buildSync } = await import('esbuild');
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['cases/networks/program/main.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Of culprit, the codec alone is in it.
    conditions: ['culprit-source'],
    treeShaking: true,
    metafile: true,
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const bundle = `${cache}${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`;
  const inputs = Object.fromEntries(Object.keys(metafile.inputs).map((path) => [path, changedMs(path)]));
  mkdirSync(cache, { recursive: true });
  write(bundle, text);
  write(manifest, JSON.stringify({ bundle, inputs }));
  return bundle;
}

/** Writes a file at once: others may be starting, too. @type {(path: string, text: string) => void} */
function write(path, text) {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

await import(pathToFileURL(madeBefore() ?? (await made())).href);
