import { commentsIn, tokenize } from './tokens.ts';

interface Phrase {
  readonly said: string;
  readonly line: number;
  /** What to write instead. */
  readonly instead: string;
}

/** Between two words: spaces, or a line break with the marks that begin the next line of a comment. */
const GAP = String.raw`\s[\s*/]*`;

/** Phrases that a reader has to read twice, with a plain way to say it. A space stands for any gap within a text. */
const banned: readonly (readonly [phrase: RegExp, instead: string])[] = (
  [
    [/\bwhat came\b/, 'name the result'],
    [/\bwhoever\b/, 'name who does it'],
    [/\bnobody\b/, 'say "no process", "no code" or "unknown"'],
    [/\banew\b/, 'say "again" or "from scratch"'],
    [/\bmend(?:s|ed)?\b/, 'say "fix"'],
    [/\btold of\b/, 'say "described by"'],
    [/\b(?:is|are|was|were|be|been) told\b(?! apart)/, 'say "reported", "shown" or "receives"'],
    [/\bbe it\b/, 'say "even if"'],
    [/\bastray\b/, 'say what fails'],
    [/\bfor ever\b/, 'say "forever"'],
    [/\b(?:go|goes|gone|going) on\b/, 'say "resume" or "continue"'],
    [/\b(?:comes|came) out\b/, 'name the result'],
    [/\bas found\b/, 'name the original'],
    [/\bwhatever\b/, 'name the thing'],
    [/\bwhere there (?:is|are) (?:no|none)\b/, 'say "without" or "if it has none"'],
    [/\ban execution that holds\b/, 'say "a passing execution"'],
  ] as const
).map(([phrase, instead]) => [new RegExp(phrase.source.replaceAll(' ', GAP), 'gi'), instead] as const);

/** The banned phrases in the text of a page. */
export const phrasesInPage = (text: string): Phrase[] => phrasesIn(text, 1);

/** The banned phrases in the strings and templates of a source file. */
export const phrasesInStrings = (text: string): Phrase[] =>
  tokenize(text).flatMap(({ kind, text: whole, literal = kind === 'string' ? whole : '', line }) =>
    literal === '' ? [] : phrasesIn(literal, line),
  );

/** The banned phrases in the comments of a source file. */
export const phrasesInComments = (text: string): Phrase[] =>
  commentsIn(text).flatMap((comment) => phrasesIn(comment.text, comment.line));

const phrasesIn = (text: string, line: number): Phrase[] =>
  banned.flatMap(([phrase, instead]) =>
    Array.from(text.matchAll(phrase), ({ 0: said, index }) => ({
      said: said.replaceAll(/\s[\s*/]*/g, ' '),
      line: line + text.slice(0, index).split('\n').length - 1,
      instead,
    })),
  );
