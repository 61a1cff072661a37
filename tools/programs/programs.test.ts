import { describe, expect, test } from 'vitest';
import { findPrograms, programNames, type Found, type Machine } from './programs.ts';

/** A machine with these files; an installation adds what the packages contain. */
function machine(files: readonly string[], more: Partial<Machine> = {}): Machine & { readonly ran: string[] } {
  const there = new Set(files);
  const ran: string[] = [];
  const contents = new Map([
    ['chromium', '/usr/bin/chromium'],
    ['python3-openflow', '/usr/lib/python3/dist-packages/pyof'],
    ['openvswitch-common', '/usr/bin/ovs-ofctl'],
    ['openvswitch-switch', '/usr/sbin/ovs-vswitchd'],
    ['openvswitch-testcontroller', '/usr/bin/ovs-testcontroller'],
    ['python3-os-ken', '/usr/bin/osken-manager'],
    ['redis-server', '/usr/bin/redis-server'],
    ['tshark', '/usr/bin/tshark'],
  ]);
  return {
    env: {},
    isRoot: false,
    exists: (path) => there.has(path),
    run(command, args) {
      ran.push([command, ...args].join(' '));
      for (const arg of args) there.add(contents.get(arg) ?? '');
    },
    ran,
    ...more,
  };
}

const findChromium = (there: Machine): Found => findPrograms(there, ['chromium']).chromium;

describe('a program for the tests', () => {
  test('is the configured one, or an existing one', () => {
    const env = { CULPRIT_CHROMIUM: '/usr/lib/mine' };
    expect(findChromium(machine(['/usr/lib/mine', '/usr/bin/chromium'], { env }))).toEqual({ path: '/usr/lib/mine' });
    expect(findChromium(machine(['/usr/bin/chromium']))).toEqual({ path: '/usr/bin/chromium' });
    expect(findChromium(machine(['/usr/bin/chromium'], { env: { CULPRIT_CHROMIUM: '' } }))).toEqual({
      path: '/usr/bin/chromium',
    });
  });

  test('is installed if allowed, together with all others that are missing', () => {
    const ours = machine(['/usr/bin/apt-get', '/usr/bin/ovs-ofctl'], { isRoot: true });
    expect(findPrograms(ours, programNames)).toEqual({
      chromium: { path: '/usr/bin/chromium' },
      pyof: { path: '/usr/lib/python3/dist-packages/pyof' },
      ovsOfctl: { path: '/usr/bin/ovs-ofctl' },
      redisServer: { path: '/usr/bin/redis-server' },
      testcontroller: { path: '/usr/bin/ovs-testcontroller' },
      osKen: { path: '/usr/bin/osken-manager' },
      tshark: { path: '/usr/bin/tshark' },
      ovsVswitchd: { path: '/usr/sbin/ovs-vswitchd' },
    });
    expect(ours.ran).toEqual([
      '/usr/bin/apt-get update',
      '/usr/bin/apt-get install --yes --no-install-recommends chromium fonts-dejavu-core python3-openflow redis-server openvswitch-testcontroller python3-os-ken tshark openvswitch-switch',
    ]);
  });

  test('is installed only if it is asked for', () => {
    const ours = machine(['/usr/bin/apt-get', '/usr/bin/chromium'], { isRoot: true });
    expect(findChromium(ours)).toEqual({ path: '/usr/bin/chromium' });
    expect(ours.ran).toEqual([]);
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
