export interface Token {
  readonly kind: 'word' | 'string' | 'sign';
  /** For a string, the text between the quotes. */
  readonly text: string;
  /** For a part of a template with holes, the text up to the next hole or the end. */
  readonly literal?: string;
  readonly line: number;
}

export interface Comment {
  readonly text: string;
  readonly line: number;
}

// Named groups in the order of their tries: a comment before a regular expression, and both before a single sign.
const lexeme = new RegExp(
  [
    /(?<gap>\s+|^#![^\n]*)/,
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
    /(?<string>'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?)/,
    /(?<word>[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*)/u,
    /(?<pattern>\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*)/,
    /(?<sign>[\s\S])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'uy',
);

const wordsBeforePattern = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
);

/**
 * Splits TypeScript into words, strings and signs, without comments and regular expressions; the code inside a
 * template's `${…}` is kept. Just enough to find imports: whether a slash divides is guessed from the token before it.
 */
export const tokenize = (text: string): Token[] => scan(text).tokens;

/** The comments of TypeScript, with their marks. */
export const commentsIn = (text: string): Comment[] => scan(text).comments;

interface Scanned {
  readonly tokens: Token[];
  readonly comments: Comment[];
}

/** Every rule reads the same files, and scanning is most of its time. */
const scanned = new Map<string, Scanned>();

function scan(text: string): Scanned {
  const known = scanned.get(text) ?? scanOnce(text);
  scanned.set(text, known);
  return known;
}

function scanOnce(text: string): Scanned {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  const lineAt = lineCounter(text);
  /** The owners of the open braces: code, or a hole of a template that continues after the brace. */
  const open: ('code' | 'hole')[] = [];
  let at = 0;

  while (at < text.length) {
    const resumesTemplate = text[at] === '}' && open.pop() === 'hole';
    if (text[at] === '{') open.push('code');
    const inTemplate = text[at] === '`' || resumesTemplate;
    const { token, comment, end } = inTemplate ? templatePart(text, at) : next(text, at, tokens.at(-1));
    if (token?.kind === 'sign' && token.text === '${') open.push('hole');
    if (token) tokens.push({ ...token, line: lineAt(at) });
    if (comment !== undefined) comments.push({ text: comment, line: lineAt(at) });
    at = end;
  }
  return { tokens, comments };
}

interface Step {
  readonly token?: Omit<Token, 'line'>;
  readonly comment?: string;
  readonly end: number;
}

function next(text: string, at: number, before: Token | undefined): Step {
  lexeme.lastIndex = at;
  const found = lexeme.exec(text)?.groups ?? {};
  const { gap, comment, string, word, pattern } = found;
  if (gap !== undefined) return { end: at + gap.length };
  if (comment !== undefined) return { comment, end: at + comment.length };
  if (string !== undefined) return { token: { kind: 'string', text: string.slice(1, -1) }, end: at + string.length };
  if (word !== undefined) return { token: { kind: 'word', text: word }, end: at + word.length };
  if (pattern !== undefined && mayStartPattern(before)) return { end: at + pattern.length };
  return { token: { kind: 'sign', text: text.charAt(at) }, end: at + 1 };
}

function mayStartPattern(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'word') return wordsBeforePattern.has(before.text);
  return before.kind === 'sign' && !')]}`'.includes(before.text);
}

/** From a backtick, or the brace that closes a hole, to the next hole or the end. Without holes it is a string. */
function templatePart(text: string, at: number): Step {
  const end = endOfTemplatePart(text, at + 1);
  if (text[end - 1] === '{') return { token: { kind: 'sign', text: '${', literal: text.slice(at + 1, end - 2) }, end };
  if (text[at] === '}') return { token: { kind: 'sign', text: '`', literal: text.slice(at + 1, end - 1) }, end };
  return { token: { kind: 'string', text: text.slice(at + 1, end - 1) }, end };
}

function endOfTemplatePart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`') return at + 1;
    else if (text.startsWith('${', at)) return at + 2;
  }
  return text.length;
}

/** Lines are requested in ascending order, so each part of the text is scanned once. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let seen = 0;
  return (at) => {
    for (; seen < at; seen++) if (text[seen] === '\n') line++;
    return line;
  };
}
