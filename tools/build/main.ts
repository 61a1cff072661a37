import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundle, pageOf } from '../viewer/bundle.ts';
import { bundlePackage } from './package.ts';

rmSync('dist', { recursive: true, force: true });
// npm puts the project's own binaries on the PATH, so this runs as `npm run build`.
const types = spawn('tsc -b tsconfig.build.json', { shell: true, stdio: 'inherit' });
const [files, page] = await Promise.all([bundlePackage(), bundle(), once(types, 'close')]);
for (const { path, contents } of files) write(path, contents);
write('dist/viewer/page.html', pageOf(page));
chmodSync('dist/cli/main.js', 0o755);
process.exitCode = types.exitCode === 0 ? 0 : 1;

function write(path: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
