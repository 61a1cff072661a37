/** The type of a message: the value of its `type` field; without one, the type of the value. */
export const messageType = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : typeof message;
