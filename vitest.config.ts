import { configDefaults, defineConfig } from 'vitest/config';
import { SummaryLine } from './tools/summary/reporter.ts';

/** The conditions that vite uses for a server. */
const conditions = ['module', 'node', 'development|production'];

/** Tests that use programs of other authors, which the set-up finds or installs: a browser, Open vSwitch and others. */
const withPrograms = [
  'test/viewer/**/*.test.ts',
  'test/networks/**/*.test.ts',
  'test/live/redis-*.test.ts',
  'test/live/{guide-with-programs,speed}.test.ts',
  'cases/redis-failover/*.test.ts',
  'cases/controllers/*.test.ts',
];

/** Tests of sources that use such programs. */
const sourcesWithPrograms = ['src/cli/fleet.test.ts'];

/** A test of sources that replaces a module of Node, before any other file has loaded it. */
const withOwnModules = ['src/hunt/searcher.test.ts', 'src/minimize/workers.test.ts'];

/** Bundles the sources, if they have changed since the last build. */
const built = './tools/build/setup.ts';

/** `import … from 'culprit'` means the sources. */
const fromSources = { conditions: ['culprit-source', ...conditions] };

/** `import … from 'culprit'` means the built package. */
const fromPackage = { conditions };

export default defineConfig({
  test: {
    environment: 'node',
    // Systems under test may start processes and change the working directory: threads would share both.
    pool: 'forks',
    // Helping threads of the garbage collector cost more than they save where all cores are busy: a seventh of the CPU time of tests that compute.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Twice the cores of CI: many tests wait for programs and commands.
    maxWorkers: 4,
    // Of the tests of a file that run side by side, because the programs in them mostly wait.
    maxConcurrency: 3,
    // Far more than any test takes: a machine that is busy with something else is no reason to fail.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default', new SummaryLine()],
    // Files share what they have loaded: loading it for every file would take a fifth of the time. Tests clean up after themselves.
    isolate: false,
    // Node loads what is built, and runs it faster than vitest runs sources: vitest gets every import through an object.
    server: { deps: { external: [/\/dist\//], inline: [/\/node_modules\/\.cache\/culprit\//] } },
    projects: [
      {
        extends: true,
        resolve: fromSources,
        ssr: { resolve: fromSources },
        test: {
          name: 'sources',
          include: ['{src,tools,viewer}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...withOwnModules, ...sourcesWithPrograms],
          globalSetup: built,
        },
      },
      {
        extends: true,
        resolve: fromSources,
        ssr: { resolve: fromSources },
        test: { name: 'modules', include: withOwnModules, globalSetup: built, isolate: true },
      },
      {
        extends: true,
        resolve: fromSources,
        ssr: { resolve: fromSources },
        test: {
          name: 'sources-with-programs',
          include: sourcesWithPrograms,
          globalSetup: [built, './tools/programs/setup.ts'],
        },
      },
      {
        extends: true,
        resolve: fromPackage,
        ssr: { resolve: fromPackage },
        test: {
          name: 'package',
          include: ['{test,cases}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...withPrograms],
          globalSetup: built,
        },
      },
      {
        extends: true,
        resolve: fromPackage,
        ssr: { resolve: fromPackage },
        test: { name: 'programs', include: withPrograms, globalSetup: [built, './tools/programs/setup.ts'] },
      },
    ],
  },
});
