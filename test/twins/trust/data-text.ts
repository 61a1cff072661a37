/**
 * Data as text: equal only if no code can distinguish two values. Objects are numbered in the order in which they are
 * met, so that a second path to the same object, and a cycle, read as its number.
 */
export function dataText(value: unknown): string {
  const numbers = new Map<object, number>();
  const textWithin = (inner: unknown): string => {
    if (typeof inner !== 'object' || inner === null) return primitiveText(inner);
    const known = numbers.get(inner);
    if (known !== undefined) return `@${known}`;
    numbers.set(inner, numbers.size);
    return objectText(inner, textWithin);
  };
  return textWithin(value);
}

function primitiveText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}

type TextOf = (value: unknown) => string;

function objectText(value: object, textWithin: TextOf): string {
  if (Array.isArray(value))
    return `[${Array.from(value.keys(), (at) => (at in value ? textWithin(value[at]) : 'hole')).join()}]`;
  if (value instanceof Map)
    return `Map{${Array.from(value, ([key, inner]) => `${textWithin(key)}=>${textWithin(inner)}`).join()}}`;
  if (value instanceof Set) return `Set{${Array.from(value, textWithin).join()}}`;
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${textWithin(inner)}`);
  return `${Object.getPrototypeOf(value) === null ? 'null' : ''}{${fields.join()}}`;
}
