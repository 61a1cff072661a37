import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/** The words of a command, as code of a system in this folder. */
export interface CommandCode {
  /** An array of words. */
  readonly words: string;
  /** The lines that have to stand before it: an import, and a function. Empty if no word names a file. */
  readonly imports: string;
  readonly helper: string;
}

/** A program starts in a folder of its own, so a file among the words is named by its place beside the system. */
export function commandCode(folder: string, words: readonly string[], isTyped: boolean): CommandCode {
  const shown = words.map((word) => wordIn(folder, word));
  const usesFiles = shown.some((word) => word.startsWith('file('));
  return {
    words: `[${shown.join(', ')}]`,
    imports: usesFiles ? "import { fileURLToPath } from 'node:url';\n" : '',
    helper: usesFiles
      ? `\nconst file = (path${isTyped ? ': string' : ''}) => fileURLToPath(new URL(path, import.meta.url));\n`
      : '',
  };
}

function wordIn(folder: string, word: string): string {
  if (!isFile(word)) return quoted(word);
  const path = relative(folder, resolve(word)).split(sep).join('/');
  return `file(${quoted(path)})`;
}

/** A program such as `node` is found on the PATH, even if a file of that name lies here. */
const isFile = (word: string): boolean =>
  (word.includes('/') || word.includes('.')) && existsSync(word) && statSync(word).isFile();

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
