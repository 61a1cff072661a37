import { describe, expect, test } from 'vitest';
import { commentsArePlain, usersReadPlainWords } from './rules.ts';

describe('texts for users are plain', () => {
  const found = (path: string, text: string): (readonly [number, string])[] =>
    usersReadPlainWords({ path, text }).map(({ line, message }) => [line, message] as const);

  test('a phrase is reported with its line and a better one', () => {
    expect(found('src/cli/a.ts', "\nconst next = 'Mend the file.';\n")).toEqual([[2, 'users read "Mend": say "fix"']]);
    expect(found('README.md', 'It starts,\nand goes on from there.')).toEqual([
      [2, 'users read "goes on": say "resume" or "continue"'],
    ]);
  });

  test.each([
    ['a string', "say('it replays for ever');"],
    ['a template', 'say(`it replays for ever`);'],
    ['a template before a hole', 'say(`for ever: ${path}`);'],
    ['a template between two holes', 'say(`${path} for ever ${count}`);'],
    ['a template after a hole', 'say(`${path} for ever`);'],
    ['a template in a hole', 'say(`${isLong ? `for ever` : path}`);'],
  ])('also in %s', (_where, text) => {
    expect(found('src/kernel/a.ts', text)).toHaveLength(1);
  });

  test.each([
    ['a comment', 'src/cli/a.ts', '// it replays for ever'],
    ['a name', 'src/cli/a.ts', 'const astray = anew;'],
    ['a part of a word', 'src/cli/a.ts', "say('we amend what was found');"],
    ['a message that traces keep', 'src/oracles/a.ts', "say('for ever');"],
    ['a test', 'src/cli/a.test.ts', "say('for ever');"],
    ['a page that no user reads', 'ARCHITECTURE.md', 'for ever'],
  ])('not in %s', (_where, path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});

describe('comments are plain', () => {
  const found = (path: string, text: string): (readonly [number, string])[] =>
    commentsArePlain({ path, text }).map(({ line, message }) => [line, message] as const);

  test.each([
    ['after code', 'f(); // It is told later.', 1, 'is told'],
    ['of a declaration', '\n/** What came of it. */\nconst a = 1;', 2, 'What came'],
    ['of several lines', 'a;\n/**\n * One.\n * Whoever asks.\n */', 4, 'Whoever'],
    ['across a line break', '/**\n * It is called where there\n * is none.\n */', 2, 'where there is none'],
    ['across two line comments', 'a;\n// It goes on\n// for\n', 2, 'goes on'],
    ['in a hole of a template', 'say(`${/* for ever */ path}`);', 1, 'for ever'],
  ])('%s', (_where, text, line, said) => {
    const problems = found('test/a.test.ts', text);
    expect(problems).toEqual([[line, expect.stringContaining(`a comment says "${said}": `) as string]]);
  });

  test.each([
    ['a string', "say('for ever');"],
    ['a string that looks like a comment', "say('// for ever');"],
    ['a template', 'say(`/* for ever */`);'],
    ['a name', 'const whoever = told;'],
    ['a part of a word', '// We amend it in a lane with width.'],
    ['a distinction', '// Objects are told apart by their numbers.'],
  ])('not in %s', (_where, text) => {
    expect(found('src/cli/a.ts', text)).toEqual([]);
  });
});
