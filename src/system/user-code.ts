import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CulpritError, isOf, stackOf, usersStackOf } from '../error.ts';
import { foldersAbove, modulePath } from '../files/module-path.ts';

/** A line of a stack that names a file. */
interface StackFrame {
  readonly file: string;
  /** `31:7`: line and column. */
  readonly position: string;
  readonly isUsers: boolean;
  /** Whether it is of a function of culprit that performs an event, and calls its handler. */
  readonly performs: boolean;
}

/** The functions of the kernel that perform events, by name: the built code has other files. It may have a number after a name. */
const PERFORMS = /^ *at (?:performInternal|performExternal)\d* /;

/** The most places to report: the one that threw, and its callers. */
const PLACES_MAX = 5;

/**
 * Where the user's code threw, the innermost place first: `src/payment.ts:31:7`, from the folder of the package. Places
 * beyond the call of the handler are not of the handler but of the caller of culprit. Whether the stack still has them
 * depends on the speed of the machine: a long execution continues in another turn of the event loop.
 */
export function placesOf(thrown: unknown): string[] {
  const frames = framesIn(stackOf(thrown));
  const first = frames.findIndex(({ isUsers }) => isUsers);
  const caller = frames.findIndex(({ performs }, at) => at > first && performs);
  return frames
    .slice(0, caller < 0 ? frames.length : caller)
    .filter(({ isUsers }) => isUsers)
    .slice(0, PLACES_MAX)
    .map(({ file, position }) => `${modulePath(file)}:${position}`);
}

/** Code of the system threw where culprit expected none: a getter, a Proxy, or a replaced built-in. */
class SystemCodeThrew extends CulpritError {
  readonly code = 'SYSTEM_CODE_THREW';

  constructor(thrown: unknown) {
    super(
      `code of the system threw while culprit read it: ${usersStackOf(thrown)}`,
      'Use no getters or Proxies in definitions, and do not change built-ins of JavaScript and Node.',
      { cause: thrown },
    );
  }
}

/** The error to report: a CulpritError unchanged; an error thrown by the user's code as `SystemCodeThrew`. */
export const blamed = (thrown: unknown): unknown =>
  !isOf(thrown, CulpritError) && framesIn(stackOf(thrown))[0]?.isUsers === true ? new SystemCodeThrew(thrown) : thrown;

/** A place relative to the current folder, so that editors find it; unchanged if the file does not exist. */
export function fromHere(place: string): string {
  const [, path = place, position = ''] = /^(.*?)((?::\d+)*)$/.exec(place) ?? [];
  const here = process.cwd();
  const found = [...foldersAbove(here)].map((folder) => join(folder, path)).find((file) => existsSync(file));
  return found === undefined ? place : `${relative(here, found).split(sep).join('/')}${position}`;
}

/** The frames of a stack that name a file; frames of Node and of V8 name none. */
const framesIn = (stack: string): StackFrame[] => stack.split('\n').flatMap((line) => frameIn(line) ?? []);

/** `at name (place:1:2)` or `at place:1:2`. A folder may have parentheses in its name too. */
function frameIn(line: string): StackFrame | undefined {
  const found = /^ *at (?:.*\()?(?:async )?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+:\d+)\)?$/.exec(line);
  const [, place = '', position = ''] = found ?? [];
  if (place === '') return undefined;
  const file = place.startsWith('file:') ? fileURLToPath(place) : place;
  return { file, position, isUsers: isUsersFile(file), performs: isOurs(file) && PERFORMS.test(line) };
}

/** Whether a file is the user's: neither in an installed package nor in culprit. */
export const isUsersFile = (file: string): boolean => !/[\\/]node_modules[\\/]/.test(file) && !isOurs(file);

const isOurs = (file: string): boolean => ourselves.some((folder) => file.startsWith(folder));

/** The folders of culprit: the built code, and the sources that source maps name. */
const ourselves = ['../../src/', '../../dist/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
