import { statSync } from 'node:fs';
import { CulpritError } from '../../error.ts';
import type { UnaskedExit } from '../../kernel/errors.ts';
import { shellWord } from '../../text/shell-word.ts';

/** A program that cannot be started. */
export class CannotStart extends CulpritError {
  readonly code = 'CANNOT_START';

  constructor(process: string, words: readonly string[], cwd: string, cause: unknown) {
    const [file = ''] = words;
    super(
      `${process} cannot be started: ${reasonOf(cause, file, cwd)} The command is: ${words.map(shellWord).join(' ')}`,
      'Install the program, or correct the command. It starts in a folder of its own: name files beside the system by `${import.meta.dirname}/…`.',
      { cause },
    );
  }
}

/** A program that ends before it is ready, though it has to run for anything to be tested. */
export class EndedAtOnce extends CulpritError {
  readonly code = 'ENDED_AT_ONCE';

  constructor(words: readonly string[], { summary, lastLines }: UnaskedExit) {
    const said = lastLines.length === 0 ? 'It printed nothing.' : `Its last lines:\n${lastLines.join('\n')}`;
    super(`${summary}. ${said}`, `Correct the command: ${words.map(shellWord).join(' ')}`);
  }
}

function reasonOf(cause: unknown, file: string, cwd: string): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (!isFolder(cwd)) return `its \`cwd\` ${shellWord(cwd)} is no folder.`;
  if (code === 'ENOENT') return `there is no program ${shellWord(file)}.`;
  if (code === 'EACCES') return `${shellWord(file)} may not be executed.`;
  return `${message}.`;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** There is no place for the folders of programs. */
export class NoFolder extends CulpritError {
  readonly code = 'NO_FOLDER';

  constructor(parent: string, cause: unknown) {
    super(
      `${shellWord(parent)} cannot be written: ${(cause as NodeJS.ErrnoException).message}.`,
      'Say where programs may have their folders: TMPDIR=…, or --keep <folder>',
      { cause },
    );
  }
}

/** A placeholder of a command for which there is no value. */
export class BadPlaceholder extends CulpritError {
  readonly code = 'BAD_PLACEHOLDER';

  constructor(
    process: string,
    placeholder: string,
    why: string,
    next = 'Correct the placeholder, or give that process a `port`.',
  ) {
    super(`the command of ${process} uses ${placeholder}, but ${why}.`, next);
  }
}

/** A port at which a program should listen is taken by something else. */
export class PortTaken extends CulpritError {
  readonly code = 'PORT_TAKEN';

  constructor(process: string, address: string, port: number) {
    super(
      `${process} cannot listen at ${address}:${port}: something else does already.`,
      `Look with: ss -ltnp 'sport = :${port}'. A program that listens on all addresses takes the port everywhere; give the process another port.`,
    );
  }
}

/** A command that needs more than this operating system has. */
export class NotOnThisSystem extends CulpritError {
  readonly code = 'NOT_ON_THIS_SYSTEM';

  constructor(process: string, what: string) {
    super(
      `${process} needs ${what}, which only Linux has.`,
      'Run it on Linux, in a container for example, or use `stdio` without addresses.',
    );
  }
}
