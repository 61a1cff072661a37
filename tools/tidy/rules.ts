import { cyclesIn } from './cycles.ts';
import { linksOf } from './imports.ts';
import { whyForbidden } from './layers.ts';
import { phrasesInComments, phrasesInPage, phrasesInStrings } from './phrases.ts';

export interface SourceFile {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Problem {
  readonly path: string;
  readonly line: number;
  /** The problem and the remedy. */
  readonly message: string;
}

type Rule = (file: SourceFile) => Problem[];

export function problemsIn(files: readonly SourceFile[]): Problem[] {
  return [...files.flatMap((file) => rules.flatMap((rule) => rule(file))), ...cyclesIn(files)];
}

export const importsPointDown: Rule = ({ path, text }) => {
  if (!isCode(path)) return [];
  return linksOf(text).imports.flatMap(({ specifier, line }) => {
    const message = whyForbidden(path, specifier);
    return message === undefined ? [] : [{ path, line, message }];
  });
};

const mayReExport = new Set([
  'src/index.ts',
  'src/trace/index.ts',
  'src/kernel.ts',
  'src/report.ts',
  'src/networks/index.ts',
  'src/maelstrom/index.ts',
  'src/hosts/live/index.ts',
  'src/hosts/xstate.ts',
]);

/** A reader who follows a name should reach its definition in one step, or in two through the public exports. */
export const onlyExportsReExport: Rule = ({ path, text }) => {
  if (!isCode(path)) return [];
  return linksOf(text).reExports.flatMap(({ everything, line }) => {
    if (everything) return [{ path, line, message: 'export * hides what is exported: list the names' }];
    if (mayReExport.has(path)) return [];
    return [{ path, line, message: `only ${[...mayReExport].join(', ')} re-export: import from where it is defined` }];
  });
};

const emptyNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'v2']);

export const namesSaySomething: Rule = ({ path }) => {
  const empty = path.split(/[/.]/).filter((part) => emptyNames.has(part.toLowerCase()));
  return empty.map((part) => ({ path, line: 1, message: `"${part}" says nothing: name it by its idea` }));
};

const maxLines = 400;

export const filesStayShort: Rule = ({ path, text }) => {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (!isCode(path) || lines <= maxLines) return [];
  return [{ path, line: maxLines + 1, message: `${lines} lines, at most ${maxLines}: split it by idea` }];
};

// Folders of a developer's machine. /usr and /bin are left out, as scripts start with one of them.
const machineFolders = 'home root Users work workspace workspaces mnt media srv opt private tmp var'.split(' ');
const machinePath = new RegExp(
  String.raw`(?:(?<=file://)|(?<![\w.~/*\\})\]-]))/(?:${machineFolders.join('|')})(?=[/\s'"\`),;:]|$)`,
  'g',
);
const climbingPath = /(?<![\w./])(?:\.\.\/)+(?:\.\.(?![\w.]))?/g;

/** The project must not depend on where it is checked out. */
export const pathsStayInside: Rule = ({ path, text }) => {
  const depth = path.split('/').length - 1;
  return text.split('\n').flatMap((content, at) => {
    const climbs = [...content.matchAll(climbingPath)].filter(([dots]) => dots.split('..').length - 1 > depth);
    const [outside] = [...content.matchAll(machinePath), ...climbs];
    if (outside === undefined) return [];
    const shown = /^\S{0,40}/.exec(content.slice(outside.index))?.[0] ?? '';
    return [{ path, line: at + 1, message: `${shown} is outside the project: leave it out or take it as an argument` }];
  });
};

/** Messages of oracles are stored in traces, and a replay compares them: another wording would break saved traces. */
const isShown = (path: string): boolean =>
  /^(?:src|viewer)\//.test(path) && !path.startsWith('src/oracles/') && !/\.test\.tsx?$/.test(path);

/** Texts for users name the subject and use a verb. */
export const usersReadPlainWords: Rule = ({ path, text }) => {
  const isPage = path === 'README.md' || /^docs\/.*\.md$/.test(path);
  const found = isPage ? phrasesInPage(text) : isCode(path) && isShown(path) ? phrasesInStrings(text) : [];
  return found.map(({ said, line, instead }) => ({ path, line, message: `users read "${said}": ${instead}` }));
};

/** So do comments. */
export const commentsArePlain: Rule = ({ path, text }) => {
  const found = isCode(path) ? phrasesInComments(text) : [];
  return found.map(({ said, line, instead }) => ({ path, line, message: `a comment says "${said}": ${instead}` }));
};

/** The files that open sessions. Each closes what it opens, or says why that need not be. */
const mayOpen = new Set(
  [
    'check/fault-plan-search',
    'check/verdicts',
    'doctor/executions',
    'execution/peek',
    'execution/record',
    'explain/places/event-handlers',
    'explain/why/explainer',
    'explain/why/nearest-passing',
    'explain/why/sessions',
    'hosts/target',
    'hunt/executor',
    'minimize/shorter-execution',
    'minimize/shortest-proof',
    'minimize/trial-jobs',
    'minimize/candidate-executor',
    'minimize/trial-runner',
    'replay/neighborhood',
    'step/judgments',
    'step/track',
  ].map((name) => `src/${name}.ts`),
);

const opening = /\b(?:target|targetOf\([^)]*\)|Simulation|this\.options)\.open\(/;

/** A session that is not closed may be a process that outlives culprit, so that a new opener is a decision. */
const sessionsHaveKnownOpeners: Rule = ({ path, text }) => {
  if (!path.startsWith('src/') || /\.test\.tsx?$/.test(path) || mayOpen.has(path)) return [];
  const message = 'opens a session: let a file in the list of tools/tidy/rules.ts open and close it, or add this one';
  return text.split('\n').flatMap((content, at) => (opening.test(content) ? [{ path, line: at + 1, message }] : []));
};

const rules: readonly Rule[] = [
  importsPointDown,
  onlyExportsReExport,
  namesSaySomething,
  filesStayShort,
  pathsStayInside,
  usersReadPlainWords,
  commentsArePlain,
  sessionsHaveKnownOpeners,
];

function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}
