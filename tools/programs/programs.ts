/** The machine, as this module reads and changes it. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  exists(path: string): boolean;
  /** Runs a command to its end; throws if it fails. */
  run(command: string, args: readonly string[]): void;
}

/** Where a program is, or the reason why it is nowhere. */
export type Found = { readonly path: string } | { readonly problem: string };

/** A program of other authors that tests use. */
interface Program {
  readonly title: string;
  /** Where it usually is; the first that exists. */
  readonly paths: readonly string[];
  /** The packages of Debian that have it. */
  readonly packages: readonly string[];
  /** The variable of the environment that says where it is. */
  readonly variable?: string;
}

const programs = {
  chromium: {
    title: 'Chromium',
    paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    packages: ['chromium', 'fonts-dejavu-core'],
    variable: 'CULPRIT_CHROMIUM',
  },
  pyof: {
    title: 'python3-openflow',
    paths: ['/usr/lib/python3/dist-packages/pyof'],
    packages: ['python3-openflow'],
  },
  ovsOfctl: { title: 'ovs-ofctl', paths: ['/usr/bin/ovs-ofctl'], packages: ['openvswitch-common'] },
  redisServer: { title: 'redis-server', paths: ['/usr/bin/redis-server'], packages: ['redis-server'] },
  testcontroller: {
    title: 'ovs-testcontroller',
    paths: ['/usr/bin/ovs-testcontroller'],
    packages: ['openvswitch-testcontroller'],
  },
  osKen: { title: 'osken-manager', paths: ['/usr/bin/osken-manager'], packages: ['python3-os-ken'] },
  tshark: { title: 'tshark', paths: ['/usr/bin/tshark'], packages: ['tshark'] },
  ovsVswitchd: { title: 'ovs-vswitchd', paths: ['/usr/sbin/ovs-vswitchd'], packages: ['openvswitch-switch'] },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;
export const programNames = Object.keys(programs) as ProgramName[];

const installer = '/usr/bin/apt-get';

const nextFor = ({ packages, variable }: Program): string =>
  [
    `Install it with: sudo apt-get install ${packages.join(' ')}`,
    ...(variable === undefined ? [] : [`Or say where it is: ${variable}=… npm test`]),
    'The other tests run without: npx vitest run --project tests --project workers',
  ].join('\n');

/** On a Debian machine with root access, as in CI, installs the missing ones, all at once. */
export function findPrograms<N extends ProgramName>(machine: Machine, names: readonly N[]): Record<N, Found> {
  const missing = names.filter((name) => !isNamed(machine, programs[name]) && !isThere(machine, programs[name]));
  const problem = missing.length === 0 ? undefined : installed(machine, missing);
  const found = names.map((name): [N, Found] => [name, find(machine, programs[name], problem)]);
  // Every name has an entry.
  return Object.fromEntries(found) as Record<N, Found>;
}

const namedPath = (machine: Machine, { variable }: Program): string =>
  (variable === undefined ? undefined : machine.env[variable]) ?? '';
const isNamed = (machine: Machine, program: Program): boolean => namedPath(machine, program) !== '';
const isThere = (machine: Machine, { paths }: Program): boolean => paths.some((path) => machine.exists(path));

/** Why they could not be installed; undefined if the installation succeeded. */
function installed(machine: Machine, missing: readonly ProgramName[]): string | undefined {
  if (!machine.isRoot || !machine.exists(installer)) return 'it is not installed.';
  try {
    machine.run(installer, ['update']);
    const packages = missing.flatMap((name) => programs[name].packages);
    machine.run(installer, ['install', '--yes', '--no-install-recommends', ...packages]);
    return undefined;
  } catch (error) {
    return `it could not be installed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function find(machine: Machine, program: Program, problem: string | undefined): Found {
  const { title, paths } = program;
  const named = namedPath(machine, program);
  if (named !== '') {
    if (machine.exists(named)) return { path: named };
    return { problem: `${program.variable} is ${named}, and nothing is there.\n${nextFor(program)}` };
  }
  const path = paths.find((usual) => machine.exists(usual));
  if (path !== undefined) return { path };
  const why = problem ?? `it was installed, but is in none of ${paths.join(', ')}.`;
  return { problem: `There is no ${title} for the tests: ${why}\n${nextFor(program)}` };
}
