/** The text before each command of a session. */
export const PROMPT = '> ';
