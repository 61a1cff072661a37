import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundlePackage } from './package.ts';

/**
 * Tests in `test` and `cases` use the package, as users do. This makes what they use: it bundles the sources, in less than
 * a second, and writes the files that differ from those of the last build. Declarations and the page of `view` are only made by `npm run build`.
 */
export default async function setUp(): Promise<void> {
  const bundles = await bundlePackage();
  for (const { path, contents } of bundles.filter((bundle) => !isThere(bundle))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

const isThere = ({ path, contents }: { readonly path: string; readonly contents: Uint8Array }): boolean =>
  existsSync(path) && readFileSync(path).equals(contents);
