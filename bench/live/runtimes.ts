import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const programs = join(import.meta.dirname, 'programs');

/** A node for the measurement of quiescence, in one runtime. */
export interface Runtime {
  readonly title: string;
  /** The program that runs or compiles it, and the package of Debian that has the program. */
  readonly program: string;
  readonly debian: string;
  /** Compiles the node if it must be, into this folder; the words of its command. */
  words(folder: string): readonly string[];
}

const interpreted = (title: string, program: string, debian: string, file: string): Runtime => ({
  title,
  program,
  debian,
  words: () => [program, join(programs, file)],
});

const python = (title: string, file: string): Runtime => interpreted(title, '/usr/bin/python3', 'python3', file);
const node = (title: string, file: string): Runtime => interpreted(title, process.execPath, 'nodejs', file);

export const runtimes: readonly Runtime[] = [
  python('Python, single thread', 'single.py'),
  python('Python, asyncio and executor', 'executor.py'),
  node('Node', 'plain.mjs'),
  node('Node, files and keys in the pool', 'pool.mjs'),
  interpreted('Ruby, a thread per message', '/usr/bin/ruby', 'ruby', 'threads.rb'),
  {
    title: 'Go, goroutines and a writer',
    program: '/usr/bin/go',
    debian: 'golang-go',
    words(folder) {
      const binary = join(folder, 'node');
      const env = { PATH: process.env['PATH'], HOME: folder, GOCACHE: join(folder, 'cache') };
      execFileSync('/usr/bin/go', ['build', '-o', binary, join(programs, 'node.go')], { env });
      return [binary];
    },
  },
  {
    title: 'Java, pool of 4',
    program: '/usr/bin/javac',
    debian: 'default-jdk-headless',
    words(folder) {
      execFileSync('/usr/bin/javac', ['-d', folder, join(programs, 'Pool.java')]);
      return ['/usr/bin/java', '-cp', folder, 'Pool'];
    },
  },
];

export const isInstalled = ({ program }: Runtime): boolean => existsSync(program);
