import { tokenize } from './tokens.ts';
import type { Token } from './tokens.ts';

interface Import {
  readonly specifier: string;
  readonly line: number;
}

interface ReExport {
  /** `export *`, as opposed to a list of names. */
  readonly everything: boolean;
  readonly line: number;
}

interface Links {
  /** Static, dynamic, required and type imports, and the source of every `export … from`. */
  readonly imports: readonly Import[];
  readonly reExports: readonly ReExport[];
}

export function linksOf(text: string): Links {
  const tokens = tokenize(text);
  const imports: Import[] = [];
  const reExports: ReExport[] = [];
  const importedNames = new Set<string>();

  for (const [at, { kind, text: word, line }] of tokens.entries()) {
    if (kind !== 'word' || isSign(tokens[at - 1], '.')) continue;
    if (word === 'import' || word === 'require') {
      const { specifier, names } = readImport(tokens, at);
      if (specifier !== undefined) imports.push({ specifier, line });
      for (const name of names) importedNames.add(name);
    }
    if (word === 'export') {
      const { specifier, everything, names } = readExport(tokens, at);
      if (specifier !== undefined) imports.push({ specifier, line });
      const passesOn = names.some((name) => importedNames.has(name));
      if (specifier !== undefined || passesOn) reExports.push({ everything, line });
    }
  }
  return { imports, reExports };
}

/** `import 'a'`, `import('a')`, `require('a')`, `import x, { y as z } from 'a'`; nothing for a computed specifier. */
function readImport(tokens: readonly Token[], at: number): { specifier?: string; names: string[] } {
  const after = tokens[at + 1];
  if (after?.kind === 'string') return { specifier: after.text, names: [] };
  if (isSign(after, '(')) return { ...specifierAt(tokens, at + 2), names: [] };

  const clause = readClause(tokens, at + 1);
  const source = specifierAfterFrom(tokens, at + 1 + clause.length);
  if (source.specifier === undefined) return { names: [] };
  const names = listed(clause).flatMap((words) => words.at(-1) ?? []);
  return { ...source, names };
}

/** `export * from 'a'`, `export { x } from 'a'`, `export { x }`; nothing for a declaration. */
function readExport(
  tokens: readonly Token[],
  at: number,
): { specifier?: string; everything: boolean; names: string[] } {
  const start = isWord(tokens[at + 1], 'type') ? at + 2 : at + 1;
  const everything = isSign(tokens[start], '*');
  if (!everything && !isSign(tokens[start], '{')) return { everything: false, names: [] };

  const clause = readClause(tokens, start);
  const names = listed(clause).flatMap(([first, second]) => {
    const typeModifier = first === 'type' && second !== undefined && second !== 'as';
    return (typeModifier ? second : first) ?? [];
  });
  return { ...specifierAfterFrom(tokens, start + clause.length), everything, names };
}

/** The clause between the keyword and `from`: names, braces, commas, a star. `from` itself may be a name too. */
function readClause(tokens: readonly Token[], start: number): Token[] {
  let end = start;
  for (let token = tokens[end]; token !== undefined; token = tokens[++end]) {
    const closesClause = isWord(token, 'from') && tokens[end + 1]?.kind === 'string';
    if (closesClause || (token.kind === 'sign' && !'{},*'.includes(token.text))) break;
    if (isSign(tokens[end - 1], '}') && end > start) break;
  }
  return tokens.slice(start, end);
}

/** The words of each element of a clause: `a, { b as c }` gives `[a]` and `[b, as, c]`. */
function listed(clause: readonly Token[]): string[][] {
  const elements: string[][] = [[]];
  for (const { kind, text } of clause) {
    if (kind === 'sign') elements.push([]);
    else elements.at(-1)?.push(text);
  }
  return elements.filter((words) => words.length > 0);
}

function specifierAfterFrom(tokens: readonly Token[], at: number): { specifier?: string } {
  return isWord(tokens[at], 'from') ? specifierAt(tokens, at + 1) : {};
}

function specifierAt(tokens: readonly Token[], at: number): { specifier?: string } {
  const token = tokens[at];
  return token?.kind === 'string' ? { specifier: token.text } : {};
}

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.text === sign;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word;
}
