import { configDefaults, defineConfig } from 'vitest/config';
import { SummaryLine } from './tools/summary/reporter.ts';

// `import … from 'culprit'` means the sources here; the rest are the conditions vite uses for a server.
const conditions = ['culprit-source', 'module', 'node', 'development|production'];

/** Tests that start workers, for a hunt, a check or jobs: threads of plain Node, which need a loader for the sources. */
const withWorkers = [
  'src/hunt/searcher.test.ts',
  'test/check/shared.test.ts',
  'test/hunt/workers.test.ts',
  'test/hosts/opaque-workers.test.ts',
  'test/jobs/jobs.test.ts',
];

/** Tests that use programs of other authors, which the set-up finds or installs: a browser, Open vSwitch and others. */
const withPrograms = [
  'test/viewer/**/*.test.ts',
  'test/networks/**/*.test.ts',
  'test/live/redis-*.test.ts',
  'cases/redis-failover/*.test.ts',
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    // Systems under test may start processes and change the working directory: threads would share both.
    pool: 'forks',
    // One more than the cores of CI: many tests wait for programs and commands.
    maxWorkers: 3,
    // Far more than any test takes: a machine that is busy with something else is no reason to fail.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // What systems are compiled to imports the sources, like the tests.
    server: { deps: { inline: [/\/node_modules\/\.cache\/culprit\//] } },
    reporters: ['default', new SummaryLine()],
    // Where `isolate` is false, files share the sources: loading them for every file would take a fifth of the time. Tests clean
    // up after themselves.
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['{test,src,cases,tools,viewer}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...withWorkers, ...withPrograms],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'workers', include: withWorkers, execArgv: ['--import', './tools/source/register.mjs'] },
      },
      {
        extends: true,
        test: { name: 'programs', include: withPrograms, globalSetup: './tools/programs/setup.ts', isolate: false },
      },
    ],
  },
});
