import { expect, test } from 'vitest';
import { reworded } from './parser-errors.ts';

const help = 'next      Check the spelling: --help lists the commands and options.\n';

test.each([
  ["error: unknown option '--bogus'\n", `error     unknown option --bogus.\n${help}`],
  [
    "error: unknown option '--sed'\n(Did you mean --seed?)\n",
    `error     unknown option --sed: did you mean --seed?\n${help}`,
  ],
  [
    "error: unknown command 'a'\n(Did you mean one of b, c?)\n",
    `error     unknown command a: did you mean one of b, c?\n${help}`,
  ],
  ["error: missing required argument 'trace'\n", `error     missing required argument 'trace'.\n${help}`],
  [
    "error: too many arguments for 'hunt'. Expected 1 argument but got 2.\n",
    `error     too many arguments for 'hunt'. Expected 1 argument but got 2.\n${help}`,
  ],
  [
    "error: option '--to <format>' argument 'a\nb' is invalid. Choose one of html, json.\n",
    "error     option '--to <format>' argument 'a\n          b' is invalid.\nnext      Choose one of html, json.\n",
  ],
  ['Usage: culprit\n', 'Usage: culprit\n'],
])('%j has a next step', (text, expected) => {
  expect(reworded(text)).toBe(expected);
});
