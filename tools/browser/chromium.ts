/** The machine, as this module reads and changes it. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  exists(path: string): boolean;
  /** Runs a command to its end; throws if it fails. */
  run(command: string, args: readonly string[]): void;
}

/** A browser for the tests of the page, or the reason why there is none. */
export type Found = { readonly path: string } | { readonly problem: string };

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const packages = ['chromium', 'fonts-dejavu-core'];
const installer = '/usr/bin/apt-get';

const NEXT = `Install one with: sudo apt-get install ${packages.join(' ')}
Or say where it is: CULPRIT_CHROMIUM=… npm test
The other tests run without: npx vitest run --project tests --project workers`;

/** The path of Chromium. On a Debian machine with root access, as in CI, installs a missing one. */
export function findChromium(machine: Machine): Found {
  const named = machine.env['CULPRIT_CHROMIUM'];
  if (named !== undefined && named !== '') {
    return machine.exists(named)
      ? { path: named }
      : { problem: `CULPRIT_CHROMIUM is ${named}, and nothing is there.\n${NEXT}` };
  }
  const found = installed(machine);
  if (found !== undefined) return { path: found };
  if (!machine.isRoot || !machine.exists(installer))
    return { problem: `There is no Chromium for the tests of the page.\n${NEXT}` };
  return install(machine);
}

const installed = (machine: Machine): string | undefined => usual.find((path) => machine.exists(path));

function install(machine: Machine): Found {
  try {
    machine.run(installer, ['update']);
    machine.run(installer, ['install', '--yes', '--no-install-recommends', ...packages]);
  } catch (error) {
    return {
      problem: `Chromium could not be installed: ${error instanceof Error ? error.message : String(error)}\n${NEXT}`,
    };
  }
  const path = installed(machine);
  return path === undefined
    ? { problem: `Chromium was installed, but is in none of ${usual.join(', ')}.\n${NEXT}` }
    : { path };
}
