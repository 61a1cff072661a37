/**
 * Everything that code can see of plain data, as a text: data with equal texts is indistinguishable. Walks naively, by
 * identity. `as a file`: without the parts that a file does not keep, which are the order of keys, fields that are
 * undefined, and missing prototypes.
 */
export function looks(data: unknown, as: 'it is' | 'as a file' = 'it is'): string {
  const numbers = new Map<object, number>();
  const isFile = as === 'as a file';
  const write = (value: unknown): string => {
    if (Object.is(value, -0)) return '-0';
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
    const known = numbers.get(value);
    if (known !== undefined) return `#${known}`;
    numbers.set(value, numbers.size);
    return parts(value);
  };
  const parts = (value: object): string => {
    if (Array.isArray(value)) {
      const places = Array.from({ length: value.length }, (_place, at) => (at in value ? write(value[at]) : 'hole'));
      return `[${places.join()}]`;
    }
    if (value instanceof Map) return `map(${[...value].map(([key, inner]) => `${write(key)}>${write(inner)}`).join()})`;
    if (value instanceof Set) return `set(${[...value].map(write).join()})`;
    const fields = Object.entries(value).filter(([, field]) => !isFile || field !== undefined);
    if (isFile) fields.sort(([a], [b]) => (a < b ? -1 : 1));
    const written = fields.map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`);
    return `${!isFile && Object.getPrototypeOf(value) === null ? 'bare' : ''}{${written.join()}}`;
  };
  return write(data);
}
