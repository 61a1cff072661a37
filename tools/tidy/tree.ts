import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { SourceFile } from './rules.ts';

/** In a work tree beside the main one, `.git` is a file. */
const skipped = new Set(['.git', 'node_modules', 'dist', '.culprit']);

/**
 * Every text file that is or may be committed. Reads folders instead of asking git, so that it works on an unpacked
 * archive.
 */
export function readTree(root: string): SourceFile[] {
  return pathsUnder(root).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return text.includes('\0') ? [] : [{ path: relative(root, path).split(sep).join('/'), text }];
  });
}

function pathsUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skipped.has(entry.name)) return [];
    if (entry.isDirectory()) return pathsUnder(path);
    return entry.isFile() && !entry.name.endsWith('.tsbuildinfo') ? [path] : [];
  });
}
