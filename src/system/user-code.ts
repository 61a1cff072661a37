import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CulpritError, isOf, stackOf } from '../error.ts';
import { foldersAbove, modulePath } from '../files/module-path.ts';

/** A line of a stack that names a file. */
interface StackFrame {
  readonly file: string;
  /** `31:7`: line and column. */
  readonly position: string;
  readonly isUsers: boolean;
}

/** So many places are told: the one that threw, and who called it. */
const PLACES_MAX = 5;

/** Where the user's code was when it threw, the innermost first: `src/payment.ts:31:7`, from the folder of the package. */
export const placesOf = (thrown: unknown): string[] =>
  framesIn(stackOf(thrown))
    .filter(({ isUsers }) => isUsers)
    .slice(0, PLACES_MAX)
    .map(({ file, position }) => `${modulePath(file)}:${position}`);

/** Code of the system threw where culprit did not expect any: a getter, a Proxy, a function of JavaScript that was replaced. */
class SystemCodeThrew extends CulpritError {
  readonly code = 'SYSTEM_CODE_THREW';

  constructor(thrown: unknown) {
    super(
      `code of the system threw while culprit read it: ${stackOf(thrown)}`,
      'Use no getters or Proxies in definitions, and do not change built-ins of JavaScript and Node.',
      { cause: thrown },
    );
  }
}

/** The error to report: one of ours as it is; any other is blamed on the code that threw it. */
export const blamed = (thrown: unknown): unknown =>
  !isOf(thrown, CulpritError) && framesIn(stackOf(thrown))[0]?.isUsers === true ? new SystemCodeThrew(thrown) : thrown;

/** A place as an editor finds it from the current folder; as it is where the file is not there. */
export function fromHere(place: string): string {
  const [, path = place, position = ''] = /^(.*?)((?::\d+)*)$/.exec(place) ?? [];
  const here = process.cwd();
  const found = [...foldersAbove(here)].map((folder) => join(folder, path)).find((file) => existsSync(file));
  return found === undefined ? place : `${relative(here, found).split(sep).join('/')}${position}`;
}

/** The frames of a stack, without those of Node and of the engine. */
const framesIn = (stack: string): StackFrame[] => stack.split('\n').flatMap((line) => frameIn(line) ?? []);

/** `at name (place:1:2)` or `at place:1:2`. A folder may have parentheses in its name too. */
function frameIn(line: string): StackFrame | undefined {
  const found = /^ *at (?:.*\()?(?:async )?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+:\d+)\)?$/.exec(line);
  const [, place = '', position = ''] = found ?? [];
  if (place === '') return undefined;
  const file = place.startsWith('file:') ? fileURLToPath(place) : place;
  return { file, position, isUsers: isUsersFile(file) };
}

/** Whether a file is the user's: neither of a package that is installed, nor of culprit. */
export const isUsersFile = (file: string): boolean =>
  !/[\\/]node_modules[\\/]/.test(file) && !ourselves.some((folder) => file.startsWith(folder));

/** What runs, and what it was built from: source maps may name either. */
const ourselves = ['../../src/', '../../dist/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
