import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { culpritReading } from './cli/culprit.ts';

/** A reader of the documents, who types what they show. */

export const root = fileURLToPath(new URL('..', import.meta.url));

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The blocks of a language on a page, in their order. */
export const blocks = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

/** A folder of a reader who has installed culprit, with these files of ours. */
export function packageOfReader(...files: readonly string[]): string {
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const made = mkdtempSync(join(root, '.culprit', 'reader-'));
  for (const file of files) {
    mkdirSync(dirname(join(made, file)), { recursive: true });
    cpSync(join(root, file), join(made, file));
  }
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(made, 'node_modules'));
  symlinkSync(root, join(made, 'node_modules', 'culprit'));
  return made;
}

/** What the page shows of a session, and what a reader sees who types the same. */
export function followed(session: string, inFolder: string): { readonly shown: string[]; readonly seen: string[] } {
  const [command = '', ...shown] = session.trimEnd().split('\n');
  // The text behind a prompt is typed.
  const typed = shown.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
  const { out, err } = culpritReading(
    typed.join('\n'),
    inFolder,
    ...command.replace(/^\$ (?:npx )?culprit /, '').split(' '),
  );
  // A line of only an ellipsis stands for output that the reader has already seen.
  const at = shown.indexOf('…');
  const [first, last] = [shown.slice(0, Math.max(at, 0)), shown.slice(at + 1)].map((lines) => lines.map(timeless));
  const lines = timeless(out).split('\n');
  const seen = at < 0 ? lines : [...lines.slice(0, first?.length), ...lines.slice(-(last?.length ?? 0))];
  return { shown: [...(first ?? []), ...(last ?? [])], seen: err === '' ? seen : [err] };
}

/** Without parts that differ between machines. */
export const timeless = (text: string): string => text.trimEnd().replaceAll(/[\d.]+ s\b/g, '… s');
