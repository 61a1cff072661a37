/** Mostly errors of V8: the names of code that they quote distinguish bugs. */
const namingCode: ReadonlySet<string | undefined> = new Set(['TypeError', 'ReferenceError']);

/** From one quotation mark to the next of its kind, but not from one apostrophe to another. */
const quotation = /(?<!\w)(["'`])(?:(?!\1).)*\1(?!\w)/g;

const word = /[\w.-]+/g;

/** Lines of a stack trace, which some messages contain: every edit of a file changes them. */
const stackFrames = /(?:\r?\n[ \t]+at [^\n]*)+/g;

/** The length of a list counts as a value too. */
const listOfValues = /#(?:,\s*#)+/g;

/**
 * The message of an error without its values: terms, ids, counters, times and line numbers differ between executions,
 * and after an edit of the system, although the bug is the same. Every word with a digit and every quotation counts as
 * a value.
 */
export function masked(message: string, errorName: string | undefined): string {
  const frameless = message.replaceAll(stackFrames, '');
  const unquoted = namingCode.has(errorName) ? frameless : frameless.replaceAll(quotation, '#');
  return unquoted.replaceAll(word, (one) => (/\d/.test(one) ? '#' : one)).replaceAll(listOfValues, '#');
}

/** Whether two messages differ only in numbers and in words that contain digits. */
export const isSameButForNumbers = (one: string, other: string): boolean =>
  withoutNumbers(one) === withoutNumbers(other);

// Quotations count here: names of processes and files distinguish bugs.
const withoutNumbers = (message: string): string =>
  message.replaceAll(stackFrames, '').replaceAll(word, (one) => one.replaceAll(/[-+]?\d+(?:\.\d+)*/g, '#'));
