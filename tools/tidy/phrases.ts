import { tokenize } from './tokens.ts';

interface Phrase {
  readonly said: string;
  readonly line: number;
  /** What to write instead. */
  readonly instead: string;
}

/** Phrases that a reader has to read twice, with a plain way to say it. */
const banned: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bwhat came of\b/i, 'name the result'],
  [/\bwhoever\b/i, 'name who does it'],
  [/\bnobody knows\b/i, 'say that it is unknown'],
  [/\banew\b/i, 'say "again" or "from scratch"'],
  [/\bmend\b/i, 'say "fix"'],
  [/\btold of\b/i, 'say "described by"'],
  [/\bbe it\b/i, 'say "even if"'],
  [/\bastray\b/i, 'say what fails'],
  [/\bfor ever\b/i, 'say "forever"'],
  [/\bgo(?:es)? on\b/i, 'say "resume" or "continue"'],
  [/\b(?:comes|came) out\b/i, 'name the result'],
  [/\bas found\b/i, 'name the original'],
  [/\bwhatever\b/i, 'name the thing'],
  [/\ban execution that holds\b/i, 'say "a passing execution"'],
];

/** The banned phrases in the text of a page. */
export const phrasesInPage = (text: string): Phrase[] =>
  text.split('\n').flatMap((content, at) => phrasesIn(content, at + 1));

/** The banned phrases in the texts of a source file: in its strings and templates, not in comments or names. */
export const phrasesInSource = (text: string): Phrase[] =>
  tokenize(text).flatMap((token) => {
    const literal = token.literal ?? (token.kind === 'string' ? token.text : '');
    return literal.split('\n').flatMap((content, at) => phrasesIn(content, token.line + at));
  });

const phrasesIn = (content: string, line: number): Phrase[] =>
  banned.flatMap(([phrase, instead]) => {
    const said = phrase.exec(content)?.[0];
    return said === undefined ? [] : [{ said, line, instead }];
  });
