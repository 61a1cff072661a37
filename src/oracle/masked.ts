/** Errors of the engine's own, mostly: what they quote are names of the code, which tell one bug from another. */
const namingCode: ReadonlySet<string | undefined> = new Set(['TypeError', 'ReferenceError']);

/** From one quotation mark to the next of its kind, but not from one apostrophe to another. */
const quotation = /(?<!\w)(["'`])(?:(?!\1).)*\1(?!\w)/g;

const word = /[\w.-]+/g;

/**
 * What an error says, without the values in it: terms, ids and counters differ from one execution to the next, where the
 * bug is the same. Every word with a digit in it is taken for a value, and so is what is quoted.
 */
export function masked(message: string, errorName: string | undefined): string {
  const unquoted = namingCode.has(errorName) ? message : message.replaceAll(quotation, '#');
  return unquoted.replaceAll(word, (one) => (/\d/.test(one) ? '#' : one));
}
