/** What kind of message it is: the value of its `type` field; the type of the value where it has none. */
export const messageType = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : typeof message;
