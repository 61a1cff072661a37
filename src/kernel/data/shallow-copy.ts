/** An object as braces make it. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Copies of objects as braces make them; their parts are shared.
 *
 * V8 keeps what it learns about shapes by place in the text, and a spread that has met more than four shapes is five times as slow.
 * A system has more kinds of messages than that, so there are eight places: objects are told apart by their first field, which usually
 * says of which kind they are. A copy has another shape than its original, so copies of copies have eight places of their own.
 */
export function shallowCopy(value: Fields): Record<string, unknown> {
  switch (familyOf(value)) {
    case 0:
      return { ...value };
    case 1:
      return { ...value };
    case 2:
      return { ...value };
    case 3:
      return { ...value };
    case 4:
      return { ...value };
    case 5:
      return { ...value };
    case 6:
      return { ...value };
    default:
      return { ...value };
  }
}

/** The same for an object that is a copy itself. */
export function shallowCopyAgain(value: Fields): Record<string, unknown> {
  switch (familyOf(value)) {
    case 0:
      return { ...value };
    case 1:
      return { ...value };
    case 2:
      return { ...value };
    case 3:
      return { ...value };
    case 4:
      return { ...value };
    case 5:
      return { ...value };
    case 6:
      return { ...value };
    default:
      return { ...value };
  }
}

/** A number from 0 to 7, by the text in the first field, or by the name of that field. */
function familyOf(value: Fields): number {
  for (const key in value) {
    const first = value[key];
    return hashOf(typeof first === 'string' && first !== '' ? first : key);
  }
  return 0;
}

const hashOf = (text: string): number => (text.length * 3 + text.charCodeAt(text.length - 1)) & 7;
