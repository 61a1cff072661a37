import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { findPrograms, programNames, type Found, type ProgramName } from './programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    programs: Readonly<Record<ProgramName, Found>>;
  }
}

/** Finds or installs the programs that tests use. Without one, the tests that need it fail, and say why. */
export default function setUp(project: TestProject): void {
  project.provide(
    'programs',
    findPrograms(
      {
        env: process.env,
        isRoot: process.getuid?.() === 0,
        exists: existsSync,
        run(command, args) {
          console.log(`For tests with other programs: ${command} ${args.join(' ')}`);
          // In runlevel 1 Debian's packages start no daemons: tests start the servers that they need themselves.
          const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
          execFileSync(command, [...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
        },
      },
      programNames,
    ),
  );
}
