import { describe, expect, test } from 'vitest';
import { findChromium, type Machine } from './chromium.ts';

/** A machine with these files; an installation adds the paths of Debian's chromium. */
function machine(files: readonly string[], more: Partial<Machine> = {}): Machine & { readonly ran: string[] } {
  const there = new Set(files);
  const ran: string[] = [];
  return {
    env: {},
    isRoot: false,
    exists: (path) => there.has(path),
    run(command, args) {
      ran.push([command, ...args].join(' '));
      if (args[0] === 'install') there.add('/usr/bin/chromium');
    },
    ran,
    ...more,
  };
}

describe('a browser for the tests of the page', () => {
  test('is the configured one, or an existing one', () => {
    const env = { CULPRIT_CHROMIUM: '/usr/lib/mine' };
    expect(findChromium(machine(['/usr/lib/mine', '/usr/bin/chromium'], { env }))).toEqual({ path: '/usr/lib/mine' });
    expect(findChromium(machine(['/usr/bin/chromium']))).toEqual({ path: '/usr/bin/chromium' });
    expect(findChromium(machine(['/usr/bin/chromium'], { env: { CULPRIT_CHROMIUM: '' } }))).toEqual({
      path: '/usr/bin/chromium',
    });
  });

  test('is installed if allowed', () => {
    const ours = machine(['/usr/bin/apt-get'], { isRoot: true });
    expect(findChromium(ours)).toEqual({ path: '/usr/bin/chromium' });
    expect(ours.ran).toEqual([
      '/usr/bin/apt-get update',
      '/usr/bin/apt-get install --yes --no-install-recommends chromium fonts-dejavu-core',
    ]);
  });

  test.each([
    ['nothing is where it is said to be', machine([], { env: { CULPRIT_CHROMIUM: '/nowhere' } }), '/nowhere'],
    ['somebody else owns the machine', machine(['/usr/bin/apt-get']), 'There is no Chromium'],
    ['it is no Debian', machine([], { isRoot: true }), 'There is no Chromium'],
    [
      'the installation fails',
      machine(['/usr/bin/apt-get'], {
        isRoot: true,
        run: () => {
          throw new Error('no network');
        },
      }),
      'no network',
    ],
    ['it installs something else', machine(['/usr/bin/apt-get'], { isRoot: true, run: () => {} }), 'in none of'],
  ])('is missing if %s, and the error says what to do', (_when, there, words) => {
    const found = findChromium(there);
    const problem = 'problem' in found ? found.problem : '';
    expect(problem).toContain(words);
    expect(problem).toContain('sudo apt-get install chromium');
  });
});
