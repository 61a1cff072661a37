import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

const algorithms = ['targets', 'explore', 'reduce', 'minimize', 'oracle', 'explain', 'leaks'];
const engine = ['error', 'trace', 'kernel'];
/** Folders of composers, besides the files directly in src. */
const composing = ['cli', 'doctor', 'step', 'view', 'why'];

/** The picture in ARCHITECTURE.md: what each layer may import besides itself. `open` layers may import anything. */
const below = new Map<string, readonly string[] | 'open'>([
  ['error', []],
  ['trace', ['error']],
  ['kernel', ['error', 'trace']],
  ...algorithms.map((name) => [name, engine] as const),
  ['composers', [...engine, ...algorithms]],
  ['viewer', []],
  ['cases', []],
  ['examples', []],
  ['bench', ['cases']],
  ['test', ['cases']],
  ['tools', 'open'],
  ['root', 'open'],
]);

const publicExports = ['culprit', 'culprit/trace', 'culprit/kernel', 'culprit/schema/trace-1.json'];
const outsiders = new Set(['cases', 'examples', 'bench', 'test']);

/** Built-in modules a layer may use, where that is restricted. */
const builtins = new Map([
  ['error', []],
  ['trace', []],
  ['kernel', ['node:process', 'node:vm', 'node:worker_threads']],
  // It runs in a browser.
  ['viewer', []],
]);

/**
 * Single files that may use more: Node 20 tells the CPU time of a thread in no other way than by a file of Linux, and of promises
 * in no other way than by V8's hooks. What handlers print is formatted as Node's console does.
 */
const builtinsOf = new Map([
  ['src/kernel/user-code/thread-cpu.ts', ['node:fs']],
  ['src/kernel/user-code/async-code.ts', ['node:v8']],
  ['src/kernel/user-code/event-console.ts', ['node:console']],
]);

/** Says what is wrong with `path` importing `specifier` and what to do instead, or nothing if it may. */
export function whyForbidden(path: string, specifier: string): string | undefined {
  const layer = layerOf(path);
  const allowed = below.get(layer);
  if (allowed === undefined) return `${layer} is not a layer: move the file, or give the layer a place in tools/tidy`;
  if (allowed === 'open') return undefined;

  if (specifier.startsWith('.')) return whyRelativeForbidden(path, layer, allowed, specifier);
  if (specifier === 'culprit' || specifier.startsWith('culprit/')) return whySelfForbidden(path, layer, specifier);
  if (isBuiltin(specifier)) return whyBuiltinForbidden(path, layer, specifier);
  return whyPackageForbidden(path, layer, specifier);
}

function layerOf(path: string): string {
  const [top = '', folder = '', ...rest] = path.split('/');
  if (folder === '') return 'root';
  if (top !== 'src') return top;
  if (path === 'src/error.ts' || path === 'src/text/printable.ts') return 'error';
  if (rest.length === 0 || composing.includes(folder)) return 'composers';
  // Named after what it is not, so that src/bench or src/test do not pass for the folders outside.
  return engine.includes(folder) || algorithms.includes(folder) ? folder : `src/${folder}`;
}

function whyRelativeForbidden(path: string, layer: string, allowed: readonly string[], specifier: string) {
  const target = posix.join(posix.dirname(path), specifier);
  const other = layerOf(target);
  if (other === layer || allowed.includes(other)) return undefined;
  // Twins know nothing but the public exports. Benches compare with them, too.
  if ((isTest(path) || layer === 'bench') && target.startsWith('test/twins/')) return undefined;
  if (outsiders.has(layer) && target.startsWith('src/')) {
    return `${layer} imports ${target}: use what culprit, culprit/trace or culprit/kernel export`;
  }
  if (layer === 'viewer') return `viewer imports ${target}: it may use culprit/trace only`;
  const may = allowed.length > 0 ? `only ${allowed.join(', ')}` : 'nothing else';
  return `${layer} imports ${target} (${other}): ${layer} may import ${may}; pass what it needs as an argument`;
}

function whySelfForbidden(path: string, layer: string, specifier: string): string | undefined {
  if (layer === 'viewer' && !isTest(path)) {
    return specifier === 'culprit/trace' ? undefined : `viewer imports ${specifier}: it may use culprit/trace only`;
  }
  if (!outsiders.has(layer) && !isTest(path)) return `${specifier} is ourselves: import the file by its relative path`;
  if (publicExports.includes(specifier)) return undefined;
  return `${specifier} is not exported: use ${publicExports.join(', ')}`;
}

function whyBuiltinForbidden(path: string, layer: string, specifier: string): string | undefined {
  const allowed = builtins.get(layer);
  const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  // A test may read its fixtures.
  if (allowed === undefined || isTest(path) || allowed.includes(name)) return undefined;
  if (builtinsOf.get(path)?.includes(name) === true) return undefined;
  const may = allowed.length > 0 ? `only ${allowed.join(' and ')}` : 'no built-in module';
  return `${layer} imports ${name}: it may use ${may}; take what it needs as an argument`;
}

/** Whatever the page imports, everybody who opens it has to load. */
function whyPackageForbidden(path: string, layer: string, specifier: string): string | undefined {
  if (layer !== 'viewer' || isTest(path) || /^preact(\/|$)/.test(specifier)) return undefined;
  return `viewer imports ${specifier}: of packages it may use preact only`;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}
