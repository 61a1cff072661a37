import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { findChromium, type Found } from './chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    chromium: Found;
  }
}

/** Set-up of the page tests: finds or installs a browser. Without one the tests fail, and say why. */
export default function setUp(project: TestProject): void {
  project.provide(
    'chromium',
    findChromium({
      env: process.env,
      isRoot: process.getuid?.() === 0,
      exists: existsSync,
      run(command, args) {
        console.log(`For the tests of the page: ${command} ${args.join(' ')}`);
        const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
        execFileSync(command, [...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      },
    }),
  );
}
