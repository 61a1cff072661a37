import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const skipped = new Set(['.git', 'node_modules', 'dist', '.culprit']);

function pagesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesUnder(path);
    return entry.isFile() && entry.name.endsWith('.md') ? [relative(root, path).split(sep).join('/')] : [];
  });
}

const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

/** Addresses of links and images within the project. Code blocks are no links. */
const linksIn = (text: string): string[] =>
  [
    ...withoutBlocks(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address));

/** The anchors that GitHub gives to the headings of a page. */
const anchorsIn = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

function resolves(page: string, address: string): boolean {
  const [file = '', anchor] = address.split('#');
  const target = file === '' ? page : join(dirname(page), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsIn(textOf(target)).includes(anchor);
}

const top = '(?:src|test|tools|bench|viewer|cases|examples|schema)';

/** Files such as src/kernel/loop.ts, and folders in backticks, such as `src/oracles/`. */
const pathsIn = (text: string): string[] =>
  [
    ...text.matchAll(new RegExp(`(?<![\\w./-])(${top}/[\\w./-]+\\.(?:tsx?|mjs|js|jsonl?))(?![\\w/*-])`, 'g')),
    ...text.matchAll(new RegExp(`\`(${top}/[\\w./-]*/)\``, 'g')),
  ].map(([, path = '']) => path);

const pages = pagesUnder(root);
const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page));
const numberOf = (page: string): number => Number(/\d{4}/.exec(page)?.[0]);

describe('the documents', () => {
  test('link to pages and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      linksIn(textOf(page))
        .filter((address) => !resolves(page, address))
        .map((address) => `${page}: ${address}`),
    );
    expect(broken).toEqual([]);
  });

  test('name files that exist', () => {
    const describing = pages.filter((page) => /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\//.test(page));
    const missing = describing.flatMap((page) =>
      pathsIn(textOf(page))
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('give the architecture on at most 150 lines', () => {
    expect(textOf('ARCHITECTURE.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  test('have a line for every folder of src', () => {
    const architecture = textOf('ARCHITECTURE.md');
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !architecture.includes(`\n| \`${name}/`))).toEqual([]);
  });

  test('number the decisions consecutively, and list each', () => {
    const numbers = decisions.map(numberOf).sort((one, other) => one - other);
    expect(numbers).toEqual(numbers.map((_number, at) => at + 1));
    const listed = linksIn(textOf('docs/decisions/README.md')).map((address) => `docs/decisions/${address}`);
    expect(decisions.filter((page) => !listed.includes(page))).toEqual([]);
  });

  test('have the same sections in every decision', () => {
    const parts = ['Context', 'Decision', 'Consequences', 'In the code'].join(' · ');
    const odd = decisions.filter((page) => {
      const [title = '', ...found] = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
      return !title.startsWith(`${numberOf(page)}. `) || found.join(' · ') !== parts;
    });
    expect(odd).toEqual([]);
  });
});
