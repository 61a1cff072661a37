import { labeled } from './lines.ts';

/** Rewords an error of the command line's parser as all errors of culprit: what is wrong, then the next step. */
export function reworded(text: string): string {
  const [, problem, meant] = /^error: (.*?)\n(?:\(Did you mean (.*)\?\)\n)?$/s.exec(text) ?? [];
  if (problem === undefined) return text;
  const unquoted = problem.replace(/^(unknown \w+) '(.*)'$/s, '$1 $2').replace(/^(option ')-\w, /, '$1');
  if (meant !== undefined) return lines(`${unquoted}: did you mean ${meant}?`, HELP);
  const [, what, hint] = /^(.* is invalid)\. (.*)$/s.exec(unquoted) ?? [];
  return what === undefined || hint === undefined ? lines(ended(unquoted), HELP) : lines(`${what}.`, hint);
}

const HELP = 'Check the spelling: --help lists the commands and options.';

const lines = (problem: string, next: string): string =>
  [...labeled('error', problem), ...labeled('next', next)].map((line) => `${line}\n`).join('');

const ended = (sentence: string): string => (sentence.endsWith('.') ? sentence : `${sentence}.`);
