/** Errors of the engine's own, mostly: what they quote are names of the code, which tell one bug from another. */
const namingCode: ReadonlySet<string | undefined> = new Set(['TypeError', 'ReferenceError']);

/** From one quotation mark to the next of its kind, but not from one apostrophe to another. */
const quotation = /(?<!\w)(["'`])(?:(?!\1).)*\1(?!\w)/g;

const word = /[\w.-]+/g;

/** Lines of a stack trace, which some put into their messages: an edit anywhere in a file changes them. */
const stackFrames = /(?:\r?\n[ \t]+at [^\n]*)+/g;

/** How many values there are is as good as a value. */
const listOfValues = /#(?:,\s*#)+/g;

/**
 * What an error says, without the values in it: terms, ids, counters, times and line numbers differ from one execution to the
 * next, and after an edit of the system, where the bug is the same. Every word with a digit in it is taken for a value, and so
 * is what is quoted.
 */
export function masked(message: string, errorName: string | undefined): string {
  const frameless = message.replaceAll(stackFrames, '');
  const unquoted = namingCode.has(errorName) ? frameless : frameless.replaceAll(quotation, '#');
  return unquoted.replaceAll(word, (one) => (/\d/.test(one) ? '#' : one)).replaceAll(listOfValues, '#');
}

/** Whether two messages differ in nothing but numbers, and words that have digits in them. */
export const isSameButForNumbers = (one: string, other: string): boolean =>
  withoutNumbers(one) === withoutNumbers(other);

// What is quoted stays here: names of processes and files tell one bug from another.
const withoutNumbers = (message: string): string =>
  message.replaceAll(stackFrames, '').replaceAll(word, (one) => one.replaceAll(/[-+]?\d+(?:\.\d+)*/g, '#'));
