import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

/** Errors and printable text: independent of the product. */
const base = ['error', 'text'];
const engine = [...base, 'trace', 'kernel'];
/** What users write, how it is judged, and which event is next. */
const systems = [...engine, 'files', 'system', 'oracles', 'schedule', 'hosts'];
const executing = [...systems, 'execution', 'determinism', 'replay', 'coverage'];

/** The layers of ARCHITECTURE.md: what each may import besides itself. `open` layers may import anything. */
const below = new Map<string, readonly string[] | 'open'>([
  ['error', ['text']],
  ['text', []],
  ['trace', base],
  ['files', [...base, 'trace']],
  ['kernel', [...base, 'trace']],
  ['system', [...engine, 'files']],
  ['oracles', [...engine, 'system']],
  ['schedule', [...engine, 'system', 'oracles']],
  ['hosts', [...engine, 'files', 'system']],
  ['networks', systems],
  ['maelstrom', systems],
  ['coverage', engine],
  ['execution', systems],
  ['determinism', [...systems, 'execution']],
  ['workers', [...engine, 'files', 'system']],
  ['fleet', [...engine, 'files', 'system', 'workers']],
  ['replay', [...systems, 'execution', 'determinism', 'workers']],
  ['minimize', [...executing, 'workers']],
  ['explain', executing],
  ['view', [...engine, 'explain']],
  ['export', [...engine, 'networks', 'explain', 'view']],
  ['import', [...executing, 'networks']],
  ['doctor', executing],
  ['step', [...executing, 'explain']],
  ['check', [...executing, 'workers']],
  ['hunt', [...executing, 'workers', 'minimize', 'explain']],
  ['worker', [...executing, 'workers', 'minimize', 'hunt', 'check']],
  ['cli', 'open'],
  ['exports', 'open'],
  ['viewer', []],
  ['cases', []],
  ['examples', []],
  ['bench', ['cases']],
  ['test', ['cases']],
  ['tools', 'open'],
  ['root', 'open'],
]);

/** Files directly in src. */
const single = new Map([
  ['src/error.ts', 'error'],
  ['src/worker.ts', 'worker'],
  ['src/index.ts', 'exports'],
  ['src/index.test.ts', 'exports'],
  ['src/kernel.ts', 'exports'],
  ['src/report.ts', 'exports'],
]);

const publicExports = [
  'culprit',
  'culprit/trace',
  'culprit/kernel',
  'culprit/report',
  'culprit/networks',
  'culprit/maelstrom',
  'culprit/live',
  'culprit/xstate',
  'culprit/schema/trace-1.json',
];
const outsiders = new Set(['cases', 'examples', 'bench', 'test']);

/** The page says what stories say, so it shares their words. They use no built-in module. */
const words = 'src/networks/words/';

/** Built-in modules of restricted layers. */
const builtins = new Map([
  ['error', []],
  ['trace', []],
  ['kernel', ['node:process', 'node:vm', 'node:worker_threads']],
  // The viewer runs in a browser.
  ['viewer', []],
]);

/**
 * Single files that may use more: on Node 20, only a file of Linux has the CPU time of a thread, and only V8's hooks
 * observe promises. Prints of handlers are formatted like Node's console.
 */
const builtinsOf = new Map([
  ['src/kernel/user-code/thread-cpu.ts', ['node:fs']],
  ['src/kernel/user-code/async-code.ts', ['node:v8']],
  ['src/kernel/user-code/event-console.ts', ['node:console']],
]);

/** The problem with `path` importing `specifier`, and the remedy; undefined if it may. */
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
  // Named by exclusion, so that src/bench or src/test do not count as the folders outside.
  if (rest.length === 0) return single.get(path) ?? path;
  return outsiders.has(folder) || folder === 'tools' || folder === 'viewer' ? `src/${folder}` : folder;
}

function whyRelativeForbidden(path: string, layer: string, allowed: readonly string[], specifier: string) {
  const target = posix.join(posix.dirname(path), specifier);
  const other = layerOf(target);
  if (other === layer || allowed.includes(other)) return undefined;
  // Twins use the public exports only. Benches compare with them, too.
  if ((isTest(path) || layer === 'bench') && target.startsWith('test/twins/')) return undefined;
  if (outsiders.has(layer) && target.startsWith('src/')) {
    return `${layer} imports ${target}: use what culprit, culprit/trace, culprit/kernel or culprit/report export`;
  }
  if (layer === 'viewer') {
    return target.startsWith(words)
      ? undefined
      : `viewer imports ${target}: it may use culprit/trace and ${words} only`;
  }
  const may = allowed.length > 0 ? `only ${allowed.join(', ')}` : 'nothing else';
  return `${layer} imports ${target} (${other}): ${layer} may import ${may}; pass what it needs as an argument`;
}

function whySelfForbidden(path: string, layer: string, specifier: string): string | undefined {
  if (layer === 'viewer' && !isTest(path)) {
    return specifier === 'culprit/trace'
      ? undefined
      : `viewer imports ${specifier}: it may use culprit/trace and ${words} only`;
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

/** Every reader of the page has to load its imports. */
function whyPackageForbidden(path: string, layer: string, specifier: string): string | undefined {
  if (layer !== 'viewer' || isTest(path) || /^preact(\/|$)/.test(specifier)) return undefined;
  return `viewer imports ${specifier}: of packages it may use preact only`;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}
